import { statSync } from 'node:fs';

/** A text that changes whenever the file is written or replaced; `none` when there is no file. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none';
}
