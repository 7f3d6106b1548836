/** A prompt over a transcript of 10,000 lines: `node child.ts live|readline [stream]`. The other side types. */
import { createInterface } from 'node:readline';
import { LiveTerminal } from '../../src/repl/live-terminal.ts';
import { AnswerDraft } from '../../src/repl/markdown/answer-draft.ts';
import { RawMode } from '../../src/repl/tty/modes.ts';
import { TurnView } from '../../src/repl/turn-view.ts';

const TOKEN_MS = 10;
const [kind, stream] = process.argv.slice(2);
const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line} of what was said before`).join('\n');
const { stdin: input, stdout: output } = process;
const show = kind === 'live' ? live() : bare();

let token = 0;
if (stream) setInterval(() => show(token++ % 60 === 59 ? 'end.\n\n' : 'word '), TOKEN_MS);

function live(): (text: string) => void {
  const ink = { styles: true, unicode: true };
  const terminal = new LiveTerminal({
    ...{ input, output, ink, note: undefined, history: [], remember: () => {} },
    raw: new RawMode({ input, output }),
    complete: async () => undefined,
    editOutside: async () => undefined,
  });
  const view = new TurnView(terminal, { prefix: '', codeLog: false }, (prefix, changed) => {
    return new AnswerDraft(prefix, ink, changed);
  });
  terminal.line(`${lines}\nREADY`);
  if (!stream) void terminal.next();
  return (text) => view.show({ type: 'token', text });
}

function bare(): (text: string) => void {
  const reader = createInterface({ input, output, terminal: true, prompt: '> ' });
  output.write(`${lines}\nREADY\n`);
  reader.prompt();
  return (text) => void output.write(text);
}
