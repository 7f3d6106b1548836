import { createInterface, type Interface } from 'node:readline';

/** A line, Ctrl-C in place of one, or the end of the input. */
export type Typed = { readonly line: string } | 'interrupted' | 'ended';

/** The lines that a person types or that arrive through a pipe. */
export interface TypedLines {
  next(prompt: string): Promise<Typed>;
  /** Call `stop` on Ctrl-C until the work has ended. */
  during<T>(work: Promise<T>, stop: () => void): Promise<T>;
  /** Let a question use the terminal. */
  aside<T>(question: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Lines of the terminal, each with its own reader, so that questions can come in between. */
export class TerminalLines implements TypedLines {
  #history: string[] = [];
  /** Lines that were pasted, or typed while something ran, and the beginning of the next one. */
  #ahead: string[] = [];
  #begun = '';
  #catcher: Interface | undefined;
  #stop: (() => void) | undefined;

  async next(prompt: string): Promise<Typed> {
    const line = this.#ahead.shift();
    if (line !== undefined) return { line };
    const reader = createInterface({ input: process.stdin, output: process.stdout, history: [...this.#history] });
    const { promise, resolve } = Promise.withResolvers<Typed>();
    reader.on('history', (history) => (this.#history = history));
    reader.once('SIGINT', () => resolve('interrupted')).once('close', () => resolve('ended'));
    reader.on('line', (pasted) => this.#ahead.push(pasted));
    reader.question(prompt, (typed) => resolve({ line: typed }));
    reader.write(this.#begun);
    const typed = await promise;
    this.#leave(reader);
    if (typed === 'interrupted') this.#forget();
    return typed;
  }

  async during<T>(work: Promise<T>, stop: () => void): Promise<T> {
    this.#stop = stop;
    this.#catch();
    try {
      return await work;
    } finally {
      this.#stop = undefined;
      this.close();
    }
  }

  async aside<T>(question: () => Promise<T>): Promise<T> {
    this.close();
    try {
      return await question();
    } finally {
      if (this.#stop) this.#catch();
    }
  }

  close(): void {
    if (this.#catcher) this.#leave(this.#catcher);
    this.#catcher = undefined;
  }

  #catch(): void {
    const catcher = createInterface({ input: process.stdin, output: process.stdout });
    catcher.setPrompt('');
    catcher.on('line', (line) => this.#ahead.push(line));
    catcher.on('SIGINT', () => {
      catcher.write(null, { ctrl: true, name: 'u' });
      this.#forget();
      this.#stop?.();
    });
    catcher.write(this.#begun);
    this.#catcher = catcher;
  }

  #leave(reader: Interface): void {
    this.#begun = reader.line;
    reader.close();
  }

  #forget(): void {
    this.#ahead = [];
    this.#begun = '';
  }
}

/** Lines from a pipe. */
export class PipedLines implements TypedLines {
  readonly #reader = createInterface({ input: process.stdin });
  readonly #lines = this.#reader[Symbol.asyncIterator]();

  async next(): Promise<Typed> {
    const { value, done } = await this.#lines.next();
    return done ? 'ended' : { line: value };
  }

  during<T>(work: Promise<T>): Promise<T> {
    return work;
  }

  aside<T>(question: () => Promise<T>): Promise<T> {
    return question();
  }

  close(): void {
    this.#reader.close();
  }
}

/** Lines that the prompt of Wooster asks for. */
export class AskedLines implements TypedLines {
  readonly #ask: (question: string) => Promise<string | undefined>;

  constructor(ask: (question: string) => Promise<string | undefined>) {
    this.#ask = ask;
  }

  async next(prompt: string): Promise<Typed> {
    const line = await this.#ask(prompt);
    return line === undefined ? 'ended' : { line };
  }

  during<T>(work: Promise<T>): Promise<T> {
    return work;
  }

  aside<T>(question: () => Promise<T>): Promise<T> {
    return question();
  }

  close(): void {}
}
