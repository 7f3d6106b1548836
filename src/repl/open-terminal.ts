import { completionSources } from './completion-sources.ts';
import { complete } from './edit/complete.ts';
import { appendHistory, readHistory } from './history-file.ts';
import { LineTerminal } from './line-terminal.ts';
import { LiveTerminal } from './live-terminal.ts';
import type { Opened } from './repl.ts';
import { isPlain, lookOf } from './screen.ts';
import type { Terminal } from './terminal.ts';
import { RawMode } from './tty/modes.ts';

/** What the terminal of the REPL depends on. */
export interface TerminalOptions {
  readonly historyFile: string;
  readonly json: boolean;
  /** `--plain`. */
  readonly plain: boolean;
  /** The program once it is loaded: some completions come from it. */
  readonly opened: () => Opened | undefined;
}

/**
 * The terminal of this process: live when people sit in front of one that can be drawn on; line by line for pipes, dumb
 * terminals and screen readers.
 */
export function openTerminal({ historyFile, json, plain, opened }: TerminalOptions): Terminal {
  const { stdin: input, stdout: output, stderr: error, env } = process;
  const isForReaders = plain || isPlain(env);
  const look = lookOf(output, env, isForReaders);
  if (!look.live || input.isTTY !== true || json) {
    return new LineTerminal({ input, output, error, look, plain: isForReaders && !json, json });
  }
  const sources = completionSources(opened);
  return new LiveTerminal({
    ...{ input, output, ink: look.ink },
    raw: new RawMode({ input, output }),
    note: error.isTTY ? undefined : (text) => void error.write(`${text}\n`),
    history: readHistory(historyFile),
    remember: (entry) => appendHistory(historyFile, entry),
    complete: (text, cursor) => complete(text, cursor, sources),
    editOutside: async (text) => (await import('./prompt/external-editor.ts')).editOutside(text, env),
  });
}
