import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, processIdentity } from '../../base/process-identity.ts';

/** How often a serving program shows a sign of life, and after how long without one it does not serve. */
export const BEAT_MS = 10_000;
const STALE_MS = 45_000;

const schema = z.object({
  process: z.string(),
  pid: z.number(),
  since: z.string(),
  seenAt: z.string(),
  /** Why it does not serve; null while it does. */
  waitingFor: z.string().nullable(),
});

/** Whether a program on this machine serves a home, and a line that says so. */
export interface Health {
  readonly serving: boolean;
  readonly line: string;
}

/**
 * The sign of life of `wooster serve` in a file of the home, which can be read while the database cannot. A home that
 * cannot be written keeps an old one, which then says as much.
 */
export class Heartbeat {
  readonly #path: string;
  readonly #since: Date;
  readonly #now: () => Date;

  constructor(homeDir: string, now: () => Date = () => new Date()) {
    this.#path = heartbeatFile(homeDir);
    this.#now = now;
    this.#since = now();
  }

  /** @param waitingFor why the home is not served at the moment. */
  beat(waitingFor: string | null = null): void {
    const beat: z.output<typeof schema> = {
      ...{ process: processIdentity(), pid: process.pid, since: this.#since.toISOString() },
      ...{ seenAt: this.#now().toISOString(), waitingFor },
    };
    try {
      writeFileSync(`${this.#path}.${process.pid}`, JSON.stringify(beat), { mode: 0o600 });
      renameSync(`${this.#path}.${process.pid}`, this.#path);
    } catch {
      // The home may be full, read-only or gone.
    }
  }

  /** The program ends. */
  end(): void {
    try {
      if (read(this.#path)?.process === processIdentity()) rmSync(this.#path, { force: true });
    } catch {
      // It has gone with the home, or tells by itself that it is old.
    }
  }
}

/** Whether the home is served by a program of this machine. Opens nothing but the file. */
export function healthOf(homeDir: string, now = new Date()): Health {
  const beat = read(heartbeatFile(homeDir));
  if (!beat) return { serving: false, line: 'not serving: no `wooster serve` is running' };
  const ageS = Math.round((now.getTime() - Date.parse(beat.seenAt)) / 1000);
  if (!isAlive(beat.process)) return { serving: false, line: `not serving: process ${beat.pid} has ended` };
  // A clock that was set back makes it one of the future.
  if (Math.abs(ageS) * 1000 > STALE_MS)
    return { serving: false, line: `not serving: no sign of life of process ${beat.pid} for ${ageS} s` };
  if (beat.waitingFor !== null) return { serving: false, line: `not serving: ${beat.waitingFor}` };
  return { serving: true, line: `serving since ${beat.since}, process ${beat.pid}, seen ${Math.max(0, ageS)} s ago` };
}

function heartbeatFile(homeDir: string): string {
  return join(homeDir, 'state', 'serving.json');
}

function read(path: string): z.output<typeof schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
