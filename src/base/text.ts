import { LONGEST_KEY, secretAround } from './secret-rules.ts';

/**
 * A long text as about the first 70 % and the last 30 % of `maxChars`, with a line that says how much is missing.
 *
 * @param before  how much of its middle was left out before; see `Ends`.
 */
export function headAndTail(text: string, maxChars: number, before = 0): string {
  if (text.length <= maxChars) return text;
  const head = Math.ceil(maxChars * 0.7);
  const end = endOfHead(text, head);
  const start = startOfTail(text, maxChars - head);
  return `${text.slice(0, end)}\n… ${start - end + before} characters left out …\n${text.slice(start)}`;
}

/** The same of a text that comes in pieces, in constant memory: what is next to the cuts is kept until it is shown. */
export class Ends {
  readonly #maxChars: number;
  readonly #kept: number;
  #head = '';
  #tail = '';
  #dropped = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
    this.#kept = maxChars + LONGEST_KEY;
  }

  add(piece: string): void {
    const room = this.#kept - this.#head.length;
    this.#head += piece.slice(0, room);
    this.#tail += piece.slice(room);
    if (this.#tail.length <= 2 * this.#kept) return;
    this.#dropped += this.#tail.length - this.#kept;
    this.#tail = this.#tail.slice(-this.#kept);
  }

  text(): string {
    return headAndTail(this.#head + this.#tail, this.#maxChars, this.#dropped);
  }
}

/**
 * The first characters of a text.
 *
 * Texts are cut by this file alone, as not everything that is cut has been redacted before. What has the shape of a
 * secret is left in whole, so that the redactor knows it afterwards, or left out; what remains of a known value the
 * redactor finds by the mark, which shows people as well that something is missing.
 */
export function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${beginning(text, chars)}…`;
}

/** The same without a mark, for a value that ends there: the redactor looks at the ends of values as well. */
export function beginning(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, endOfHead(text, chars));
}

/** The last characters of a text; see `cut`. */
export function cutTail(text: string, chars: number): string {
  return text.length <= chars ? text : `…${text.slice(startOfTail(text, chars))}`;
}

function endOfHead(text: string, chars: number): number {
  return secretAround(text, chars)?.start ?? chars;
}

function startOfTail(text: string, chars: number): number {
  const start = text.length - chars;
  return secretAround(text, start)?.end ?? start;
}

/** Whether `headAndTail` has left out some of a text. */
export function isCut(text: string): boolean {
  return /\n… \d+ characters left out …\n/u.test(text);
}

/** One line of at most `maxChars` characters, for lists and logs. */
export function preview(text: string, maxChars = 200): string {
  // Single spaces, the usual case, need no replacement.
  const line = text.replace(/\s{2,}|[^\S ]/gu, ' ').trim();
  return cut(line, line.length <= maxChars ? maxChars : maxChars - 1);
}

/** The candidate closest to `word` if it is close enough to be a typo: at most a third of the letters differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many letters have to be inserted, removed, changed or swapped with their neighbour (Damerau-Levenshtein). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** camelCase of an id: `artifact.store` and `artifact_store` give `artifactStore`. */
export function camelCase(id: string): string {
  return id.replace(/(?<![._-])[._-]+([a-z0-9])/gu, (_match, letter: string) => letter.toUpperCase());
}

/** A number with its noun: `1 call`, `2 calls`, `0 entries`. @param plural  for nouns that do not just take an `s`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Four characters per token: the estimate for models whose tokenizer is not known. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** On one line, without characters that a person cannot see. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}
