import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { HOUR_MS, MINUTE_MS } from '../when/zone.ts';

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
