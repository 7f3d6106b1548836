import { parseJson } from './json.ts';

/** Deeper nesting is not a slip of the model. */
const MAX_DEPTH = 64;

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '`': '`' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...(['true', 'True', 'TRUE'] as const).map((word) => [word, true] as const),
  ...(['false', 'False', 'FALSE'] as const).map((word) => [word, false] as const),
  ...(['null', 'None', 'NULL', 'undefined'] as const).map((word) => [word, null] as const),
]);
const SKIPPED = /(?:\s|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/uy;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iuy;
const WORD = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy;

class Unreadable extends Error {}

/**
 * The value of a text that is meant as JSON. The slips of small models are repaired where only one reading is possible:
 * raw line breaks and unescaped quotes in strings, other quotes, unquoted keys, trailing commas, comments, `True`,
 * `None`. Truncated text stays unreadable: nothing left open is closed.
 *
 * @returns undefined when it cannot be read.
 */
export function looseJson(text: string): unknown {
  const strict = parseJson(text);
  if (strict !== undefined) return strict;
  const read = readLoose(text, 0);
  return read && text.slice(read.end).trim() === '' ? read.value : undefined;
}

/** Read the one value that begins at `start`; `end` is the place after it. */
export function readLoose(text: string, start: number): { readonly value: unknown; readonly end: number } | undefined {
  const reader = new Reader(text, start);
  try {
    return { value: reader.value(0), end: reader.at };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Unreadable();
    this.#skip();
    const first = this.#peek();
    if (first === '{') return this.#record(depth);
    if (first === '[') return this.#list(depth);
    if (first in QUOTES) return this.#string();
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    const word = this.#match(WORD) ?? '';
    if (!WORDS.has(word)) throw new Unreadable();
    return WORDS.get(word);
  }

  #record(depth: number): Record<string, unknown> {
    const fields: [string, unknown][] = [];
    this.#expect('{');
    while (!this.#closes('}')) {
      const key = this.#peek() in QUOTES ? this.#string() : this.#match(WORD);
      if (key === undefined) throw new Unreadable();
      this.#skip();
      this.#expect(':');
      fields.push([key, this.value(depth + 1)]);
      this.#separator('}');
    }
    return Object.fromEntries(fields);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#expect('[');
    while (!this.#closes(']')) {
      items.push(this.value(depth + 1));
      this.#separator(']');
    }
    return items;
  }

  /** A comma; an extra one before the end is accepted. */
  #separator(close: string): void {
    this.#skip();
    if (this.#peek() === ',') this.at += 1;
    else if (this.#peek() !== close) throw new Unreadable();
  }

  #closes(close: string): boolean {
    this.#skip();
    if (this.#peek() !== close) return false;
    this.at += 1;
    return true;
  }

  #string(): string {
    const close = QUOTES[this.#peek()] ?? '"';
    this.at += 1;
    let text = '';
    for (;;) {
      const character = this.#peek();
      if (character === '') throw new Unreadable();
      this.at += 1;
      if (character === '\\') text += this.#escape();
      else if (character === close && this.#ends()) return text;
      else text += character;
    }
  }

  /** A quote that is not followed by anything that may follow a string is an unescaped quote inside it. */
  #ends(): boolean {
    const before = this.at;
    this.#skip();
    const next = this.#peek();
    this.at = before;
    return next === '' || ',:}])'.includes(next);
  }

  #escape(): string {
    const character = this.#peek();
    this.at += 1;
    if (character === 'u') {
      const code = this.#text.slice(this.at, this.at + 4);
      if (/^[\da-f]{4}$/iu.test(code)) {
        this.at += 4;
        return String.fromCharCode(Number.parseInt(code, 16));
      }
    }
    // `\d` and the like: the backslash was meant as one.
    return ESCAPES[character] ?? (/[\w]/u.test(character) ? `\\${character}` : character);
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw new Unreadable();
    this.at += 1;
  }

  #peek(): string {
    return this.#text[this.at] ?? '';
  }

  #skip(): void {
    SKIPPED.lastIndex = this.at;
    this.at += SKIPPED.exec(this.#text)?.[0].length ?? 0;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found === '' ? undefined : found;
  }
}
