import { expect, test } from 'vitest';
import { runIn } from './jobs-said.ts';

const job = (when: string, next: string) => ({ id: 'job_1', text: 'tea', when, next: new Date(next) });
const day = (date: string) => ({ from: date, to: date });

test.each([
  ['every evening at 8 [0 20 * * *] (UTC)', '2026-11-24', '2026-11-24T20:00:00.000Z'],
  ['every tuesday at 7 (UTC)', '2026-12-01', '2026-12-01T07:00:00.000Z'],
  ['every tuesday at 7 (UTC)', '2026-12-02', undefined],
  ['every second friday at 9 (UTC)', '2026-12-04', undefined],
  ['once at 2026-11-23 20:00 (UTC)', '2026-11-24', undefined],
  ['when the moon is blue (UTC)', '2026-11-24', undefined],
])('%s on %s', (when, date, next) => {
  expect(runIn(day(date), job(when, '2026-11-23T20:00:00Z'), 'UTC')?.next.toISOString()).toBe(next);
});
