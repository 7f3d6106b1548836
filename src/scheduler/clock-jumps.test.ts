import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../when/zone.ts';
import { clockReturn } from './clock-return.ts';

const JOB = { when: '*/10 * * * *', prompt: 'x', project: 'home', untrusted: false } as const;

/** A job that runs every ten minutes; after half an hour the clock jumps, then an hour passes minute by minute. */
async function jump(byMs: number) {
  const made = await testScheduler();
  const { clock, scheduler, tick, ran } = made;
  await scheduler.add(JOB);
  const passMinutes = async (count: number) => {
    for (let n = 0; n < count; n++) {
      clock.advance(MINUTE_MS);
      await tick();
    }
  };
  await passMinutes(30);
  const before = ran.length;
  clock.set(new Date(clock.now().getTime() + byMs));
  await tick();
  const atOnce = ran.length - before;
  await passMinutes(60);
  return { ...made, atOnce, later: ran.length - before - atOnce };
}

test.each([
  ['1 minute', MINUTE_MS, 0],
  ['4 minutes', 4 * MINUTE_MS, 0],
  ['59 minutes', 59 * MINUTE_MS, 1],
  ['3 hours', 3 * HOUR_MS, 1],
  ['25 hours', 25 * HOUR_MS, 1],
])('a clock set ahead by %s is like having been off: at most one run catches up', async (_name, ms, catchUps) => {
  const { atOnce, later, ran } = await jump(ms);
  expect(atOnce).toBe(catchUps);
  expect(later).toBe(6);
  expect(new Set(ran.map((run) => run.scheduledFor.getTime())).size).toBe(ran.length);
});

test.each([
  ['1 minute', MINUTE_MS, 5],
  ['4 minutes', 4 * MINUTE_MS, 5],
  ['59 minutes', 59 * MINUTE_MS, 0],
  ['3 hours', 3 * HOUR_MS, 0],
  ['25 hours', 25 * HOUR_MS, 0],
])('a clock set back by %s repeats nothing, and the next run stays where it was', async (_name, ms, runs) => {
  const { atOnce, later, ran } = await jump(-ms);
  expect([atOnce, later]).toEqual([0, runs]);
  expect(new Set(ran.map((run) => run.scheduledFor.getTime())).size).toBe(ran.length);
});

test("the process's own time zone has no say", async () => {
  const before = process.env.TZ;
  try {
    const { scheduler, clock, tick, ran } = await testScheduler({ timeZone: 'Europe/Oslo' });
    await scheduler.add({ ...JOB, when: 'every day at 14:00' });
    process.env.TZ = 'Asia/Tokyo';
    expect(scheduler.preview('tomorrow 8am').next[0]?.toISOString()).toBe('2026-11-21T07:00:00.000Z');
    process.env.TZ = 'America/New_York';
    expect(scheduler.preview('friday at 9').next[0]?.toISOString()).toBe('2026-11-27T08:00:00.000Z');
    clock.advance(2 * HOUR_MS);
    await tick();
    expect(ran.map((run) => run.scheduledFor.toISOString())).toEqual(['2026-11-20T13:00:00.000Z']);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

/** What a clock that is 40 days ahead for six seconds leaves, and what comes in the days after it has come back. */
async function fortyDaysAhead(restart: boolean) {
  const made = await testScheduler();
  const { clock, scheduler, store } = made;
  const add = (when: string, prompt: string) => scheduler.add({ ...JOB, when, prompt });
  await add('every hour', 'hourly');
  await add('every day at 9', 'daily');
  await add('every 90 minutes', 'interval');
  await add('2026-12-01 10:00', 'once');
  const paused = await add('every day at 10', 'paused');
  await scheduler.pause(paused.id);
  clock.advance(90 * MINUTE_MS);
  await made.tick();
  const home = clock.now();
  clock.set(new Date(home.getTime() + 40 * DAY_MS));
  for (let second = 0; second < 6; second++) {
    clock.advance(1000);
    await made.tick();
  }
  const during = made.ran.splice(0);
  clock.set(new Date(home.getTime() + 6000));
  const after = restart ? await testScheduler({ store, clock }) : made;
  await after.tick();
  return { ...after, during, home, paused };
}

test.each([
  ['the program that saw it', false],
  ['one that starts afterwards', true],
])('after a clock far ahead, %s plans anew: nothing is silent until then', async (_, restart) => {
  const { clock, scheduler, tick, ran, notices, home, paused } = await fortyDaysAhead(restart);
  expect(notices.at(-1)?.text).toMatch(
    /^The clock of this machine was ahead, to 2026-12-\d\d, and has come back\. 4 jobs/u,
  );
  expect((await scheduler.show(paused.id)).next).toEqual([]);
  for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
    clock.advance(10 * MINUTE_MS);
    await tick();
  }
  const times = (prompt: string) => ran.filter(({ job }) => job.prompt === prompt).length;
  expect([times('hourly'), times('daily'), times('interval'), times('once')]).toEqual([24, 1, 16, 0]);
  clock.set('2026-12-01T10:00:30Z');
  await tick();
  expect(times('once')).toBe(1);
  expect(clockReturn(notices, new Date(home.getTime() - DAY_MS))).toEqual(new Date(home.getTime() + 6000));
});
