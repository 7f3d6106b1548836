import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MODES, type Mode } from '../base/turn.ts';
import { openCommands } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type Evaluation, evaluate, type TaskRun, type Trial } from './evaluate.ts';
import { changesSince, earlierResults, saveResults, sumUp } from './results.ts';
import type { Task } from './tasks.ts';

const TASK: Task = { id: 'hello', files: {}, requests: ['hello'], checks: {} };
const never = new AbortController().signal;

async function runsOf(plan: Partial<Evaluation> & Pick<Evaluation, 'open'>) {
  const runs: TaskRun[] = [];
  const whole = { tasks: [TASK], modes: MODES, times: 1, budgetUsd: undefined, signal: never };
  const stopped = await evaluate({ ...whole, done: (run) => runs.push(run), ...plan });
  return { runs, stopped };
}

/** A trial whose turns cost so much. */
function costing(costUsd: number | undefined, opened: (number | undefined)[] = []): Evaluation['open'] {
  const usage = { inputTokens: 10, outputTokens: 1, cachedTokens: 0, calls: 1, costUsd };
  const trial: Trial = {
    ...{ project: 'home', folder: temporaryFolder(), timeZone: 'UTC' },
    runTurn: async () => ({ text: 'hi', stop: 'answered', steps: 1, usage }),
    ingest: async () => {},
    schedules: async () => [],
    close: async () => {},
  };
  return async (left) => {
    opened.push(left);
    return trial;
  };
}

test('tasks are done by the real program, on homes of their own, and what they used counts here', async () => {
  const { app, home } = await openCommands();
  const tasks: Task[] = [
    { id: 'note', files: {}, requests: ['note: buy oat milk'], checks: { notes: { contains: ['oat milk'] } } },
    {
      id: 'rent',
      files: { 'flat.md': '# Flat\n\nThe rent is 870 EUR a month.\n' },
      requests: ['how much is the rent?'],
      checks: { answer: { contains: ['870'] }, calls: { some: ['query_rag'] } },
    },
    { id: 'wrong', files: {}, requests: ['hello'], checks: { answer: { contains: ['goodbye'] } } },
  ];
  const { runs } = await runsOf({ tasks, open: (left) => app.home.openTrial(left) });
  const by = (mode: Mode) => runs.filter((each) => each.mode === mode).map(({ task, ok }) => `${task} ${ok}`);
  expect(MODES.map(by)).toEqual(MODES.map(() => ['note true', 'rent true', 'wrong false']));
  expect(runs[0]).toMatchObject({ model: 'builtin', requests: 2, costUsd: 0, retries: 0, failed: [] });
  expect(await app.models.usage('model')).toMatchObject([{ group: 'builtin', calls: 10 }]);
  expect(existsSync(join(home, 'projects/home/home.md'))).toBe(false);
});

test('it ends before a task that there is no money for, and turns get what is left', async () => {
  const opened: (number | undefined)[] = [];
  const { runs, stopped } = await runsOf({ open: costing(0.4, opened), times: 5, budgetUsd: 1 });
  expect([runs.length, stopped]).toEqual([3, 'budget']);
  expect(opened.map((left) => left?.toFixed(1))).toEqual(['1.0', '0.6', '0.2']);
});

test('a budget cannot be kept where a price is unknown', async () => {
  expect(await runsOf({ open: costing(undefined), budgetUsd: 1 })).toMatchObject({ stopped: 'unknown price' });
  expect(await runsOf({ open: costing(undefined) })).toMatchObject({ stopped: undefined });
});

test('a stop is a stop', async () => {
  const stop = new AbortController();
  stop.abort(new Error('cancelled'));
  await expect(runsOf({ open: costing(0), signal: stop.signal })).rejects.toThrow('cancelled');
});

test('what went otherwise than the last time is told', async () => {
  const { runs } = await runsOf({ open: costing(0.1), times: 2 });
  const dir = temporaryFolder();
  await saveResults(dir, { at: '2026-11-01T10:00:00.000Z', runs });
  await saveResults(dir, { at: '2026-11-02T10:00:00.000Z', runs: runs.map((run) => ({ ...run, ok: false })) });
  const earlier = await earlierResults(dir);
  expect(earlier).toHaveLength(2);
  expect(changesSince(earlier, runs)).toMatchObject([
    { task: 'hello', mode: 'classic_tools', before: 0, now: 1 },
    { task: 'hello', mode: 'code_agent', before: 0, now: 1 },
  ]);
  expect(changesSince([], runs)).toEqual([]);
  expect(sumUp(runs)).toMatchObject([
    { mode: 'classic_tools', runs: 2, ok: 2, requests: 2, costUsd: 0.2, formatObedience: 1 },
    { mode: 'code_agent' },
  ]);
});
