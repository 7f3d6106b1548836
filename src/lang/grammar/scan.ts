import type { Comment } from './ast.ts';
import type { LineMap } from './location.ts';

export type TokenKind = 'word' | 'number' | 'text' | 'mark';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Only whitespace and comments come before it on its line. */
  readonly firstOnLine: boolean;
}

/** A problem of a source that is found before it is parsed. */
export interface ScanProblem {
  readonly kind: 'open_string' | 'open_comment' | 'too_deep' | 'open_bracket';
  readonly start: number;
  readonly end: number;
}

export interface Scan {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  readonly problem: ScanProblem | undefined;
}

/** Nesting depth of brackets; deeper programs are refused, since the parser is recursive. */
const MOST_NESTED = 200;

const WORD = /[A-Za-z_][A-Za-z0-9_]*/uy;
const NUMBER = /[0-9]+(?:\.[0-9]+)?/uy;
const BLANKS = /[ \t\r\u00a0\ufeff]+/uy;
const MARK = /\|>|\|\||&&|==|!=|>=|<=|=>|\.\.|[\s\S]/y;
/** Ends after the closing quote, or at the end of the source. */
const STRING = { '"': /"[^"\\]*(?:\\[\s\S][^"\\]*)*("|$)/y, "'": /'[^'\\]*(?:\\[\s\S][^'\\]*)*('|$)/y } as const;
/** From a backtick, or from the brace that ends a part, to the next part or the end. */
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|\\?$)/y;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '`': '}' };

/**
 * Split a source into tokens, in one pass that never fails and never backtracks: what cannot be read becomes a
 * mark. It treats strings and comments as the grammar does, and gives the parser what it needs for error recovery.
 */
export function scan(source: string, lines: LineMap): Scan {
  return new Scanner(source, lines).run();
}

class Scanner {
  readonly #source: string;
  readonly #lines: LineMap;
  readonly #tokens: Token[] = [];
  readonly #comments: Comment[] = [];
  /** Open brackets; a backtick stands for a part of a template. */
  readonly #open: { readonly mark: string; readonly at: number }[] = [];
  #problem: ScanProblem | undefined;
  #at = 0;
  #firstOnLine = true;

  constructor(source: string, lines: LineMap) {
    this.#source = source;
    this.#lines = lines;
  }

  run(): Scan {
    while (this.#at < this.#source.length && !this.#problem) this.#step();
    const last = this.#open.at(-1);
    if (last) this.#problem ??= { kind: 'open_bracket', start: last.at, end: last.at + 1 };
    return { tokens: this.#tokens, comments: this.#comments, problem: this.#problem };
  }

  #step(): void {
    const character = this.#source[this.#at] ?? '';
    if (character === '\n') {
      this.#at += 1;
      this.#firstOnLine = true;
    } else if (this.#taken(BLANKS) !== undefined) return;
    else if (character === '/' && '/*'.includes(this.#source[this.#at + 1] ?? ' ')) this.#comment();
    else this.#token(character);
  }

  #token(character: string): void {
    const start = this.#at;
    const kind = this.#kind(character);
    this.#tokens.push({ kind, start, end: this.#at, firstOnLine: this.#firstOnLine });
    this.#firstOnLine = false;
  }

  #kind(character: string): TokenKind {
    if (character === '"' || character === "'") return this.#text(STRING[character]);
    if (character === '`' || (character === '}' && this.#open.at(-1)?.mark === '`')) return this.#template(character);
    if (this.#taken(WORD) !== undefined) return 'word';
    if (this.#taken(NUMBER) !== undefined) return 'number';
    this.#taken(MARK);
    this.#bracket(character, this.#at - 1);
    return 'mark';
  }

  #text(pattern: RegExp): TokenKind {
    const start = this.#at;
    if (this.#taken(pattern) === undefined || !this.#ending) this.#openText(start);
    return 'text';
  }

  #template(character: string): TokenKind {
    const start = this.#at;
    if (character === '}') this.#open.pop();
    this.#taken(TEMPLATE);
    if (this.#ending === '${') this.#push('`', this.#at - 1);
    else if (this.#ending !== '`') this.#openText(start);
    return 'text';
  }

  #openText(start: number): void {
    this.#at = this.#source.length;
    this.#problem ??= { kind: 'open_string', start, end: start + 1 };
  }

  #bracket(character: string, at: number): void {
    if (character in CLOSING) this.#push(character, at);
    else if (')]}'.includes(character) && CLOSING[this.#open.at(-1)?.mark ?? ''] === character) this.#open.pop();
  }

  #push(mark: string, at: number): void {
    this.#open.push({ mark, at });
    if (this.#open.length > MOST_NESTED) this.#problem ??= { kind: 'too_deep', start: at, end: at + 1 };
  }

  #comment(): void {
    const start = this.#at;
    const line = this.#source[start + 1] === '/';
    const found = this.#source.indexOf(line ? '\n' : '*/', start + 2);
    const end = found < 0 ? this.#source.length : line ? found : found + 2;
    if (found < 0 && !line) this.#problem ??= { kind: 'open_comment', start, end: start + 2 };
    const text = this.#source.slice(start, end).trimEnd();
    this.#comments.push({ type: 'Comment', text, location: this.#lines.locate(start, start + text.length) });
    if (text.includes('\n')) this.#firstOnLine = true;
    this.#at = end;
  }

  /** What the last pattern's group matched: how a text ended. */
  #ending: string | undefined;

  /** Consume what the pattern matches here. @returns undefined, and consumes nothing, when it does not match. */
  #taken(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (!found) return undefined;
    this.#ending = found[1];
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
