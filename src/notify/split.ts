/** The longest message a channel takes, and the unit in which it counts. */
export interface LengthLimit {
  readonly max: number;
  measure(text: string): number;
}

export const characters = (text: string): number => [...text].length;
export const utf8Bytes = (text: string): number => Buffer.byteLength(text);

const FENCE = '```';
/** Room for `(12/34) ` and for closing and reopening a fence. */
const RESERVED = 48;
const SEPARATORS = [/(?<=\n\n)/u, /(?<=\n)/u, /(?<=\s)/u];

/**
 * Cut a text into parts that fit: between paragraphs, else lines, else words, else graphemes. A code fence that is open
 * at the end of a part is closed there and reopened in the next. Several parts are numbered.
 */
export function splitText(text: string, limit: LengthLimit | undefined): string[] {
  if (limit === undefined || limit.measure(text) <= limit.max) return [text];
  const inner = { ...limit, max: limit.max - RESERVED };
  const parts = fenced(
    pack(pieces(text, inner, 0), inner)
      .map((part) => part.replace(/^\n+|\s+$/gu, ''))
      .filter((part) => part !== ''),
  );
  // A fence counts only at the start of a line.
  return parts.map((part, n) => `(${n + 1}/${parts.length})${part.startsWith(FENCE) ? '\n' : ' '}${part}`);
}

/** Cut into pieces that fit, at the coarsest separators possible. */
function pieces(text: string, limit: LengthLimit, level: number): string[] {
  if (limit.measure(text) <= limit.max) return [text];
  const separator = SEPARATORS[level];
  if (!separator)
    return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
  return text.split(separator).flatMap((piece) => pieces(piece, limit, level + 1));
}

/** Join as many pieces as fit into each part; one may be empty. */
function pack(all: readonly string[], limit: LengthLimit): string[] {
  const parts: string[] = [];
  let current = '';
  let size = 0;
  for (const piece of all) {
    const pieceSize = limit.measure(piece);
    if (size + pieceSize > limit.max) {
      parts.push(current);
      [current, size] = ['', 0];
    }
    current += piece;
    size += pieceSize;
  }
  return [...parts, current];
}

/** Close and reopen the fences that the cuts have torn. */
function fenced(parts: readonly string[]): string[] {
  let open: string | undefined;
  return parts.map((part) => {
    const before = open === undefined ? '' : `${open}\n`;
    for (const line of part.split('\n'))
      if (line.startsWith(FENCE)) open = open === undefined ? line.slice(0, 20) : undefined;
    return `${before}${part}${open === undefined ? '' : `\n${FENCE}`}`;
  });
}

const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Remove control and direction characters and defuse mentions, so that whoever wrote the text cannot ring people. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/gu, '\n')
    .replace(INVISIBLE, '')
    .replace(/@(?=everyone|here)/gu, '@\u200b')
    .replace(/<@(?=[!&]?\d)/gu, '<\u200b@')
    .trim();
}
