import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../when/zone.ts';
import { type PlanQuestion, plan } from './plan.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS - HOUR_MS);

/** A daily job that has not run for six days; all its times are within the window. */
function question(catchUp: PlanQuestion['options']['catchUp'], kind: PlanQuestion['kind'] = 'cron'): PlanQuestion {
  const latest = [5, 4, 3, 2, 1, 0].map(daysAgo);
  const options = { catchUp, catchUpMax: 2, windowMs: 30 * DAY_MS };
  return { kind, options, due: { first: daysAgo(5), count: 6, latest, capped: false }, now: NOW };
}

test('`all` runs the newest missed times, in order, and lists the older ones as missed', () => {
  expect(plan(question('all'))).toEqual([
    { scheduledFor: daysAgo(2), reason: 'time', run: false, missed: 3, firstMissed: daysAgo(5) },
    { scheduledFor: daysAgo(1), reason: 'catch-up', run: true, missed: 0, firstMissed: undefined },
    { scheduledFor: daysAgo(0), reason: 'catch-up', run: true, missed: 0, firstMissed: undefined },
  ]);
});

test('`once` runs the newest missed time, which stands for all others', () => {
  const one = { scheduledFor: daysAgo(0), reason: 'catch-up', run: true, missed: 5, firstMissed: daysAgo(5) };
  expect(plan(question('once'))).toEqual([one]);
  expect(plan(question('all', 'every'))).toEqual([one]);
});

test.each([
  ['skip', 'time'],
  ['ask', 'ask'],
] as const)('`%s` runs none and leaves one row', (catchUp, reason) => {
  expect(plan(question(catchUp))).toEqual([
    { scheduledFor: daysAgo(0), reason, run: false, missed: 5, firstMissed: daysAgo(5) },
  ]);
});
