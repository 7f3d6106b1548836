import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../base/folders.ts';

/** The lines typed in earlier sessions, newest first; none when the file is missing or unreadable. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return [];
  }
}

/** Save the lines for the next session, for their owner's eyes only. A failure loses the history, never the session. */
export function writeHistory(path: string, newestFirst: readonly string[]): boolean {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, `${[...newestFirst].reverse().join('\n')}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
