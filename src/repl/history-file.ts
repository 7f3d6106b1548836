import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../base/folders.ts';
import type { HistoryEntry } from './edit/history.ts';

/** The file is shortened to this many entries when it has become twice as long. */
const MAX_ENTRIES = 1000;
/** Longer texts are not worth recalling, and would make every start slower. */
const MAX_TEXT_CHARS = 10_000;

/**
 * The lines sent in earlier sessions, oldest first; none when the file is missing or unreadable. The folder is created
 * now and never later: if it disappears while the program runs, the home was moved, and must not reappear here.
 */
export function readHistory(path: string): HistoryEntry[] {
  quietly(() => makeFolder(dirname(path)));
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
  const recent = lines.slice(-MAX_ENTRIES);
  if (lines.length > 2 * MAX_ENTRIES) quietly(() => writeFileSync(path, `${recent.join('\n')}\n`, { mode: 0o600 }));
  return recent.map(entryOf);
}

/** Keep a line for later sessions, for its owner's eyes only. A failure loses the history, never the session. */
export function appendHistory(path: string, entry: HistoryEntry): void {
  if (entry.text.length > MAX_TEXT_CHARS) return;
  quietly(() => appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }));
}

/** Earlier versions wrote the bare text. */
function entryOf(line: string): HistoryEntry {
  if (!line.startsWith('{"')) return { text: line };
  try {
    // Not through base/json.ts: what it imports would make every start slower.
    const { text, project } = JSON.parse(line) as { text?: unknown; project?: unknown };
    if (typeof text !== 'string') return { text: line };
    return { text, project: typeof project === 'string' ? project : undefined };
  } catch {
    return { text: line };
  }
}

function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // A full disk or a read-only home: the session goes on.
  }
}
