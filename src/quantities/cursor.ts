import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pattern } from '../base/pattern.ts';
import { figuresFor } from '../words/numbers.ts';

/** A figure, a word or a mark of an expression. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PIECE = pattern(
  'gu',
  String.raw`\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?!\d)|\d{1,3}(?: \d{3})+(?![\d.,])`,
  String.raw`|\d+(?:'\d{3}(?!\d))*(?:[.,]\d+)*|\.\d+|\*\*|[\p{L}\p{M}]+[23²³]?(?![\p{L}\d])|[\p{L}\p{M}]+`,
  String.raw`|[^\s]`,
);
/** Words of a sign or a unit. */
export const MOST_WORDS = 5;

interface Signs {
  readonly signs: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, number>;
  /** First words of what an amount may begin with besides a figure. */
  readonly openings: ReadonlySet<string>;
}

let known: Signs | undefined;

function signsOf(): Signs {
  const text = readFileSync(join(import.meta.dirname, 'signs.jsonl'), 'utf8');
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
  const opening = rows.filter(
    ({ sign, part }) => part !== undefined || ['one', 'sqrt', 'square', '('].includes(sign ?? ''),
  );
  return {
    openings: new Set(opening.flatMap(({ words }) => words.map((each) => each.split(' ')[0] ?? ''))),
    signs: new Map(rows.flatMap(({ sign, words }) => (sign === undefined ? [] : words.map((each) => [each, sign])))),
    parts: new Map(rows.flatMap(({ part, words }) => (part === undefined ? [] : words.map((each) => [each, part])))),
  };
}

interface Row {
  readonly sign?: string;
  readonly part?: number;
  readonly words: readonly string[];
}

/** Whether a text may be an amount by its first word: a quick no to all others. */
export function beginsAmount(text: string): boolean {
  known ??= signsOf();
  const [first = ''] = text.split(/(?<=\p{L})[^\p{L}]|(?<=[^\p{L}])(?=\p{L})/u, 1);
  return /^[\d.(√$€£¥₹−-]/u.test(text) || known.openings.has(first.toLowerCase()) || /^\d/u.test(figuresFor(first));
}

/** An expression that is read from left to right. */
export class Cursor {
  readonly tokens: readonly Token[];
  /** The token that comes next. */
  at = 0;
  readonly #text: string;
  readonly #signs: Signs;

  constructor(text: string) {
    known ??= signsOf();
    this.#signs = known;
    this.#text = text;
    this.tokens = [...text.matchAll(PIECE)].map(({ 0: piece, index }) => ({
      text: piece,
      start: index,
      end: index + piece.length,
    }));
  }

  /** The text of these tokens, as it was written; empty beyond the end. */
  slice(from: number, to: number): string {
    const [first, last] = [this.tokens[from], this.tokens[to - 1]];
    return first && last ? this.#text.slice(first.start, last.end) : '';
  }

  /** "Half", "two thirds of". */
  part(): number | undefined {
    const { text = '' } = this.tokens[this.at] ?? {};
    const count = /^[2-9]$/u.test(text) ? 1 : 0;
    for (let far = 3; far > 0; far -= 1) {
      const words = this.slice(this.at + count, this.at + count + far).toLowerCase();
      const part = this.#signs.parts.get(words);
      if (part === undefined || (count === 1 && part >= 0.5)) continue;
      this.at += count + far;
      return count === 1 ? part * Number(text) : part;
    }
    return undefined;
  }

  /** The sign that comes next, and how many tokens it has. */
  sign(): readonly [sign: string, length: number] | undefined {
    return this.signAt(this.at);
  }

  signAt(at: number): readonly [sign: string, length: number] | undefined {
    for (let far = MOST_WORDS; far > 0; far -= 1) {
      const sign = this.#signs.signs.get(this.slice(at, at + far).toLowerCase());
      if (sign !== undefined) return [sign, far];
    }
    return undefined;
  }
}
