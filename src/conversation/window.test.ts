import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { MessageCounter } from './tokens.ts';
import { budgetsFor, isToolStep, keepBudget, keptFrom } from './window.ts';

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

const call = { id: 'c', name: 'look', args: {}, type: 'tool_call' as const };
const human = new HumanMessage('x'.repeat(8));
const asking = new AIMessage({ content: '', tool_calls: [call] });
const result = new ToolMessage({ content: 'x'.repeat(8), tool_call_id: 'c' });

test('whole groups are kept from the end: a reply with its results, as many and as large as may be', () => {
  const counter = new MessageCounter();
  const messages = [human, asking, result, result, human, human];
  const from = (budget: number, limit = 10) => keptFrom(messages, counter, { budget, limit });
  // Each message costs two tokens and a quarter of its characters; a call its name and input.
  expect(counter.all(messages)).toBe(4 + 4 + 4 + 4 + 4 + 4);
  expect([from(24), from(23), from(20), from(19), from(8), from(7), from(0)]).toEqual([0, 1, 1, 4, 4, 5, 5]);
  expect([from(100, 5), from(100, 3), from(100, 2), from(100, 1)]).toEqual([1, 1, 4, 5]);
  expect(keptFrom([], counter, { budget: 10, limit: 10 })).toBe(0);
  // A result that begins the list is a group of its own.
  expect(keptFrom([result, human], counter, { budget: 4, limit: 10 })).toBe(1);
});

test('a step of tools is a call or a result', () => {
  expect([asking, result, human, new AIMessage('x')].map(isToolStep)).toEqual([true, true, false, false]);
});
