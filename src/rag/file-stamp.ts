import { statSync } from 'node:fs';

/** Another text whenever the file is written or replaced; `none` where there is none. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none';
}
