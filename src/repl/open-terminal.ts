import { appendHistory, readHistory } from './history-file.ts';
import type { Completions } from './prompt/state.ts';
import type { Opened } from './repl.ts';
import { isPlain, lookOf } from './screen.ts';
import type { Terminal } from './terminal.ts';
import { RawMode } from './tty/modes.ts';

/** Dependencies of the REPL's terminal. */
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
export async function openTerminal({ historyFile, json, plain, opened }: TerminalOptions): Promise<Terminal> {
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
    history: readHistory(historyFile),
    remember: (entry) => appendHistory(historyFile, entry),
    complete: (text, cursor) => completed(text, cursor, opened),
    editOutside: async (text) => (await import('./prompt/external-editor.ts')).editOutside(text, env),
  });
}

/** Loaded with the first key that needs it: the prompt must not wait for it. */
async function completed(
  text: string,
  cursor: number,
  opened: TerminalOptions['opened'],
): Promise<Completions | undefined> {
  const { completionSources } = await import('./completion-sources.ts');
  const { complete } = await import('./edit/complete.ts');
  return complete(text, cursor, completionSources(opened));
}
