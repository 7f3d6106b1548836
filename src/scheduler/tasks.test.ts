import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import type { TaskCode } from './types.ts';

function task(schedule: string, run: TaskCode['run'] = async () => 'done'): TaskCode {
  return { taskKey: 'review', description: 'Daily review', schedule, payload: { n: 1 }, run };
}

test('a function of a plugin is entered once and runs with its payload', async () => {
  const { scheduler, clock, tick, notices } = await testScheduler();
  const seen: unknown[] = [];
  const review = task('0 12 * * *', async (payload) => {
    seen.push(payload);
    return 'the review';
  });
  await scheduler.seed([review]);
  await scheduler.seed([review]);
  expect(await scheduler.list()).toMatchObject([
    { task: 'DIRECT_FUNCTION', taskKey: 'review', prompt: 'Daily review' },
  ]);
  clock.advance(3_600_000);
  await tick();
  expect(seen).toEqual([{ n: 1 }]);
  expect(notices.map((notice) => notice.text)).toEqual(['the review']);
});

test('a schedule that changed in the code changes the job', async () => {
  const { scheduler } = await testScheduler();
  await scheduler.seed([task('0 12 * * *')]);
  await scheduler.seed([task('every day at 15:30')]);
  expect(await scheduler.list()).toMatchObject([
    { said: 'every day at 15:30', next: new Date('2026-11-20T15:30:00Z') },
  ]);
});

test('a job that the owner paused stays paused while the code says the same', async () => {
  const { scheduler } = await testScheduler();
  await scheduler.seed([task('0 12 * * *')]);
  const [job] = await scheduler.list();
  await scheduler.pause(job?.id ?? '');
  await scheduler.seed([task('0 12 * * *')]);
  expect(await scheduler.list()).toMatchObject([{ enabled: false, pausedBecause: 'you' }]);
});

test('a job rests while its plugin is off and goes on when it is back', async () => {
  const { scheduler, clock, tick, states } = await testScheduler();
  await scheduler.seed([task('0 12 * * *')]);
  await scheduler.seed([]);
  expect(await scheduler.list()).toMatchObject([{ enabled: false, pausedBecause: 'its plugin is off' }]);
  clock.advance(3_600_000);
  await tick();
  expect(await states()).toEqual([]);
  await scheduler.seed([task('0 12 * * *')]);
  expect(await scheduler.list()).toMatchObject([{ enabled: true, next: new Date('2026-11-21T12:00:00Z') }]);
});

test('a bad schedule of one plugin leaves the others alone', async () => {
  const { scheduler } = await testScheduler();
  await scheduler.seed([{ ...task('every blursday'), taskKey: 'bad' }, task('0 12 * * *')]);
  expect(await scheduler.list()).toMatchObject([{ taskKey: 'review' }]);
});

test('a daily review that was missed is sent once, late', async () => {
  const { scheduler, clock, tick, notices } = await testScheduler();
  await scheduler.seed([task('30 6 * * *', async () => 'the review')]);
  clock.set('2026-11-23T10:00:00Z');
  await scheduler.seed([task('30 6 * * *', async () => 'the review')]);
  await tick();
  expect(notices.filter((notice) => notice.text === 'the review')).toHaveLength(1);
});

test('a function that throws is a failure with its message', async () => {
  const { scheduler, clock, tick, notices } = await testScheduler();
  const broken = async () => {
    throw new Error('no calendar');
  };
  await scheduler.seed([task('0 12 * * *', broken)]);
  clock.advance(3_600_000);
  await tick();
  expect(notices[0]?.text).toContain('no calendar');
});
