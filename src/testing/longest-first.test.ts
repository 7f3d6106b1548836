import { expect, test } from 'vitest';
import { longestLimit } from './longest-first.ts';

test.each([
  ['}, 300_000);', 300],
  ["test('a', { timeout: 120_000 }, run); const PATIENCE_MS = 20_000;", 120],
  ["expect(1000).toBe(1_000); test('b', run);", 0],
])('what a test says of its time is seen: %s', (text, seconds) => {
  expect(longestLimit(text)).toBe(seconds);
});
