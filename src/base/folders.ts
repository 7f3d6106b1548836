import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Make a folder and those above it. Node's own recursive form never ends below `/proc` and the like, where a folder
 * "does not exist" although its parent does; this one climbs only while the parent is missing.
 *
 * @throws the system's error when one of them cannot be made.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (!existsSync(above) && above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
