import { expect, test } from 'vitest';
import { thinned } from './thinning.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

/** Make a backup every six hours for two years, and thin after each. @returns the ages of those that are left, in days. */
function twoYears(): number[] {
  let kept: Date[] = [];
  for (let at = START; at < START + 730 * 24 * HOUR_MS; at += 6 * HOUR_MS) {
    const now = new Date(at);
    kept.push(now);
    const gone = new Set(thinned(kept, now));
    kept = kept.filter((time) => !gone.has(time));
  }
  const newest = kept.at(-1)?.getTime() ?? 0;
  return kept.map((time) => (newest - time.getTime()) / (24 * HOUR_MS)).toReversed();
}

test('all of a day stay, then one a day, one a week, one a month, for a year', () => {
  const ages = twoYears();
  const between = (from: number, to: number) => ages.filter((age) => age >= from && age < to).length;
  expect(between(0, 1)).toBe(4);
  expect(between(1, 8)).toBeGreaterThanOrEqual(7);
  expect(between(8, 35)).toBeGreaterThanOrEqual(3);
  expect(between(35, 400)).toBeGreaterThanOrEqual(11);
  expect(between(400, 1000)).toBe(0);
  expect(ages.length).toBeLessThan(32);
});

test('the only one stays however old it is, and so does one from the future', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(thinned([new Date('2001-01-01')], now)).toEqual([]);
  expect(thinned([new Date('2026-06-01'), new Date('2025-12-31T12:00:00Z')], now)).toEqual([]);
});
