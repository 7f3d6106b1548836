import { looksSecret, NAMED_VALUE, rulesFor } from './secret-rules.ts';

const MIN_SECRET_CHARS = 6;
export const HIDDEN = '[secret]';

/**
 * Replaces secrets in text by `[secret]`: known values first, in all their usual encodings, then whatever has the shape
 * of a token, then values after names such as `password:`.
 */
export class Redactor {
  readonly #known = new Set<string>();
  #pattern: RegExp | undefined;
  /** Length of the longest known spelling. */
  #longest = 0;

  /** @param secrets known values; those under six characters are ignored, since they would hide ordinary words. */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Hide this value from now on. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET_CHARS) return;
    for (const form of spellings(secret)) this.#known.add(form);
    const forms = [...this.#known].sort((a, b) => b.length - a.length);
    this.#longest = forms[0]?.length ?? 0;
    this.#pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|'), 'gu');
  }

  /** Hide known values only: for texts such as a file's content, in which token-shaped strings may be legitimate. */
  hideKnown(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, HIDDEN) : text;
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
