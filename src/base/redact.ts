import { looksSecret, NAMED_VALUE, rulesFor } from './secret-rules.ts';
import { preview } from './text.ts';

const MIN_SECRET_CHARS = 6;
export const HIDDEN = '[secret]';
/** Fewer characters of a secret are worth nothing, and may be anything. */
const MIN_PIECE_CHARS = 8;
const MIN_PART_CHARS = 10;
/** Where a text was cut: an ellipsis, with what stands beside it, or the end. */
const CUT = /\s*…(?: \d+ (?:of \d+ )?characters (?:left out|are not shown) …)?\s*|$/gu;
const WEB_ADDRESS = /^https?:\/\//iu;

/**
 * Replaces secrets in text by `[secret]`: known values first, in all their usual encodings, then whatever has the shape
 * of a token, then values after names such as `password:`.
 */
export class Redactor {
  readonly #known = new Set<string>();
  #pattern: RegExp | undefined;
  /** The first and the last few characters of the known spellings, by which a piece of one is found at a cut. */
  readonly #ends = { first: new Set<string>(), last: new Set<string>() };
  /** Length of the longest known spelling. */
  #longest = 0;

  /** @param secrets known values; those under six characters are ignored, since they would hide ordinary words. */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Hide this value from now on. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET_CHARS) return;
    for (const part of [secret, ...secretParts(secret)])
      for (const form of spellings(part)) this.#know(form, part !== secret || !WEB_ADDRESS.test(secret));
    const forms = [...this.#known].sort((a, b) => b.length - a.length);
    this.#longest = forms[0]?.length ?? 0;
    this.#pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|'), 'gu');
  }

  /** @param entirely  no beginning of it is public, as that of an address is. */
  #know(form: string, entirely: boolean): void {
    this.#known.add(form);
    if (form.length <= MIN_PIECE_CHARS || !entirely) return;
    this.#ends.first.add(form.slice(0, MIN_PIECE_CHARS));
    this.#ends.last.add(form.slice(-MIN_PIECE_CHARS));
  }

  /**
   * One line of at most `maxChars` characters, without secrets: hidden first and cut afterwards, as what is cut has no
   * shape to be known by.
   */
  preview(text: string, maxChars?: number): string {
    return preview(this.redact(text), maxChars);
  }

  /** Hide known values only: for texts such as a file's content, in which token-shaped strings may be legitimate. */
  hideKnown(text: string): string {
    return this.#pattern ? this.#withoutPieces(text.replace(this.#pattern, HIDDEN)) : text;
  }

  /** Hide what is left of a known value where somebody has cut a text, as `preview` and `headAndTail` do. */
  #withoutPieces(text: string): string {
    const { first, last } = this.#ends;
    let clean = '';
    let from = 0;
    for (const { index, 0: mark } of text.matchAll(CUT)) {
      const piece =
        index === 0 ? 0 : this.#pieceBefore(text.slice(Math.max(from, index - this.#longest), index), first);
      clean += piece === 0 ? text.slice(from, index) : text.slice(from, index - piece) + HIDDEN;
      const end = index + mark.length;
      const left = this.#pieceAfter(text.slice(end, end + this.#longest), last);
      clean += left === 0 ? mark : mark + HIDDEN;
      from = end + left;
    }
    return clean + text.slice(from);
  }

  /** How long the beginning of a known value is that the text ends with; 0 for none. */
  #pieceBefore(text: string, first: ReadonlySet<string>): number {
    for (let at = 0; at <= text.length - MIN_PIECE_CHARS; at++) {
      const rest = text.slice(at);
      if (first.has(rest.slice(0, MIN_PIECE_CHARS)) && this.#some((form) => form.startsWith(rest))) return rest.length;
    }
    return 0;
  }

  /** How long the end of a known value is that the text begins with; 0 for none. */
  #pieceAfter(text: string, last: ReadonlySet<string>): number {
    for (let end = text.length; end >= MIN_PIECE_CHARS; end--) {
      const piece = text.slice(0, end);
      if (last.has(piece.slice(-MIN_PIECE_CHARS)) && this.#some((form) => form.endsWith(piece))) return end;
    }
    return 0;
  }

  #some(is: (form: string) => boolean): boolean {
    for (const form of this.#known) if (is(form)) return true;
    return false;
  }

  /** Hide everything that is or looks like a secret: for logs, messages and whatever a model or a person reads. */
  redact(text: string): string {
    let clean = this.hideKnown(text);
    for (const { pattern, needs } of rulesFor(clean))
      if (needs === undefined || clean.includes(needs)) clean = clean.replace(pattern, hideMatch);
    return hideNamed(clean);
  }

  /** `hideKnown` for every string inside a JSON-like value. */
  hideKnownIn(value: unknown): unknown {
    if (typeof value === 'string') return this.hideKnown(value);
    if (Array.isArray(value)) return value.map((item) => this.hideKnownIn(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.hideKnown(key), this.hideKnownIn(inner)]),
    );
  }

  /** Redact every string inside a JSON-like value; the value itself is not changed. */
  redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.redact(key), this.#redactField(key, inner)]),
    );
  }

  /** The last offset up to `end` where `text` can be cut without splitting a known secret, complete or not. */
  cutBefore(text: string, end: number): number {
    let cut = end;
    for (const form of this.#known)
      for (let length = Math.min(form.length - 1, text.length); length > text.length - cut; length--)
        if (text.endsWith(form.slice(0, length))) cut = text.length - length;
    // Only the text around the cut can be split by it.
    const from = Math.max(0, cut - this.#longest);
    const around = text.slice(from, cut + this.#longest);
    for (const { index, 0: whole } of this.#pattern ? around.matchAll(this.#pattern) : [])
      if (from + index < cut && from + index + whole.length > cut) cut = from + index;
    return cut;
  }

  /** The name of a field announces a secret just as a name in a text does. */
  #redactField(key: string, value: unknown): unknown {
    if (typeof value !== 'string') return this.redactValue(value);
    const clean = this.redact(value);
    const told = `${key}: ${clean}`;
    return hideNamed(told) === told ? clean : HIDDEN;
  }
}

/** Hide the value after a name such as `password:`. */
function hideNamed(text: string): string {
  return text.replace(NAMED_VALUE, (...match) => {
    const { secret = '' } = groupsOf(match);
    return looksSecret(secret) ? hideMatch(...match) : String(match[0]);
  });
}

function hideMatch(...match: unknown[]): string {
  const whole = String(match[0]);
  const { secret } = groupsOf(match);
  if (secret === undefined) return HIDDEN;
  const at = whole.lastIndexOf(secret);
  return whole.slice(0, at) + HIDDEN + whole.slice(at + secret.length);
}

/** `replace` passes the named groups as its last argument, if the pattern has any. */
function groupsOf(match: readonly unknown[]): { readonly secret?: string } {
  const last = match.at(-1);
  return typeof last === 'object' && last !== null ? last : {};
}

/** What is secret in an address: the parts of it that look like a key. The rest may stand in any text. */
function secretParts(secret: string): string[] {
  const url = WEB_ADDRESS.test(secret) ? URL.parse(secret) : null;
  if (!url) return [];
  const parts = [
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.username,
    url.password,
    url.hash.slice(1),
  ];
  return parts.filter((part) => part.length >= MIN_PART_CHARS && looksSecret(part));
}

/** The encodings in which a value may appear: as it is, in a header, a URL, JSON, HTML, hex or base64. */
function spellings(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  return new Set([
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replace(/%[\dA-F]{2}/gu, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    secret.replace(/[&<>"']/gu, (char) => `&#${char.charCodeAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    hex,
    hex.toUpperCase(),
    ...base64Forms(secret),
  ]);
}

/**
 * Base64 at each of the three offsets at which a value can begin, without the characters shared with its neighbours.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = padded.toString('base64').replace(/=+$/u, '');
    const certain = whole.slice(offset === 0 ? 0 : offset + 1, Math.floor((padded.length * 8) / 6));
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
