import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/folders.ts';
import { fileLocks } from './lock.ts';

const PART = '.part';
/** Held while a copy is being written. */
const COPYING = 'copying';

/** The folder with the backups of a database. */
export function backupsOf(database: string): string {
  return join(dirname(database), 'backups');
}

/** Remove partial files that interrupted copies left among the backups, unless one is being written now. */
export async function removeParts(database: string): Promise<void> {
  const dir = backupsOf(database);
  const parts = existsSync(dir) ? readdirSync(dir).filter((name) => name.includes(`.sqlite3${PART}`)) : [];
  if (parts.length === 0) return;
  await using lock = fileLocks(database)(COPYING);
  if (lock) for (const part of parts) rmSync(join(dir, part), { force: true });
}

/**
 * Write the whole database to a new file that only its owner can read. Other programs can go on writing meanwhile.
 *
 * @param from  the database's own file.
 * @param vacuumInto  runs SQLite's `VACUUM INTO` on the connection.
 */
export async function copyDatabase(from: string, path: string, vacuumInto: (part: string) => unknown): Promise<void> {
  // When two programs copy at once, the first one's lock protects the partial files of both.
  await using _ = fileLocks(from)(COPYING);
  const part = emptyPart(path);
  try {
    await vacuumInto(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** As `copyDatabase`, on a connection that only this caller is using. */
export function copyNow(database: DatabaseSync, path: string): void {
  const part = emptyPart(path);
  database.prepare('VACUUM INTO ?').run(part);
  renameSync(part, path);
}

/** SQLite accepts an existing empty file, so the copy is private from its first byte. */
function emptyPart(path: string): string {
  const part = `${path}${PART}`;
  makeFolder(dirname(path));
  rmSync(part, { force: true });
  closeSync(openSync(part, 'wx', 0o600));
  return part;
}
