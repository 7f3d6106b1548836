import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../base/folders.ts';
import type { HistoryEntry } from './edit/history.ts';
import type { Completions } from './prompt/state.ts';
import type { Opened } from './repl.ts';
import { isPlain, lookOf } from './screen.ts';
import type { Terminal } from './terminal.ts';
import { RawMode } from './tty/modes.ts';

/** Dependencies of the REPL's terminal. */
export interface TerminalOptions {
  /** Absent: lines are recalled within this session alone. */
  readonly historyFile?: string | undefined;
  readonly json: boolean;
  /** `--plain`. */
  readonly plain: boolean;
  complete(text: string, cursor: number): Promise<Completions | undefined>;
}

/**
 * The terminal of this process: live when people sit in front of one that can be drawn on; line by line for pipes, dumb
 * terminals and screen readers.
 */
export async function openTerminal({ historyFile, json, plain, complete }: TerminalOptions): Promise<Terminal> {
  const { stdin: input, stdout: output, stderr: error, env } = process;
  const isForReaders = plain || isPlain(env);
  const look = lookOf(output, env, isForReaders);
  if (!look.live || input.isTTY !== true || json) {
    const { LineTerminal } = await import('./line-terminal.ts');
    return new LineTerminal({ input, output, error, look, plain: isForReaders && !json, json });
  }
  const { LiveTerminal } = await import('./live-terminal.ts');
  return new LiveTerminal({
    ...{ input, output, ink: look.ink },
    raw: new RawMode({ input, output }),
    note: error.isTTY ? undefined : (text) => void error.write(`${text}\n`),
    history: historyFile === undefined ? [] : readHistory(historyFile),
    remember: (entry) => historyFile !== undefined && appendHistory(historyFile, entry),
    complete,
    editOutside: async (text) => (await import('./prompt/external-editor.ts')).editOutside(text, env),
  });
}

/**
 * Completions of the program of this process. Loaded with the first key that needs it: the prompt must not wait for it.
 *
 * @param opened the program once it is loaded: some come from it.
 */
export async function completed(
  text: string,
  cursor: number,
  opened: () => Opened | undefined,
): Promise<Completions | undefined> {
  const { completionSources } = await import('./completion-sources.ts');
  const { complete } = await import('./edit/complete.ts');
  return complete(text, cursor, completionSources(opened));
}

/** The file is shortened to this many entries when it has become twice as long. */
const MAX_ENTRIES = 1000;
/** Longer texts are not worth recalling, and would make every start slower. */
const MAX_TEXT_CHARS = 10_000;

/**
 * The lines sent in earlier sessions, oldest first; none when the file is missing or unreadable. The folder is created
 * now and never later: if it disappears while the program runs, the home was moved, and must not reappear here.
 */
function readHistory(path: string): HistoryEntry[] {
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
function appendHistory(path: string, entry: HistoryEntry): void {
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
