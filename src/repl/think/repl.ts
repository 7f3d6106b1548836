import { TypedProgram } from '../../lang/programs/typed-program.ts';
import { runProgram } from '../../lang/runtime/run-program.ts';
import type { CommandCall } from '../command.ts';
import { callableBy, worldFor } from './programs.ts';
import { AskedLines, PipedLines, TerminalLines, type TypedLines } from './typed-lines.ts';

const HELP = [
  'Type statements and expressions; what an expression gives is shown. Names, types and values stay.',
  'An input goes on while a bracket or a text is open, or after a backslash; an empty line ends it.',
  '.names  what is declared      .clear  forget everything',
  '.help   this                  .exit   leave, as Ctrl-D',
  'Ctrl-C drops what is typed, or stops what is running.',
].join('\n');

/**
 * Try the language line by line. Rows: `{type: "print", text}`, and `{type: "error", text}` for an input that is wrong
 * or fails; exit code 0, of piped lines 1 when the last one failed.
 */
export async function repl(call: CommandCall): Promise<number> {
  const lines = linesOf(call);
  const session = new ReplSession(call, lines, await callableBy(call));
  try {
    return await session.run();
  } finally {
    lines.close();
  }
}

function linesOf({ place, out }: CommandCall): TypedLines {
  if (place !== 'argv') return new AskedLines((question) => out.ask(question));
  return process.stdin.isTTY && process.stdout.isTTY ? new TerminalLines() : new PipedLines();
}

class ReplSession {
  readonly #call: CommandCall;
  readonly #lines: TypedLines;
  readonly #program: TypedProgram;
  #stopping = new AbortController();
  #code = 0;

  constructor(call: CommandCall, lines: TypedLines, tools: readonly string[]) {
    this.#call = call;
    this.#lines = lines;
    this.#program = new TypedProgram({
      tools,
      folder: process.cwd(),
      run: async (ready, values) => {
        const signal = AbortSignal.any([call.signal, this.#stopping.signal]);
        const approve: CommandCall['approve'] = (request) => lines.aside(() => call.approve(request));
        const world = worldFor({ ...call, signal, approve }, ready, (text) => this.#print(text));
        const result = await runProgram(ready.compiled, {
          sandbox: call.app.tools.sandbox,
          world,
          signal,
          args: values,
        });
        await world.close(signal.aborted ? 'aborted' : result.failed ? 'failed' : 'answered');
        return result;
      },
    });
  }

  async run(): Promise<number> {
    const { out, signal } = this.#call;
    out.line('ThinkLang. .help says what there is; .exit or Ctrl-D leaves.');
    for (let typed = ''; !signal.aborted; ) {
      const next = await this.#lines.next(typed === '' ? 'tl> ' : '... ');
      if (next === 'ended') {
        if (typed.trim() !== '') await this.#enter(typed);
        return this.#code;
      }
      if (next === 'interrupted') {
        if (typed === '') out.line('.exit or Ctrl-D leaves.');
        typed = '';
        continue;
      }
      if (typed === '' && /^\.\w*$/u.test(next.line.trim())) {
        if (this.#command(next.line.trim())) return this.#code;
        continue;
      }
      typed = typed === '' ? next.line : `${typed}\n${next.line}`;
      if (next.line.trim() !== '' && TypedProgram.goesOn(typed)) continue;
      if (typed.trim() !== '') await this.#enter(typed);
      typed = '';
    }
    return 130;
  }

  async #enter(typed: string): Promise<void> {
    this.#stopping = new AbortController();
    const work = this.#program.enter(typed);
    const outcome = await this.#lines.during(work, () => this.#stopping.abort(new Error('interrupted')));
    this.#code = outcome.state === 'done' ? 0 : 1;
    if (outcome.state === 'wrong') for (const text of outcome.errors) this.#error(text);
    if (outcome.state === 'failed') this.#error(outcome.text);
  }

  /** @returns whether it ends the session. */
  #command(name: string): boolean {
    const { out } = this.#call;
    if (name === '.exit') return true;
    if (name === '.clear') this.#program.forget();
    if (name === '.clear') out.line('Everything is forgotten.');
    else if (name === '.names') out.line(this.#program.names.join(', ') || 'Nothing is declared.');
    else if (name === '.help') out.line(HELP);
    else out.line(`There is no ${name}; .help says what there is.`);
    return false;
  }

  #print(text: string): void {
    this.#call.out.row({ type: 'print', text });
    this.#call.out.line(text);
  }

  #error(text: string): void {
    this.#call.out.row({ type: 'error', text });
    this.#call.out.line(text);
  }
}
