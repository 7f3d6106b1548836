import { isRecord, parseJson } from '../base/json.ts';
import { cut } from '../base/text.ts';

/** At least this much of a passage stays, because a follow-up needs it. */
const TEXT_CHARS = 240;
const PLAIN_CHARS = 600;
const MAX_ITEMS = 8;
const MAX_DEPTH = 4;
const MAX_CHARS = 2400;
/** Of a passage that the answer cites. */
const CITED_CHARS = 1600;
/** Where there are such. */
const MAX_CITED_CHARS = 6000;
/** Shorter words are in every paragraph. */
const WORD = /[\p{L}\p{N}]{4,}|\p{N}+/gu;
/** Fields that are useless to a later turn. */
const DROPPED = new Set(['score', 'context', 'ms', 'snippetHtml']);

/**
 * A result as later turns see it: ids, paths and citations whole, each text cut to its first words.
 *
 * @param answer what was made of it: passages that it cites come first and nearly whole, and of a long text the
 *   paragraphs that it is about stay.
 */
export function compactResult(text: string, answer = ''): string {
  const value = parseJson(text);
  if (value === undefined || typeof value !== 'object') return partsFor(answer, text, PLAIN_CHARS);
  return compactValue(value, answer);
}

/** The same for the output of a script, which is already text for a model. */
export function compactFeedback(text: string, answer = ''): string {
  return partsFor(answer, text, MAX_CHARS);
}

/** The same for a JSON value. */
export function compactValue(value: unknown, answer = ''): string {
  if (typeof value === 'string') return partsFor(answer, value, PLAIN_CHARS);
  const text = JSON.stringify(shortened(value, { depth: 0, answer, chars: TEXT_CHARS })) ?? '';
  return cut(text, isCitedIn(answer, value) ? MAX_CITED_CHARS : MAX_CHARS);
}

interface Shortening {
  readonly depth: number;
  readonly answer: string;
  /** The most of a text. */
  readonly chars: number;
}

function shortened(value: unknown, { depth, answer, chars }: Shortening): unknown {
  if (typeof value === 'string') return cut(value, chars);
  if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null) return '…';
  const deeper = { depth: depth + 1, answer, chars };
  if (Array.isArray(value)) {
    const [cited, others] = [true, false].map((is) => value.filter((each) => isCitedIn(answer, each) === is));
    const shown = [...(cited ?? []), ...(others ?? [])].slice(0, MAX_ITEMS).map((each) => shortened(each, deeper));
    return value.length > MAX_ITEMS ? [...shown, `… ${value.length - MAX_ITEMS} more`] : shown;
  }
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !DROPPED.has(name));
  const own = hasCited(answer, value) ? { ...deeper, chars: CITED_CHARS } : deeper;
  return Object.fromEntries(kept.map(([name, inner]) => [name, shortened(inner, own)]));
}

/** Whether an answer cites a passage, or one of those in a value. */
function isCitedIn(answer: string, value: unknown): boolean {
  if (answer === '' || typeof value !== 'object' || value === null) return false;
  return hasCited(answer, value) || Object.values(value).some((each) => isCitedIn(answer, each));
}

function hasCited(answer: string, value: object): boolean {
  const citation = 'citation' in value ? value.citation : undefined;
  return typeof citation === 'string' && citation !== '' && answer.includes(citation);
}

/**
 * A text as it is where it is short. Of a longer one the first paragraph, which says where it is from, and those that
 * share most words with an answer, in their order; without any such its first characters.
 */
function partsFor(answer: string, text: string, chars: number): string {
  if (text.length <= chars) return text;
  const wanted = new Set(answer.toLowerCase().match(WORD));
  const paragraphs = text.split(/\n{2,}/u).map((own, at) => ({ own, at, shared: sharedWith(wanted, own) }));
  if (paragraphs.length < 2 || paragraphs.every(({ shared }) => shared === 0)) return cut(text, chars);
  const [first, ...rest] = paragraphs;
  const kept = first ? [{ ...first, own: cut(first.own, chars / 2) }] : [];
  let left = Math.max(chars, MAX_CHARS) - (kept[0]?.own.length ?? 0);
  for (const paragraph of rest.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared)) {
    if (left <= 0) break;
    kept.push({ ...paragraph, own: cut(paragraph.own, left) });
    left -= paragraph.own.length;
  }
  kept.sort((a, b) => a.at - b.at);
  return kept.map(({ own, at }, index) => (at > (kept[index - 1]?.at ?? -1) + 1 ? `…\n\n${own}` : own)).join('\n\n');
}

function sharedWith(wanted: ReadonlySet<string>, text: string): number {
  return new Set((text.toLowerCase().match(WORD) ?? []).filter((word) => wanted.has(word))).size;
}
