/** A mail's text by whose words they are. */
export interface MailText {
  /** The sender's own. */
  readonly own: string;
  /** What they quote or forward. */
  readonly quoted: string;
}

const QUOTED = /^\s*>/u;
/** Above what is quoted without marks: a line of strokes, or the head of a mail. */
const BELOW_IS_QUOTED = /^\s*(?:[-_=–—]{5,}|[*_]{0,2}\p{L}{2,14}[*_]{0,2}:.*\S@\S)/u;
/** "On Monday Ann wrote:", whatever the language: it ends with a colon and has a number or an address. */
const NAMES_WHEN_OR_WHOM = /[\d@]/u;
const COLON_AT_END = /[:：]$/u;
const MAX_INTRODUCTION_LINES = 3;
const SIGNATURE = /^-- ?$/u;

/**
 * Tell the sender's own words from those that they quote. Whatever may be quoted counts as quoted, and so does all that
 * stands below it, where lines may have lost their marks: words of others must never pass for the owner's.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3676#section-4.3
 */
export function readMailText(text: string): MailText {
  const lines = text.replace(/\r\n?/gu, '\n').split('\n');
  const start = lines.findIndex((line) => QUOTED.test(line) || BELOW_IS_QUOTED.test(line));
  if (start < 0) return { own: withoutSignature(lines), quoted: '' };
  const introduced = start - introduction(lines.slice(0, start));
  return { own: withoutSignature(lines.slice(0, introduced)), quoted: lines.slice(start).join('\n').trim() };
}

/** How many of the last lines introduce what follows: a short paragraph. */
function introduction(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const first = lines.slice(0, last + 1).findLastIndex((line) => line.trim() === '') + 1;
  const words = lines
    .slice(first, last + 1)
    .join(' ')
    .trim();
  const introduces = NAMES_WHEN_OR_WHOM.test(words) && COLON_AT_END.test(words);
  return introduces && last - first < MAX_INTRODUCTION_LINES ? lines.length - first : 0;
}

function withoutSignature(lines: readonly string[]): string {
  const end = lines.findIndex((line) => SIGNATURE.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
}

/** Where quotes begin in HTML, as a line that says so in its text. */
export function markQuotes(html: string): string {
  return html.replace(/<(?:blockquote|hr)\b/giu, '<p>----------</p>$&');
}

const REPLY = /^(?:\s*\p{L}{1,4}(?:\[\d+\])?[:：]\s*)+/u;

/** A subject without the marks of replies and forwards, which each language has its own of. */
export function plainSubject(subject: string): string {
  return subject.replace(REPLY, '').trim();
}
