import { PhraseWords, plainLetters } from './phrase-words.ts';

/** The parts of a request that a phrase leaves open, by name. */
export type Slots = Readonly<Partial<Record<string, string>>>;

/** Ways of saying one thing, per language. All of them are tried: people mix languages. */
export interface PhraseTable {
  readonly en: readonly string[];
  readonly de: readonly string[];
}

/** Longer requests are texts, not phrases; only a table that says so reads them. */
const LONGEST_CHARS = 300;

/** Number words are put into digits before a phrase is tried, see `numbers.ts`. */
const KINDS: Readonly<Record<string, string>> = {
  text: '.+?',
  word: String.raw`[^\s,]+?`,
  number: String.raw`-?\d[\d.,'’]*|-?[.,]\d+`,
};

/**
 * Phrases as people read them, ready to be tried on a request:
 *
 * - `add {items} to [my|the] {list} list`: a word in brackets may be missing, `|` separates choices, `(a|b)` needs one;
 * - `{name}` takes any words, `{name:word}` one, `{name:number}` a number, `{name:maybe}` any
 *   words or none, and what else stands behind the colon is a regular expression;
 * - a group inside a word is a part of it: `zeig[e]`, `{list}liste`, `wie[ ]viel`;
 * - a phrase may go over several lines, case does not count, a comma or colon behind a word may be there, and `ue`
 *   stands for `ü`.
 *
 * @param long the request may be of any length: for phrases with a single slot, at their end.
 * @returns the slots of the first phrase that is the whole request.
 */
export function phrases(table: PhraseTable, { long = false } = {}): (request: string) => Slots | undefined {
  let forms: readonly Form[] | undefined;
  return (request) => {
    if (!long && request.length > LONGEST_CHARS) return undefined;
    forms ??= [...table.en, ...table.de].map((template) => new Form(template));
    const written = ` ${request.trimStart()}`;
    // "What's" is "what is", unless a phrase has it.
    const spelt = long ? written : written.replace(SHORT_IS, '$1 is');
    for (const text of spelt === written ? [written] : [written, spelt]) {
      const plain = plainLetters(text);
      for (const form of forms) {
        const found = form.exec(text, plain);
        if (found) return found.groups ?? {};
      }
    }
    return undefined;
  };
}

const SHORT_IS = /\b(what|how|when|where|who|which|that|it|there)'s\b/giu;

/** What separates words is a whole run of blanks: tried in parts, a long one would take forever. */
const GAP = String.raw`(?<!\s)\s+(?!\s)`;
/** A blank that may be missing: `wie[ ]viel`. */
const BLANK = '[ ]';
const UMLAUTS: Readonly<Record<string, string>> = { ä: '(?:ä|ae)', ö: '(?:ö|oe)', ü: '(?:ü|ue)', ß: '(?:ß|ss)' };

/** A phrase, and the regular expression of it once a request could be it: most never are, and compiling is dear. */
class Form {
  readonly #template: string;
  #words: PhraseWords | undefined;
  #expression: RegExp | undefined;

  constructor(template: string) {
    this.#template = template;
  }

  /** @param plain  the text by `plainLetters`. */
  exec(text: string, plain: string): RegExpExecArray | null {
    this.#words ??= new PhraseWords(this.#template);
    if (!this.#words.mayBe(plain)) return null;
    this.#expression ??= new Template(this.#template).expression();
    return this.#expression.exec(text);
  }
}

/** Reads a phrase from left to right. Words carry the blank in front of them: an optional one takes it along. */
class Template {
  readonly #source: string;
  #at: number;

  constructor(source: string, at = 0) {
    this.#source = source.replace(/\s+/gu, ' ');
    this.#at = at;
  }

  /** @throws SyntaxError for a bracket that is not closed. */
  expression(): RegExp {
    const body = this.#choices(true);
    if (this.#at < this.#source.length) throw new SyntaxError(`"${this.#source}" cannot be read at ${this.#at}`);
    return new RegExp(`^(?:${body})(?:(?<!\\s)\\s+)?$`, 'isu');
  }

  /** @param apart whether the words stand by themselves rather than inside another word. */
  #choices(apart: boolean): string {
    const choices = [this.#sequence(apart)];
    while (this.#take('|')) choices.push(this.#sequence(apart));
    return choices.join('|');
  }

  #sequence(apart: boolean): string {
    let words = '';
    for (let first = true; this.#more(); first = false) {
      if (this.#take(' ')) continue;
      words += this.#word(apart || !first);
    }
    return words;
  }

  /** A word, or a group that stands for whole words. */
  #word(apart: boolean): string {
    const open = this.#source[this.#at];
    if (apart && (open === '[' || open === '(') && /^(?:[ |\])]|$)/u.test(this.#source.slice(this.#closing()))) {
      return this.#group(true);
    }
    const optional = /^\{(\w+):maybe\}(?:[ |\])]|$)/u.exec(this.#source.slice(this.#at));
    if (apart && optional) {
      this.#at += (optional[1] ?? '').length + ':maybe'.length + 2;
      return `(?:${GAP}(?<${optional[1]}>.+?))?`;
    }
    let word = apart ? GAP : '';
    while (this.#more() && this.#source[this.#at] !== ' ') word += this.#atom();
    return /[\p{L})]$/u.test(word) ? `${word}[,:;]?` : word;
  }

  #atom(): string {
    if (this.#source.startsWith(BLANK, this.#at)) {
      this.#at += BLANK.length;
      return '\\s?';
    }
    const char = this.#source[this.#at] ?? '';
    if (char === '[' || char === '(') return this.#group(false);
    if (char === '{') return this.#slot();
    this.#at++;
    return UMLAUTS[char] ?? char.replace(/[.*+?^${}()|[\]\\/]/u, '\\$&');
  }

  #group(apart: boolean): string {
    const optional = this.#source[this.#at++] === '[';
    const choices = this.#choices(apart);
    if (!this.#take(optional ? ']' : ')')) throw new SyntaxError(`"${this.#source}" has an open bracket`);
    return `(?:${choices})${optional ? '?' : ''}`;
  }

  #slot(): string {
    const [name = '', ...kind] = this.#source.slice(this.#at + 1, this.#closing() - 1).split(':');
    this.#at = this.#closing();
    const own = kind.join(':');
    return `(?<${name}>${own === '' ? KINDS.text : (KINDS[own] ?? own)})`;
  }

  /** The place behind the bracket that closes the one here. What stands in a slot does not count. */
  #closing(): number {
    const open = this.#source[this.#at] ?? '';
    const [opening, closing] = open === '{' ? ['{', '}'] : ['[(', '])'];
    let depth = 0;
    for (let at = this.#at; at < this.#source.length; at++) {
      const char = this.#source[at] ?? '';
      if (open !== '{' && char === '{') at = new Template(this.#source, at).#closing() - 1;
      else if (opening.includes(char)) depth++;
      else if (closing.includes(char) && --depth === 0) return at + 1;
    }
    throw new SyntaxError(`"${this.#source}" has an open bracket`);
  }

  #more(): boolean {
    return this.#at < this.#source.length && !'|])'.includes(this.#source[this.#at] ?? '');
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}
