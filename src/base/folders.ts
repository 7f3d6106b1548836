import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Create a folder and its missing parents.
 *
 * Node's recursive `mkdir` never returns below `/proc` and similar mounts, where a folder cannot be created although
 * its parent exists; this one goes up only while the parent is missing.
 *
 * @throws the system's error when one of them cannot be created.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (!existsSync(above) && above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
