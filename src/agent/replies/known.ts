import { isRecord } from '../../base/json.ts';
import { readNumber } from '../../quantities/numbers.ts';
import { localTime } from '../../when/calendar.ts';
import { figuresFor } from '../../words/numbers.ts';

/** The most text that is searched for figures, in characters. */
const MOST_CHARS = 2_000_000;
/** Of texts up to this length, number words count as figures as well. */
const WORDED_CHARS = 20_000;
/** How many values are looked at for lists. */
const MOST_VALUES = 20_000;
const NUMBER = /\d+(?:[.,'’]\d+)*/gu;
const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/gu;
const CLOCK = /(?<![\d:])(\d{1,2}):(\d{2})(?!\d)/gu;

/** What an answer can go by: what was said, and what the calls of the turn were given and gave. */
export class Known {
  readonly #texts: string[] = [];
  readonly #counts = new Set<number>();
  #chars = 0;

  said(text: string): void {
    if (this.#chars + text.length > MOST_CHARS) return;
    this.#texts.push(text);
    this.#chars += text.length;
  }

  /** A call: its name, what it was given, what it gave. */
  called(...parts: readonly unknown[]): void {
    for (const part of parts) {
      this.said(typeof part === 'string' ? part : (JSON.stringify(part) ?? ''));
      for (const count of countsIn(part)) this.#counts.add(count);
    }
  }

  /** Whether these words stand somewhere, in whatever case. */
  has(words: string): boolean {
    const wanted = words.toLowerCase();
    return this.#texts.some((text) => text.toLowerCase().includes(wanted));
  }

  /** All figures, and how many items the lists have. */
  figures(): ReadonlySet<number> {
    const worded = this.#texts.map((text) => (text.length <= WORDED_CHARS ? `${text} ${figuresFor(text)}` : text));
    return new Set([...this.#counts, ...worded.flatMap(figuresIn)]);
  }

  /** All times of day as `14:05`; an instant also counts as it is in the zone. */
  times(timeZone: string): ReadonlySet<string> {
    return new Set(
      this.#texts.flatMap((text) => [
        ...timesIn(text),
        ...(text.match(INSTANT) ?? []).map((at) => localTime(new Date(at), timeZone).slice(11, 16)),
      ]),
    );
  }
}

/** Every number of a text, in both ways to read its marks, and the parts of dates and times but minutes like 05. */
function figuresIn(text: string): number[] {
  const written = (text.match(NUMBER) ?? []).filter((each) => !/^0\d/u.test(each));
  return written.flatMap((each) => [
    ...new Set([
      readNumber(each, 'en'),
      readNumber(each, 'de'),
      ...each
        .split(/\D/u)
        .filter((digits) => !/^0\d/u.test(digits))
        .map(Number),
    ]),
  ]);
}

export function timesIn(text: string): string[] {
  return [...text.matchAll(CLOCK)].map(([, hour = '', minute = '']) => `${hour.padStart(2, '0')}:${minute}`);
}

/** The lengths of all lists in a value, and the numbers of lines of its texts. */
function countsIn(value: unknown): number[] {
  const counts: number[] = [];
  const open = [value];
  for (let seen = 0; open.length > 0 && seen < MOST_VALUES; seen++) {
    const next = open.pop();
    if (Array.isArray(next)) counts.push(next.length);
    if (Array.isArray(next)) open.push(...next);
    else if (isRecord(next)) open.push(...Object.values(next));
    else if (typeof next === 'string') counts.push(...linesIn(next));
  }
  return counts;
}

function linesIn(text: string): number[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const marked = lines.filter((line) => /^\s*(?:[-*+]|\d+\.)\s/u.test(line));
  return [lines.length, lines.length - 1, marked.length];
}
