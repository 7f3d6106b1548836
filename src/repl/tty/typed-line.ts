import { KeyDecoder } from './keys.ts';
import { cellsOf, graphemes } from './width.ts';

export interface TypedLineDeps {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Enter was pressed. */
  line(text: string): void;
  /** Ctrl-D on an empty line. */
  end(): void;
}

/** An Esc after which nothing comes for so long was the key. */
const ESCAPE_MS = 50;

/**
 * Line editing as the terminal itself does it: only the end of the line can be changed, and nothing but the characters
 * and backspaces is written. A terminal keeps to itself what is half typed; this does not.
 */
export class TypedLine {
  readonly #deps: TypedLineDeps;
  readonly #keys = new KeyDecoder(false);
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #read = (chunk: string) => this.#feed(chunk);

  constructor(deps: TypedLineDeps) {
    this.#deps = deps;
    deps.input.setEncoding('utf8').setRawMode(true).on('data', this.#read).resume();
  }

  /** What is typed and not sent. */
  get text(): string {
    return this.#text;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#deps.input.off('data', this.#read).setRawMode(false).pause();
  }

  #feed(chunk: string): void {
    clearTimeout(this.#timer);
    for (const key of this.#keys.feed(chunk)) {
      if (key.kind === 'key') this.#press(key.name);
      else if (key.kind !== 'cursor') this.#type(key.text);
    }
    if (this.#keys.waiting) this.#timer = setTimeout(() => this.#keys.flush(), ESCAPE_MS);
  }

  /** A paste may hold several lines. */
  #type(text: string): void {
    const [first = '', ...more] = text.split('\n');
    this.#add(first);
    for (const line of more) {
      this.#send();
      this.#add(line);
    }
  }

  #add(text: string): void {
    this.#text += text;
    this.#deps.output.write(text);
  }

  #press(name: string): void {
    if (name === 'enter' || name === 'C-j') this.#send();
    else if (name === 'C-z') this.#suspend();
    else if (name === 'C-d' && this.#text === '') this.#deps.end();
    else this.#erase(this.#endFor(name));
    if (name === 'C-c') process.kill(process.pid, 'SIGINT');
  }

  /** What a key takes away. */
  #endFor(name: string): string {
    if (name === 'backspace' || name === 'C-h') return graphemes(this.#text).at(-1) ?? '';
    if (name === 'C-w') return /\S*\s*$/u.exec(this.#text)?.[0] ?? '';
    return name === 'C-u' || name === 'C-c' ? this.#text : '';
  }

  #send(): void {
    const line = this.#text;
    this.#text = '';
    this.#deps.output.write('\n');
    this.#deps.line(line);
  }

  #erase(end: string): void {
    this.#text = this.#text.slice(0, this.#text.length - end.length);
    this.#deps.output.write('\b \b'.repeat(cellsOf(end)));
  }

  /** Back to the shell until the person returns. */
  #suspend(): void {
    const { input, output } = this.#deps;
    input.setRawMode(false);
    process.once('SIGCONT', () => {
      input.setRawMode(true);
      output.write(this.#text);
    });
    process.kill(process.pid, 'SIGTSTP');
  }
}
