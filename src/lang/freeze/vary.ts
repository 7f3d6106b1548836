import { isRecord } from '../../base/json.ts';
import type { Read } from './seen.ts';

/** Which way numbers and times go. */
export type Direction = 'up' | 'down';

/**
 * The same results with others in the places that `may` names, each changed in a way of its own: where two places held
 * the same, or a place and a constant did, they differ now.
 */
export function varied(
  reads: readonly Read[],
  may: (read: Read, path: string) => boolean,
  direction: Direction,
): readonly Read[] {
  let nth = 0;
  const vary = (read: Read, value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => vary(read, item, `${path}[]`));
    if (isRecord(value)) return mapped(value, (part, name) => vary(read, part, path === '' ? name : `${path}.${name}`));
    if (!may(read, path)) return value;
    nth += 1;
    if (typeof value === 'number') return otherNumber(value, nth, direction);
    return typeof value === 'string' ? otherText(value, direction === 'up' ? nth : -nth) : value;
  };
  return reads.map((read) => ({ ...read, value: vary(read, read.value, '') }));
}

function mapped(value: Readonly<Record<string, unknown>>, change: (part: unknown, name: string) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]));
}

function otherNumber(value: number, nth: number, direction: Direction): number {
  const other = direction === 'up' ? value * 3 + nth : value / 3 - nth;
  return Number.isInteger(value) ? Math.round(other) : other;
}

const DAY_MS = 86_400_000;

/** Another text of the same form: the last character of each of its words is another of its kind. */
function otherText(text: string, by: number): string {
  const time = /^\d{4}-\d\d-\d\dT/u.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time + by * DAY_MS).toISOString();
  if (/^\d{4}-\d\d-\d\d$/u.test(text)) return new Date(Date.parse(text) + by * DAY_MS).toISOString().slice(0, 10);
  return text.replace(/[A-Za-z0-9](?![\p{L}\p{N}])/gu, (last) => turned(last, by));
}

/** A letter or digit so many places on, around its own alphabet; never itself. */
function turned(character: string, by: number): string {
  const first = /\d/u.test(character) ? '0' : /[a-z]/u.test(character) ? 'a' : 'A';
  const size = first === '0' ? 10 : 26;
  const steps = 1 + ((Math.abs(by) - 1) % (size - 1));
  const at = character.charCodeAt(0) - first.charCodeAt(0);
  return String.fromCharCode(first.charCodeAt(0) + ((at + (by > 0 ? steps : size - steps)) % size));
}
