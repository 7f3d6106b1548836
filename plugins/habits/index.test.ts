import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import { streakOf } from './habit-tools.ts';
import habits from './index.ts';

const DAILY = { every: 'day', times: 1 } as const;

test('a streak counts days in a row up to today, which is not lost before it is over', () => {
  const days = ['2026-01-10', '2026-01-12', '2026-01-13', '2026-01-14'];
  expect(streakOf(days, DAILY, '2026-01-15')).toEqual({ current: 3, longest: 3 });
  expect(streakOf(days, DAILY, '2026-01-16')).toEqual({ current: 0, longest: 3 });
  expect(streakOf([...days, '2026-01-15'], DAILY, '2026-01-15')).toEqual({ current: 4, longest: 4 });
  expect(streakOf(['2024-02-28', '2024-02-29', '2024-03-01'], DAILY, '2024-03-01').current).toBe(3);
});

test('a weekly habit counts weeks from Monday to Sunday in which it was kept often enough', () => {
  const twice = { every: 'week', times: 2 } as const;
  // Two in the week of 29 December, two in that of 5 January, one in that of 12 January so far.
  const days = ['2025-12-29', '2026-01-04', '2026-01-05', '2026-01-11', '2026-01-12'];
  expect(streakOf(days, twice, '2026-01-15')).toEqual({ current: 2, longest: 2 });
  expect(streakOf([...days, '2026-01-18'], twice, '2026-01-18')).toEqual({ current: 3, longest: 3 });
});

test('a habit is begun, kept and listed with its streak', async () => {
  const { call } = await startPlugin(habits);
  await call('create_habit', { name: 'Run' });
  await expect(call('create_habit', { name: 'run' })).rejects.toThrow('There is a habit "run"');
  for (const date of ['2026-01-13', '2026-01-14', '2026-01-14']) await call('habit_checkin', { habit: 'run', date });
  expect(await call('habit_checkin', { habit: 'run' })).toEqual({
    habit: 'Run',
    done: '2026-01-15',
    current: 3,
    longest: 3,
  });
  expect(await call('list_habits')).toEqual([
    { habit: 'Run', every: 'day', doneToday: true, streak: 3, longest: 3, last30Days: 3 },
  ]);
  expect(await call('habit_checkin', { habit: 'run', undo: true })).toMatchObject({ undone: '2026-01-15', current: 2 });
  await expect(call('habit_checkin', { habit: 'run', date: '2026-01-16' })).rejects.toThrow('not come yet');
  await expect(call('habit_checkin', { habit: 'swim' })).rejects.toThrow('No habit is called "swim": Run');
  expect(await call('delete_habit', { habit: 'run' })).toBe('Deleted: Run (2 days).');
});

test('a goal says how far it is and which steps are left', async () => {
  const { call } = await startPlugin(habits);
  await call('create_goal', { name: 'Read', target: 20, unit: 'books', milestones: ['ten'] });
  await call('update_goal', { goal: 'read', add: 4 });
  expect(await call('update_goal', { goal: 'read', add: 1, doneMilestone: 'ten', newMilestone: 'all' })).toEqual({
    goal: 'Read',
    ...{ progress: '5 of 20 books', percent: 25, milestones: ['[x] ten', '[ ] all'] },
  });
  await call('update_goal', { goal: 'read', reached: true });
  expect(await call('list_goals')).toEqual([]);
  expect(await call('list_goals', { all: true })).toMatchObject([{ reached: '2026-01-15' }]);
});

test('a damaged file is named and stays as it is', async () => {
  const { call, home } = await startPlugin(habits);
  const path = join(home, 'habits.json');
  writeFileSync(path, '{"habits": [{"name": 1}]}');
  await expect(call('create_habit', { name: 'Run' })).rejects.toThrow(/habits\.json is damaged/u);
  expect(readFileSync(path, 'utf8')).toBe('{"habits": [{"name": 1}]}');
});
