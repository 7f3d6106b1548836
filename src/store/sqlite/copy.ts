import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Write the whole database to a new file that only its owner can read. Other programs can go on writing meanwhile.
 *
 * @param vacuumInto  runs SQLite's `VACUUM INTO` on the connection.
 */
export async function copyDatabase(path: string, vacuumInto: (part: string) => unknown): Promise<void> {
  const part = `${path}.part`;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(part, { force: true });
  await vacuumInto(part);
  chmodSync(part, 0o600);
  renameSync(part, path);
}
