import { pattern } from './pattern.ts';
import type { Redactor } from './redact.ts';

const QUOTES = '[\\\\"\'`]{0,2}';
/** A name or header that announces a secret whose value is still to come: `api_key = "`, `Authorization: Bearer `. */
const TELLING = pattern(
  'iu',
  '(?:authorization|bearer|key|token|secret|passw(?:or)?d|passwort|pwd|passphrase|_pass|credentials?|webhook[_ -]?url',
  String.raw`|session[_ -]?id)[\w.-]{0,20}${QUOTES}\s{0,4}(?:[:=>]{1,3}|is\b|ist\b|lautet\b)?\s{0,4}${QUOTES}`,
  String.raw`(?:[A-Za-z][\w-]{0,20}\s{1,4})?$`,
);
const COOKIE = /\bcookie\\?["']?\s{0,4}[:=]/iu;
const COOKIE_CHARS = 4000;
const LOOK_BACK_CHARS = 100;
const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = /-----END [A-Z ]{0,40}-----/u;
const MAX_HELD_CHARS = 65_536;
/** Secrets consist of printable ASCII without spaces, so text in other scripts is never held back. */
const ONE_WORD = /^[\x21-\x7e]+$/u;

/**
 * Redacts a text that arrives in pieces, such as a streamed answer, so that a secret split across pieces is caught.
 *
 * Whatever could still become a secret is held back until that is clear, usually no more than one word.
 */
export class RedactingStream {
  readonly #redactor: Redactor;
  #held = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** @returns the part that can be released by now, redacted; may be empty. */
  write(piece: string): string {
    this.#held += piece;
    // A word that continues releases nothing; scanning all of it each time would take quadratic time.
    if (ONE_WORD.test(piece) && this.#held.length <= MAX_HELD_CHARS) return '';
    const cut = this.#held.length > MAX_HELD_CHARS ? this.#held.length : this.#safeEnd();
    const ready = this.#redactor.redact(this.#held.slice(0, cut));
    this.#held = this.#held.slice(cut);
    return ready;
  }

  /** @returns what was held back, redacted; the next piece starts a new text. */
  end(): string {
    const rest = this.#redactor.redact(this.#held);
    this.#held = '';
    return rest;
  }

  /** Drop what was held back, because the pieces so far are discarded. */
  reset(): void {
    this.#held = '';
  }

  /** Up to where the buffered text can be redacted and released; a private key only as a whole. */
  #safeEnd(): number {
    const held = this.#held;
    const end = this.#redactor.cutBefore(held, openWord(held));
    const key = held.lastIndexOf(KEY_BEGINS);
    if (key < 0) return end;
    const closing = KEY_ENDS.exec(held.slice(key));
    const isWhole = closing !== null && key + closing.index + closing[0].length <= end;
    return isWhole ? end : Math.min(end, key);
  }
}

/** Where the last word, which could still grow, begins, or the name before it that makes it a value. */
function openWord(text: string): number {
  const start = wordStart(text, text.length);
  const named = TELLING.exec(text.slice(Math.max(0, start - LOOK_BACK_CHARS), start));
  return Math.min(wordStart(text, start - (named?.[0].length ?? 0)), openCookie(text));
}

/** Where a cookie begins whose line may not be complete. */
function openCookie(text: string): number {
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const from = Math.max(line, text.length - COOKIE_CHARS);
  const cookie = COOKIE.exec(text.slice(from));
  return cookie ? from + cookie.index : text.length;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isGraphic(text.charCodeAt(start - 1))) start--;
  return start;
}

function isGraphic(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
