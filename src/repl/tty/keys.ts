/** A key, a paste, or an answer of the terminal. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  /** Line ends are LF, control characters are removed. */
  | { readonly kind: 'paste'; readonly text: string }
  /** `enter`, `tab`, `up`, ... with `C-` (Ctrl), `M-` (Alt) and `S-` (Shift) in front, in this order: `C-M-left`. */
  | { readonly kind: 'key'; readonly name: string }
  /** Where the cursor is; asked for with CSI 6 n. Both count from 1. */
  | { readonly kind: 'cursor'; readonly row: number; readonly column: number };

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Longer pastes are cut. */
const MAX_PASTE_CHARS = 1_000_000;
/** An unfinished sequence that is longer than this is not a sequence. */
const MAX_SEQUENCE_CHARS = 4096;
/** Terminals without bracketed paste: a read this long with text behind a line end was pasted, not typed. */
const UNMARKED_PASTE_CHARS = 16;

/** CSI, SS3, and the strings (OSC, DCS, SOS, PM, APC), each whole. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[0-9;]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\))/uy;
/** The beginning of one of them. */
const UNFINISHED = /^\u001b\u001b?(?:\[[0-?]*[ -/]*|O[0-9;]*|[\]PX^_][^\u0007\u001b]*\u001b?)?$/u;
const TEXT = /[^\u0000-\u001f\u007f-\u009f]+/uy;

const CSI_LETTERS: Readonly<Record<string, string>> = {
  ...{ A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', Z: 'S-tab', M: 'enter' },
};
const CSI_NUMBERS: Readonly<Record<string, string>> = {
  ...{ 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' },
};
/** Keys that terminals send as a code point with modifiers. */
const CODES: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/**
 * Turns what a terminal sends into keys. Sequences may be split anywhere; those that mean nothing to us (mouse, focus,
 * answers to questions) are swallowed whole and never show up as typed text.
 *
 * @see ECMA-48, "Control functions for coded character sets", section 5.4
 */
export class KeyDecoder {
  #rest = '';
  /** The parts of a paste that has not ended. */
  #pasted: string[] | undefined;
  #first = true;
  readonly #marksPastes: boolean;

  /** @param marksPastes  the terminal has bracketed paste, as all but old Windows consoles do. */
  constructor(marksPastes = true) {
    this.#marksPastes = marksPastes;
  }

  /** An Esc that may be the key, or the beginning of a sequence: call `flush` when nothing follows soon. */
  get waiting(): boolean {
    return this.#rest === '\u001b' || this.#rest === '\u001b\u001b';
  }

  /** @returns the keys that are complete now. */
  feed(chunk: string): Key[] {
    const keys: Key[] = [];
    let text = this.#rest + chunk;
    this.#rest = '';
    // Typed before the terminal was in raw mode: the system has turned Enter into a line feed.
    if (this.#first) text = text.replaceAll('\n', '\r');
    else if (!this.#marksPastes && this.#pasted === undefined && isUnmarkedPaste(text)) return [pasteOf(text)];
    this.#first = false;
    while (text !== '') text = this.#pasted === undefined ? this.#one(text, keys) : this.#paste(text, keys);
    return keys;
  }

  /** Nothing more came in time: a pending Esc was the key. */
  flush(): Key[] {
    if (!this.waiting) return [];
    this.#rest = '';
    return [{ kind: 'key', name: 'escape' }];
  }

  /** Take one key off the front. @returns what is left. */
  #one(text: string, keys: Key[]): string {
    if (text.startsWith(PASTE_START)) {
      this.#pasted = [];
      return text.slice(PASTE_START.length);
    }
    const plain = matchAt(TEXT, text);
    if (plain !== undefined) {
      keys.push({ kind: 'text', text: plain });
      return text.slice(plain.length);
    }
    if (!text.startsWith('\u001b')) {
      const key = controlKey(text);
      if (key !== undefined) keys.push({ kind: 'key', name: key });
      return text.slice(1);
    }
    return this.#escape(text, keys);
  }

  #escape(text: string, keys: Key[]): string {
    const sequence = matchAt(SEQUENCE, text);
    if (sequence !== undefined) {
      const key = sequenceKey(sequence);
      if (key) keys.push(key);
      return text.slice(sequence.length);
    }
    if (UNFINISHED.test(text) && text.length < MAX_SEQUENCE_CHARS) {
      this.#rest = text;
      return '';
    }
    return metaKey(text, keys);
  }

  /** Collect until the end mark, which may be split between two reads. */
  #paste(text: string, keys: Key[]): string {
    const parts = this.#pasted ?? [];
    const tail = (parts.at(-1) ?? '').slice(-PASTE_END.length);
    const end = (tail + text).indexOf(PASTE_END);
    if (end < 0) {
      // Keep the last part long enough for a mark that is split more than once.
      if (tail.length < PASTE_END.length) parts.push((parts.pop() ?? '') + text);
      else parts.push(text);
      return '';
    }
    const whole = parts.join('') + text;
    const at = whole.length - tail.length - text.length + end;
    this.#pasted = undefined;
    keys.push(pasteOf(whole.slice(0, at)));
    return whole.slice(at + PASTE_END.length);
  }
}

function matchAt(pattern: RegExp, text: string): string | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0];
}

