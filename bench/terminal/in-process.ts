import { LiveTerminal } from '../../src/repl/live-terminal.ts';
import { AnswerDraft } from '../../src/repl/markdown/answer-draft.ts';
import { TurnView } from '../../src/repl/turn-view.ts';

const INK = { styles: true, unicode: true };
/** What a terminal hands over in one read. */
const READ_CHARS = 65_536;
const MARKDOWN_CHARS = 12_800;
const TOKEN_CHARS = 5;
/** 100 tokens a second. */
const TOKEN_MS = 10;

/** The prompt with a terminal that only takes what is written. */
export interface Sink {
  readonly terminal: LiveTerminal;
  type(text: string): void;
  bytes(): string;
}

export function openSink(columns = 80, rows = 24): Sink {
  let type: (text: string) => void = () => {};
  let bytes = '';
  const terminal = new LiveTerminal({
    input: {
      setEncoding: () => {},
      on: (event: string, listener: (chunk: string) => void) => {
        if (event === 'data') type = listener;
      },
    },
    output: { write: (text) => (bytes += text), columns, rows, on: () => {} },
    raw: { enter: () => {}, leave: () => {}, suspend: () => {} },
    ...{ ink: INK, note: undefined, history: [], remember: () => {} },
    complete: async () => undefined,
    editOutside: async () => undefined,
  });
  type('');
  return { terminal, type: (text) => type(text), bytes: () => bytes };
}

/** Milliseconds of CPU: other programs disturb them least. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU of a paste, in the pieces that a terminal hands over. @throws Error when it is sent, or is not one placeholder. */
export function pasteMs(): number {
  const sink = openSink();
  let sent = false;
  void sink.terminal.next().then(() => {
    sent = true;
  });
  const letter = 'a line of a long letter, which somebody pastes\r'.repeat(30_000).slice(0, 1_000_000);
  const whole = `\u001b[200~${letter}\u001b[201~`;
  const ms = cpuMs(() => {
    for (let at = 0; at < whole.length; at += READ_CHARS) sink.type(whole.slice(at, at + READ_CHARS));
  });
  if (sent || !sink.bytes().includes('[pasted #1')) throw new Error('The paste was sent, or came in pieces.');
  return ms;
}

/** Headings, paragraphs, lists, tables, code and quotes, in turn. */
export function markdown(): string {
  let text = '';
  for (let n = 0; text.length < MARKDOWN_CHARS; n++) {
    const paragraph = `Paragraph ${n} with **bold** words, \`code\` and a [link](https://example.org/${n}) that goes on.`;
    const blocks = [
      `## Heading ${n}`,
      paragraph,
      `- item one of ${n}\n- item two\n  - nested`,
      `| a | b |\n|---|--:|\n| one | ${n} |\n| two | 2 |`,
      '```js\nconst x = 1;\nfunction f() { return x; }\n```',
      `> quoted: ${paragraph}`,
    ];
    text += `${blocks[n % blocks.length]}\n\n`;
  }
  return text.slice(0, MARKDOWN_CHARS);
}

/** The bytes of a key at the end of a line, and its CPU time. */
export function keyAtTheEnd(): { ms: number; bytes: number } {
  const sink = openSink();
  void sink.terminal.next();
  const before = sink.bytes().length;
  const text = 'a sentence that somebody types '.repeat(16);
  const ms = cpuMs(() => {
    for (const letter of text) sink.type(letter);
  });
  return { ms: ms / text.length, bytes: (sink.bytes().length - before) / text.length };
}

/** Laid out anew at each token, which is more often than on the screen. */
export function streamMs(text: string): number {
  const draft = new AnswerDraft('Wooster: ', INK, () => {});
  return cpuMs(() => {
    for (let at = 0; at < text.length; at += TOKEN_CHARS) {
      draft.add(text.slice(at, at + TOKEN_CHARS));
      draft.render(40);
    }
    draft.finish(40);
  });
}

/** What is written while 100 tokens come within a second and 30 keys are pressed. */
export async function tokensAndKeys(): Promise<{ bytes: number; erases: number }> {
  const sink = openSink(40, 15);
  const view = new TurnView(sink.terminal, { prefix: 'Wooster: ', codeLog: false }, (prefix, changed) => {
    return new AnswerDraft(prefix, INK, changed);
  });
  const before = sink.bytes().length;
  for (let token = 0; token < 100; token++) {
    view.show({ type: 'token', text: 'word, ' });
    if (token % 3 === 0 && token < 90) sink.type('k');
    await new Promise((resolve) => setTimeout(resolve, TOKEN_MS));
  }
  const written = sink.bytes().slice(before);
  return { bytes: written.length, erases: written.match(/\u001b\[[JK]/gu)?.length ?? 0 };
}
