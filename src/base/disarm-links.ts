import { pattern } from './pattern.ts';

/** Which URLs may stay links. */
export interface LinkRules {
  /** True for a URL that the user, a search result or the allow-list named. */
  mayLink(url: string): boolean;
  /** Also drop the scheme of bare URLs, so that no terminal or app turns them into links. */
  readonly bare: boolean;
}

/** Everything that can be part of a link. Some renderers find an address in the middle of a word, too. */
const MARK = /!?\[|\]|<|(?:https?|ftp):\/\/|(?<![\p{L}\p{N}])www\.(?=[\p{L}\p{N}_-])/giu;
/** HTML elements that load or link an address, and their closing tags. */
const TAG = pattern(
  'iuy',
  '<(/?)(?:img|a|iframe|video|audio|source|embed|object|link|script|picture|svg|style|form|base|meta',
  String.raw`|input|track|frame|image|use)\b`,
);
const TAG_ADDRESS = /\b(?:src|href|srcset|data|action|poster|content|cite|ping)\s*=\s*["']?([^"'\s>]+)/giu;
const AUTOLINK = /<(?:https?|ftp|mailto|tel|data|file|javascript):/iuy;
const SCHEME = /^(?!www\.)[a-z][a-z0-9+.-]*:(?:\/\/)?/iu;
/** A host that is taken for an address without a scheme. */
const WWW = /^www\./iu;
/** What is a link without its scheme, or has another address in it. */
const STILL_LINK = /:(?=\/\/)|(?<=(?<![\p{L}\p{N}])www)\./giu;
/** An address within the same document or site: nothing is loaded from elsewhere. */
const RELATIVE = /^(?!\/\/)[^:&\\]*$/u;
const SENTENCE_MARKS = new Set('.,;:!?');

/** A bracket that is still open, with its place in the output. */
interface Opener {
  readonly piece: number;
  readonly isImage: boolean;
  readonly startsLine: boolean;
}

/** What follows the `]` of a link: the address to judge, the address to show, and where the whole link ends. */
interface Tail {
  readonly judged: string;
  readonly shown: string;
  readonly end: number;
}

/** Finds the title after an address and the parenthesis after the title. */
interface TitleSearch {
  readonly word: Ahead;
  readonly close: Ahead;
}

/** Turns the links of one text without code blocks into plain text, in one pass from left to right. */
export class Disarming {
  readonly #text: string;
  readonly #rules: LinkRules;
  /** The output. Each bracket is a piece of its own, so that it can be taken out later: undefined then. */
  readonly #out: (string | undefined)[] = [];
  readonly #open: Opener[] = [];
  readonly #ahead: Record<'space' | 'close' | 'angle' | 'bracket' | 'tagEnd' | 'linkEnd' | 'bareEnd', Ahead>;
  /** What may follow an address, and one in angle brackets. */
  readonly #afterPlain: TitleSearch;
  readonly #afterAngled: TitleSearch;
  #parentheses: Int32Array | undefined;
  #at = 0;

  constructor(text: string, rules: LinkRules) {
    this.#text = text;
    this.#rules = rules;
    const next = (wanted: RegExp) => new Ahead(text, wanted);
    this.#ahead = {
      space: next(/\s/gu),
      close: next(/\)/gu),
      angle: next(/[>\n]/gu),
      bracket: next(/[\]\n]/gu),
      tagEnd: next(/[<>]/gu),
      linkEnd: next(/[\s<>]/gu),
      bareEnd: next(/[\s<>"'`)\]]/gu),
    };
    this.#afterPlain = { word: next(/\S/gu), close: next(/\)/gu) };
    this.#afterAngled = { word: next(/\S/gu), close: next(/\)/gu) };
  }

  text(): string {
    for (const { index, 0: mark } of this.#text.matchAll(MARK)) {
      if (index < this.#at) continue;
      this.#copyTo(index);
      if (mark === ']') this.#closeBracket();
      else if (mark === '<') this.#angle();
      else if (mark.endsWith('[')) this.#openBracket(mark);
      else this.#bare();
    }
    this.#copyTo(this.#text.length);
    return joined(this.#out);
  }

  /** Take over the text up to `end` as it stands. */
  #copyTo(end: number): void {
    if (end > this.#at) this.#out.push(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  /** Put `plain` in place of the text up to `end`. */
  #replaceTo(end: number, plain: string): void {
    this.#out.push(undefined, plain, undefined);
    this.#at = end;
  }

  #openBracket(mark: string): void {
    this.#open.push({ piece: this.#out.length, isImage: mark === '![', startsLine: this.#startsLine() });
    this.#copyTo(this.#at + mark.length);
  }

  /** Whether at most three blanks, the most that a definition may be indented by, precede this place. */
  #startsLine(): boolean {
    let before = this.#at;
    while (before > this.#at - 4 && this.#text[before - 1] === ' ') before -= 1;
    return this.#at - before <= 3 && (before === 0 || this.#text[before - 1] === '\n');
  }

  #closeBracket(): void {
    const opener = this.#open.pop();
    const next = this.#text[this.#at + 1];
    if (next === '(') this.#inline(opener);
    else if (next === '[' && opener?.isImage) this.#reference(opener);
    else if (next === ':' && opener?.startsLine && !opener.isImage) this.#definition(opener);
    else this.#copyTo(this.#at + 1);
  }

  /** `[label](address "title")`. It is disarmed even when there is no opening bracket. */
  #inline(opener: Opener | undefined): void {
    const tail = this.#tail();
    const isHarmless = opener?.isImage !== true && RELATIVE.test(tail?.judged ?? '');
    if (!tail) this.#copyTo(this.#at + 1);
    else if (isHarmless || this.#mayLink(tail.judged)) this.#copyTo(tail.end);
    else {
      const label = opener ? this.#unwrap(opener) : ']';
      this.#replaceTo(tail.end, `${label} (${this.#written(tail.shown)})`);
    }
  }

  /** `![label][name]`: whatever the name stands for, an image must not load by itself. */
  #reference(opener: Opener): void {
    const start = this.#at + 2;
    const end = this.#ahead.bracket.from(start);
    if (this.#text[end] !== ']') this.#copyTo(this.#at + 1);
    else this.#replaceTo(end + 1, `${this.#unwrap(opener)} (${this.#text.slice(start, end)})`);
  }

  /** `[name]: address` at the start of a line. */
  #definition(opener: Opener): void {
    const start = this.#skipBlanks(this.#at + 2);
    const end = this.#ahead.space.from(start);
    const raw = this.#text.slice(start, end);
    const address = raw.startsWith('<') && raw.endsWith('>') ? raw.slice(1, -1) : raw;
    const between = this.#text.slice(this.#at + 1, start);
    if (RELATIVE.test(address) || this.#mayLink(address)) this.#copyTo(this.#at + 1);
    else this.#replaceTo(end, `${this.#unwrap(opener)}${between}${this.#written(address)}`);
  }

  /** Remove the bracket from the output. @returns the text to show if the label is empty. */
  #unwrap({ piece, isImage }: Opener): string {
    this.#out[piece] = undefined;
    return isImage && this.#out.length === piece + 1 ? 'image' : '';
  }

  /** What the parentheses after this bracket contain; undefined when no renderer sees a link. */
  #tail(): Tail | undefined {
    const open = this.#at + 1;
    const start = this.#skipBlanks(open + 1);
    if (this.#text[start] === '<') {
      const end = this.#ahead.angle.from(start);
      const address = this.#text.slice(start + 1, end);
      const closed = this.#text[end] === '>' ? this.#endBehind(end + 1, this.#afterAngled) : undefined;
      return closed === undefined ? undefined : { judged: address, shown: address, end: closed };
    }
    const space = this.#ahead.space.from(start);
    const close = this.#ahead.close.from(start);
    const shown = this.#text.slice(start, Math.min(space, close));
    const partner = start === open + 1 ? this.#partnerOf(open) : -1;
    if (partner >= 0) return { judged: this.#text.slice(start, partner), shown, end: partner + 1 };
    const end = close < space ? close + 1 : this.#endBehind(space, this.#afterPlain);
    const judged = shown.includes('(') ? this.#text.slice(start, space) : shown;
    return end === undefined ? undefined : { judged, shown, end };
  }

  /** After an address comes a title or the end; undefined for anything else. */
  #endBehind(from: number, { word, close }: TitleSearch): number | undefined {
    const title = word.from(from);
    const end = `"'()`.includes(this.#text[title] ?? ' ') ? close.from(title) : this.#text.length;
    return end < this.#text.length ? end + 1 : undefined;
  }

  /** The closing parenthesis that matches an opening one without a blank in between; -1 if there is none. */
  #partnerOf(open: number): number {
    this.#parentheses ??= matchParentheses(this.#text);
    return this.#parentheses[open] ?? -1;
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (at < this.#text.length && ' \t\n'.includes(this.#text[at] ?? 'x')) at += 1;
    return at;
  }

  /** `<https://...>` or an HTML element. */
  #angle(): void {
    const start = this.#at;
    AUTOLINK.lastIndex = start;
    TAG.lastIndex = start;
    const [tag, slash] = TAG.exec(this.#text) ?? [];
    if (tag !== undefined) this.#tag(start + tag.length, slash === '/');
    else if (AUTOLINK.test(this.#text)) this.#autolink();
    else this.#copyTo(start + 1);
  }

  #autolink(): void {
    const start = this.#at + 1;
    const end = this.#ahead.linkEnd.from(start);
    const address = this.#text.slice(start, end);
    if (this.#text[end] !== '>') this.#copyTo(start);
    else if (this.#mayLink(address)) this.#copyTo(end + 1);
    else this.#replaceTo(end + 1, this.#written(address));
  }

  /** An element is kept only if everything in it that could be an address is allowed. */
  #tag(from: number, isClosing: boolean): void {
    const end = this.#ahead.tagEnd.from(from);
    const isWhole = this.#text[end] === '>';
    const attributes = this.#text.slice(from, end);
    const addresses = [...attributes.matchAll(TAG_ADDRESS)].map(([, address = '']) => address);
    const isElement = end < this.#text.length && (isWhole || addresses.length > 0);
    const after = isWhole ? end + 1 : end;
    const [refused] = addresses.filter((address) => !this.#mayLink(address));
    const rest = attributes.replace(TAG_ADDRESS, (whole, address: string) => whole.slice(0, -address.length));
    if (!isElement) this.#copyTo(from);
    else if (isClosing || addresses.length === 0) this.#replaceTo(after, '');
    else if (refused === undefined && !/[:&\\]|\/\//u.test(rest)) this.#copyTo(after);
    else this.#replaceTo(after, `(${this.#written(refused ?? addresses[0] ?? '')}) `);
  }

  /** A bare URL, or a host that is taken for one. Punctuation after it belongs to the sentence. */
  #bare(): void {
    let end = this.#ahead.bareEnd.from(this.#at);
    while (end > this.#at && SENTENCE_MARKS.has(this.#text[end - 1] ?? '')) end -= 1;
    const address = this.#text.slice(this.#at, end);
    if (!this.#rules.bare || /^\w+:\/+$/u.test(address) || this.#mayLink(address)) this.#copyTo(end);
    else this.#replaceTo(end, this.#written(address));
  }

  /** A backslash may stand for itself or escape the next character, depending on the renderer. */
  #mayLink(address: string): boolean {
    if (address.includes('\\')) return false;
    const whole = WWW.test(address) ? [`https://${address}`, `http://${address}`] : [address];
    return whole.some((each) => this.#rules.mayLink(each));
  }

  #written(address: string): string {
    if (!this.#rules.bare) return address;
    return address.replace(SCHEME, '').replace(STILL_LINK, (mark) => `[${mark}]`);
  }
}

/** The pieces as one text. Those between which something was taken out must not become an address together. */
function joined(pieces: readonly (string | undefined)[]): string {
  const text: string[] = [];
  let isSeam = false;
  let last = '';
  for (const piece of pieces) {
    isSeam ||= piece === undefined;
    if (piece === undefined || piece === '') continue;
    if (isSeam && /[\p{L}\p{N}:./]/u.test(last) && /^(?:[\p{L}\p{N}_-]|[:./]\S)/u.test(piece)) text.push(' ');
    text.push(piece);
    isSeam = false;
    last = piece.at(-1) ?? '';
  }
  return text.join('');
}

/** For each opening parenthesis, where its closing one is, unless a blank comes first. */
function matchParentheses(text: string): Int32Array {
  const partners = new Int32Array(text.length).fill(-1);
  let open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '(') open.push(at);
    else if (open.length === 0) continue;
    else if (char === ')') partners[open.pop() ?? 0] = at;
    else if (/\s/u.test(char)) open = [];
  }
  return partners;
}

/**
 * Finds the next place in a text where something stands. As long as the places asked about ascend, all answers together
 * cost one pass over the text, where a search from each of them would cost one pass each.
 */
class Ahead {
  readonly #text: string;
  readonly #wanted: RegExp;
  #asked = 0;
  #found = -1;

  /** @param wanted a pattern that decides on one character, with the flags `g` and `u`. */
  constructor(text: string, wanted: RegExp) {
    this.#text = text;
    this.#wanted = new RegExp(wanted);
  }

  /** The first place from `at` on; the length of the text when there is none. */
  from(at: number): number {
    if (at < this.#asked || at > this.#found) {
      this.#wanted.lastIndex = at;
      this.#found = this.#wanted.exec(this.#text)?.index ?? this.#text.length;
      this.#asked = at;
    }
    return this.#found;
  }
}
