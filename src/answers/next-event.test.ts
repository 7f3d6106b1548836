import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.ts';
import { withNextDays } from './next-event.ts';

const said = (first: string, rule: string) =>
  `Yoga on ${first} at 18:00, at the hall.\nRepeats: ${rule}.\nBring a mat.`;

test.each(rowsOf<readonly [first: string, rule: string, next: string]>(import.meta.dirname, 'next-event'))(
  '%s, %s',
  (first, rule, next) => {
    expect(withNextDays(said(first, rule), '2026-11-23')).toBe(said(next, rule));
  },
);

test('of several events each is told by its own rule, and all that stands around them stays', () => {
  const weekly = (title: string, day: string) => `${title} on ${day}.\nRepeats: freq weekly.`;
  const others = 'Yoga on Tuesday 8 September 2026.\n\nRepeats: freq weekly.';
  const text = [weekly('Choir', 'Tuesday 8 September 2026'), others, weekly('Band', 'Friday 4 September 2026')];
  const next = [weekly('Choir', 'Tuesday 24 November 2026'), others, weekly('Band', 'Friday 27 November 2026')];
  expect(withNextDays(text.join('\n'), '2026-11-23')).toBe(next.join('\n'));
});
