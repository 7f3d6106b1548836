import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { isAlive, processIdentity } from '../../base/process-identity.ts';

const schema = z.object({ process: z.string(), url: z.string() });

const fileOf = (homeDir: string) => join(homeDir, 'state', 'door');

/** Notes where the door of this program is, for other programs' commands; where nothing can be written, it is left. */
export function noteDoor(homeDir: string, url: string): void {
  const path = fileOf(homeDir);
  try {
    // A home whose store is on a server may have no folder for its state.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.${process.pid}`, JSON.stringify({ process: processIdentity(), url }), { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // It may be full, read-only or gone: "pair" then names the address of the settings.
  }
}

/** The door of this program is closed. */
export function forgetDoor(homeDir: string): void {
  if (read(homeDir)?.process === processIdentity()) rmSync(fileOf(homeDir), { force: true });
}

/** Where the door of this home is open now; undefined: nowhere on this machine. */
export function openDoorOf(homeDir: string): string | undefined {
  const door = read(homeDir);
  return door && isAlive(door.process) ? door.url : undefined;
}

function read(homeDir: string): z.output<typeof schema> | undefined {
  try {
    return schema.safeParse(parseJson(readFileSync(fileOf(homeDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
