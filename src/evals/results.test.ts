import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import type { TaskRun } from './evaluate.ts';
import { changesSince, earlierResults, evalsDir, type Results, saveResults, sumUp } from './results.ts';

const RUN: TaskRun = {
  ...{ task: 'note', mode: 'classic_tools', model: 'small', ok: true, failed: [] },
  ...{ requests: 2, inputTokens: 90, outputTokens: 10, costUsd: 0.25, ms: 40, retries: 0 },
};
const at = (day: number, ...runs: readonly TaskRun[]): Results => ({ at: `2026-11-0${day}T10:00:00.000Z`, runs });

test('the results of a home are kept where only its owner reads them, oldest first', async () => {
  const home = temporaryFolder();
  const dir = evalsDir(home);
  expect(dir).toBe(join(home, 'state', 'evals'));
  const [old, recent] = [at(1, RUN), at(2, { ...RUN, ok: false, failed: ['no note'], costUsd: undefined })];
  await saveResults(dir, recent);
  await saveResults(dir, old);
  expect(readdirSync(dir)).toEqual(['2026-11-01T10-00-00.000Z.json', '2026-11-02T10-00-00.000Z.json']);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(await earlierResults(dir)).toEqual([old, recent]);
});

test('files that are none of ours are passed over', async () => {
  const dir = evalsDir(temporaryFolder());
  mkdirSync(dir, { recursive: true });
  const files = {
    'a.json': '{ broken',
    'b.json': '[]',
    'c.json': JSON.stringify({ at: '2026', runs: [{ ...RUN, mode: 'other' }] }),
    'd.json': JSON.stringify({ at: '2026', runs: [{ task: 'note' }] }),
    'notes.txt': JSON.stringify(at(1, RUN)),
    'old.json.bak': JSON.stringify(at(1, RUN)),
    'z.json': JSON.stringify(at(1)),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  expect(await earlierResults(dir)).toEqual([at(1)]);
});

test('where nothing was tried, there is nothing', async () => {
  expect(await earlierResults(join(temporaryFolder(), 'none'))).toEqual([]);
});

test('runs are summed up for each model and mode', () => {
  const sums = sumUp([
    RUN,
    { ...RUN, task: 'rent', ok: false, requests: 4, inputTokens: 10, outputTokens: 5, costUsd: 0.5, ms: 2, retries: 3 },
    { ...RUN, mode: 'code_agent', costUsd: undefined },
    { ...RUN, mode: 'code_agent' },
    { ...RUN, model: 'large', requests: 0 },
    { ...RUN, model: 'huge', requests: 1, retries: 5 },
  ]);
  const one = { runs: 1, ok: 1, inputTokens: 90, outputTokens: 10, costUsd: 0.25, ms: 40 };
  expect(sums).toEqual([
    {
      ...{ model: 'small', mode: 'classic_tools', runs: 2, ok: 1, requests: 6, retries: 3, formatObedience: 0.5 },
      ...{ inputTokens: 100, outputTokens: 15, costUsd: 0.75, ms: 42 },
    },
    {
      ...{ model: 'small', mode: 'code_agent', runs: 2, ok: 2, requests: 4, retries: 0, formatObedience: 1 },
      ...{ inputTokens: 180, outputTokens: 20, costUsd: undefined, ms: 80 },
    },
    { model: 'large', mode: 'classic_tools', ...one, requests: 0, retries: 0, formatObedience: 1 },
    { model: 'huge', mode: 'classic_tools', ...one, requests: 1, retries: 5, formatObedience: 0 },
  ]);
  expect(sumUp([])).toEqual([]);
});

test('a change is told against the last time of the same task, mode and model', () => {
  const failed = { ...RUN, ok: false };
  const earlier = [at(1, RUN), at(2, failed, RUN), at(3, { ...RUN, task: 'rent' }, { ...RUN, model: 'large' })];
  const about = { task: 'note', mode: 'classic_tools', model: 'small' };
  expect(changesSince(earlier, [RUN])).toEqual([{ ...about, before: 0.5, now: 1 }]);
  expect(changesSince(earlier, [RUN, failed])).toEqual([]);
  expect(changesSince(earlier, [failed, failed, failed, RUN])).toEqual([{ ...about, before: 0.5, now: 0.25 }]);
  expect(changesSince(earlier, [{ ...RUN, mode: 'code_agent' }])).toEqual([]);
  expect(changesSince(earlier, [{ ...failed, task: 'rent' }])).toEqual([{ ...about, task: 'rent', before: 1, now: 0 }]);
  expect(changesSince([], [RUN])).toEqual([]);
});