function isUnmarkedPaste(text: string): boolean {
  return text.length >= UNMARKED_PASTE_CHARS && !text.includes('\u001b') && /[\r\n][^\r\n]/u.test(text);
}

/** One kind of line end, and only text. */
function pasteOf(raw: string): Key {
  const text = raw
    .slice(0, MAX_PASTE_CHARS)
    .replace(/\r\n?/gu, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef]/gu, '');
  return { kind: 'paste', text };
}

function controlKey(text: string): string | undefined {
  const code = text.charCodeAt(0);
  if (code === 13) return 'enter';
  if (code === 9) return 'tab';
  if (code === 127 || code === 8) return 'backspace';
  if (code < 32) return `C-${code === 0 ? 'space' : String.fromCharCode(code + 64).toLowerCase()}`;
  return undefined;
}

/** Alt is Esc in front of the key. */
function metaKey(text: string, keys: Key[]): string {
  const rest = text.slice(1);
  const sequence = matchAt(SEQUENCE, rest);
  const found = sequence === undefined ? undefined : sequenceKey(sequence);
  if (sequence !== undefined) {
    if (found?.kind === 'key') keys.push({ kind: 'key', name: `M-${found.name}` });
    return rest.slice(sequence.length);
  }
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  const control = controlKey(char);
  if (char === '\u001b') keys.push({ kind: 'key', name: 'escape' });
  else keys.push({ kind: 'key', name: control === undefined ? `M-${char}` : withAlt(control) });
  return char === '\u001b' ? rest : rest.slice(char.length);
}

function withAlt(name: string): string {
  return name.startsWith('C-') ? `C-M-${name.slice(2)}` : `M-${name}`;
}

/** Undefined for sequences that are not keys. */
function sequenceKey(sequence: string): Key | undefined {
  const [, params = '', final = ''] = /^\u001b[[O]([0-9;:]*)([@-~])$/u.exec(sequence) ?? [];
  const numbers = params.split(';').map((part) => part.split(':'));
  const [first, second, third] = numbers.map(([number]) => Number(number));
  if (final === 'R' && first !== undefined && second !== undefined)
    return { kind: 'cursor', row: first, column: second };
  // Kitty's protocol also reports releases.
  if (numbers[1]?.[1] === '3') return undefined;
  if (final === 'u') return codeKey(first ?? 0, second);
  if (final === '~' && first === 27) return codeKey(third ?? 0, second);
  const name = final === '~' ? CSI_NUMBERS[String(first)] : CSI_LETTERS[final];
  if (name === undefined || (final === 'M' && sequence[1] !== 'O')) return undefined;
  return { kind: 'key', name: modifiers(second) + name };
}

/** A key as code point and modifiers; letters without Ctrl and Alt are text. */
function codeKey(code: number, bits: number | undefined): Key | undefined {
  const named = CODES[code];
  const mods = modifiers(bits);
  if (named !== undefined) return { kind: 'key', name: mods + named };
  if (code < 32 || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  const char = String.fromCodePoint(code);
  if (mods === '' || mods === 'S-') return { kind: 'text', text: char };
  return { kind: 'key', name: mods.replace('S-', '') + char.toLowerCase() };
}

/** xterm's modifier parameter: 1 plus 1 for Shift, 2 for Alt, 4 for Ctrl. */
function modifiers(parameter: number | undefined): string {
  const bits = (parameter || 1) - 1;
  return `${bits & 4 ? 'C-' : ''}${bits & 2 ? 'M-' : ''}${bits & 1 ? 'S-' : ''}`;
}
