import { expect, test } from 'vitest';
import { budgetsFor, keepBudget } from './window.ts';

test.each([
  [8192, { window: 8192, threshold: 4915, summary: 1000 }],
  [4096, { window: 4096, threshold: 2457, summary: 512 }],
  [128_000, { window: 128_000, threshold: 93_600, summary: 1000 }],
])('a window of %i tokens', (window, budgets) => {
  expect(budgetsFor(window)).toEqual(budgets);
});

test('half the window is kept at most, less near the threshold, and never less than nothing', () => {
  const budgets = budgetsFor(128_000);
  expect(keepBudget(budgets, 0)).toBe(64_000);
  expect(keepBudget(budgets, 50_000)).toBe(Math.floor(93_600 * 0.85) - 50_000 - 1000);
  expect(keepBudget(budgets, 90_000)).toBe(0);
});
