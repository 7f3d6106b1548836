import { expect, test } from 'vitest';
import type { Mode } from '../base/turn.ts';
import { evalsDir, saveResults } from '../evals/results.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';
import { chooseMode, type Tried } from './mode-choice.ts';

const tried = (mode: Mode, ok: number, { runs = 10, tokens = 1000 } = {}): Tried => ({ mode, ok, runs, tokens });
const scripts = (cleanReplies: number, fallbacks = 0) => ({ turns: 50, replies: 100, cleanReplies, fallbacks });

test.each<[readonly Tried[], ReturnType<typeof scripts> | undefined, Mode]>([
  [[], undefined, 'classic_tools'],
  [[tried('classic_tools', 8), tried('code_agent', 9)], undefined, 'code_agent'],
  [[tried('classic_tools', 9), tried('code_agent', 8)], scripts(100), 'classic_tools'],
  [[tried('classic_tools', 9), tried('code_agent', 9, { tokens: 600 })], undefined, 'code_agent'],
  [[tried('classic_tools', 0, { runs: 4 }), tried('code_agent', 4, { runs: 4 })], undefined, 'classic_tools'],
  [[], scripts(95), 'code_agent'],
  [[], scripts(80), 'classic_tools'],
  [[], scripts(95, 10), 'classic_tools'],
  [[], { turns: 5, replies: 19, cleanReplies: 19, fallbacks: 0 }, 'classic_tools'],
])('%j and %j: %s', (runs, used, mode) => {
  expect(chooseMode(runs, used).mode).toBe(mode);
});

test('a turn in auto starts in the mode that worked for its model, which is said once', async () => {
  const { app, home } = await openCommands({
    replies: ['```js\nfinalAnswer("a")\n```', '```js\nfinalAnswer("b")\n```'],
  });
  const run = {
    model: 'test',
    failed: [],
    requests: 1,
    inputTokens: 9,
    outputTokens: 1,
    costUsd: 0,
    ms: 1,
    retries: 0,
  };
  const runs = (mode: Mode, ok: boolean) => Array.from({ length: 5 }, () => ({ ...run, task: 'a', mode, ok }));
  const both = [...runs('classic_tools', false), ...runs('code_agent', true)];
  await saveResults(evalsDir(home), { at: '2026-11-01T10:00:00.000Z', runs: both });
  const [first, second] = [testContext(), testContext()];
  expect(await app.turns.run(testTurn('one', { autoMode: true }), first)).toMatchObject({ text: 'a' });
  await app.turns.run(testTurn('two', { autoMode: true }), second);
  expect(first.events).toContainEqual({
    type: 'notice',
    text: 'test works in code_agent: it did 5 of 5 tasks, and 0 of 5 tasks in classic_tools.',
  });
  expect(first.events).toContainEqual(expect.objectContaining({ type: 'turn', mode: 'code_agent' }));
  expect(second.events.filter(({ type }) => type === 'notice')).toEqual([]);
});
