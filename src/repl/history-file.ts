import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../base/folders.ts';

/** The lines typed in earlier sessions, newest first; none when the file is absent or unreadable. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return [];
  }
}

/** Keep the lines for the next session, readable by their owner only. A failure costs the history, never the session. */
export function writeHistory(path: string, newestFirst: readonly string[]): boolean {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, `${[...newestFirst].reverse().join('\n')}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
