import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import type { JobOptions, NewJob, OnDue } from './types.ts';

const HOUR = 3_600_000;
/** A run that goes on until its program ends. */
const untilStopped: OnDue = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const HEAD = 'Scheduled runs were missed while Wooster was not running:';

/** What is told when a program starts that was off for so long; ids are written as `ID`. */
async function told(when: string, options: Partial<JobOptions>, offHours: number, untilLook?: (now: Date) => Date) {
  const { clock, scheduler, tick, notices } = await testScheduler();
  const { id } = await scheduler.add({ when, prompt: 'say hello', project: 'home', untrusted: false, options });
  clock.advance(offHours * HOUR);
  if (untilLook) clock.set(untilLook(clock.now()).toISOString());
  await tick();
  const digests = notices.filter(({ key }) => key.startsWith('digest:')).map(({ text }) => text.replaceAll(id, 'ID'));
  return { digests, history: (await scheduler.show(id)).history, job: (await scheduler.show(id)).job };
}

test.each([
  ['tomorrow at 9', { catchUp: 'once' }, 23, 'missed its run of Sat 2026-11-21 09:00; it runs once now.'],
  [
    'tomorrow at 9',
    { catchUp: 'ask' },
    23,
    'missed its run of Sat 2026-11-21 09:00; run it now with `wooster schedule run ID`?',
  ],
  [
    'tomorrow at 9',
    { catchUp: 'skip' },
    23,
    'missed its run of Sat 2026-11-21 09:00; not run; `wooster schedule run ID` runs it after all.',
  ],
  ['every day at 9', { catchUp: 'skip' }, 71, 'missed 3 runs, the latest of Mon 2026-11-23 09:00; not run.'],
  ['every day at 9', { catchUp: 'once' }, 71, 'missed 3 runs, the latest of Mon 2026-11-23 09:00; it runs once now.'],
  [
    'every day at 9',
    { catchUp: 'all', windowMs: 99 * HOUR },
    71,
    'missed 3 runs, the latest of Mon 2026-11-23 09:00; it runs 3 times now.',
  ],
  [
    'every day at 9',
    { catchUp: 'all', windowMs: 99 * HOUR, catchUpMax: 2 },
    71,
    'missed 3 runs, the latest of Mon 2026-11-23 09:00; it runs 2 times now.',
  ],
  [
    'every day at 9',
    { catchUp: 'all', windowMs: 30 * HOUR },
    71,
    'missed 3 runs, the latest of Mon 2026-11-23 09:00; it runs 2 times now.',
  ],
  [
    'every day at 9',
    { catchUp: 'once', windowMs: HOUR - 1 },
    71,
    'missed 3 runs, the latest of Mon 2026-11-23 09:00; not run.',
  ],
  [
    'every day at 9',
    { catchUp: 'once', windowMs: HOUR },
    71,
    'missed 3 runs, the latest of Mon 2026-11-23 09:00; it runs once now.',
  ],
] as const)('%s with %o, off for %i hours', async (when, options, hours, line) => {
  expect((await told(when, options, hours)).digests).toEqual([`${HEAD}\n- "say hello" (ID): ${line}`]);
});

test('what comes within a minute of its time is on time and not told', async () => {
  const at = (second: string) => () => new Date(`2026-11-21T09:${second}Z`);
  expect((await told('tomorrow at 9', {}, 1, at('01:00'))).digests).toEqual([]);
  expect((await told('tomorrow at 9', {}, 1, at('01:01'))).digests).toHaveLength(1);
});

test('a one-off that was missed for good is over', async () => {
  const { job, history } = await told('tomorrow at 9', { catchUp: 'skip' }, 23);
  expect(job).toMatchObject({ enabled: false, pausedBecause: 'its time was missed', next: undefined });
  expect(history).toMatchObject([{ state: 'missed', reason: 'time', missed: 0 }]);
});

test('of many jobs twenty are listed, and how many more there are', async () => {
  const { clock, scheduler, tick, notices } = await testScheduler();
  const job: NewJob = { when: 'tomorrow at 9', prompt: 'x', project: 'home', untrusted: false };
  for (let n = 0; n < 23; n++) await scheduler.add({ ...job, prompt: `job ${n}`, options: { catchUp: 'skip' } });
  clock.advance(23 * HOUR);
  await tick();
  const [{ text = '' } = {}] = notices;
  const lines = text.split('\n');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('… and 3 more; see `wooster schedule list`.');
  const few = text.split('\n').slice(1, 21);
  expect(few.every((line) => line.startsWith('- "job '))).toBe(true);
});

test.each([
  ['skip', ['running', 'skipped'], /^overlap: run run_\w+ was not over$/u],
  ['queue', ['running', 'due', 'skipped'], /^overlap: one run is already waiting$/u],
] as const)('with %s, a run says why it was skipped', async (overlap, states, why) => {
  const { clock, scheduler, states: all } = await testScheduler({ onDue: untilStopped });
  const options: Partial<JobOptions> = { overlap, deadlineMs: 99 * HOUR };
  const { id } = await scheduler.add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false, options });
  for (let n = 0; n < states.length; n++) {
    clock.advance(HOUR);
    await scheduler.tick();
  }
  expect(await all()).toEqual(states);
  const { history } = await scheduler.show(id);
  expect(history[0]?.error).toMatch(why);
  expect(history[0]?.error).toContain(overlap === 'skip' ? (history[1]?.id ?? '?') : '');
});
