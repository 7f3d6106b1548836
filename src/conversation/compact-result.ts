import { isRecord, parseJson } from '../base/json.ts';
import { cut } from '../base/text.ts';

/** At least this much of a passage stays, because a follow-up needs it. */
const TEXT_CHARS = 240;
const PLAIN_CHARS = 600;
const MAX_ITEMS = 8;
const MAX_DEPTH = 4;
const MAX_CHARS = 2400;
/** Fields that are useless to a later turn. */
const DROPPED = new Set(['score', 'context', 'ms', 'snippetHtml']);

/** A result as later turns see it: ids, paths and citations whole, each text cut to its first words. */
export function compactResult(text: string): string {
  const value = parseJson(text);
  if (value === undefined || typeof value !== 'object') return cut(text, PLAIN_CHARS);
  return compactValue(value);
}

/** The same for the output of a script, which is already text for a model. */
export function compactFeedback(text: string): string {
  return cut(text, MAX_CHARS);
}

/** The same for a JSON value. */
export function compactValue(value: unknown): string {
  if (typeof value === 'string') return cut(value, PLAIN_CHARS);
  return cut(JSON.stringify(shortened(value, 0)) ?? '', MAX_CHARS);
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value, TEXT_CHARS);
  if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map((each: unknown) => shortened(each, depth + 1));
    return value.length > MAX_ITEMS ? [...shown, `… ${value.length - MAX_ITEMS} more`] : shown;
  }
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, shortened(inner, depth + 1)]));
}
