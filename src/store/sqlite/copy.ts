import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** What a copy that was cut off is called. */
const PART = '.part';

/**
 * Write the whole database to a new file that only its owner can read. Other programs can go on writing meanwhile.
 *
 * @param vacuumInto  runs SQLite's `VACUUM INTO` on the connection.
 */
export async function copyDatabase(path: string, vacuumInto: (part: string) => unknown): Promise<void> {
  const part = emptyPart(path);
  try {
    await vacuumInto(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** As `copyDatabase`, of a connection that is this caller's alone for now. */
export function copyNow(database: DatabaseSync, path: string): void {
  const part = emptyPart(path);
  database.prepare('VACUUM INTO ?').run(part);
  renameSync(part, path);
}

/** SQLite takes an empty file, so the copy is private from its first byte. */
function emptyPart(path: string): string {
  const part = `${path}${PART}`;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(part, { force: true });
  closeSync(openSync(part, 'wx', 0o600));
  chmodSync(part, 0o600);
  return part;
}
