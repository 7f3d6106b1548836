import { describe, expect, test } from 'vitest';
import { elapsed, nextAfter, nextTimes, type Timing } from './timing.ts';

const timing = (kind: Timing['kind'], expression: string, anchor = '2026-11-20T11:00:00Z'): Timing => ({
  kind,
  expression,
  timeZone: 'UTC',
  anchor: new Date(anchor),
});
const at = (time: string) => new Date(`2026-11-${time}:00Z`);

describe('the next time', () => {
  test.each([
    ['at', '2026-11-21T09:00:00.000Z', '21T08:59', '21T09:00'],
    ['at', '2026-11-21T09:00:00.000Z', '21T09:00', undefined],
    ['on', 'project-changed', '21T09:00', undefined],
    ['cron', '0 9 * * *', '21T09:00', '22T09:00'],
    ['cron', '0 9 * * *', '21T08:59', '21T09:00'],
    ['cron', '0 9 * * *; until 2026-11-21', '21T08:59', '21T09:00'],
    ['cron', '0 9 * * *; until 2026-11-21', '21T09:00', undefined],
    ['every', '3600', '20T11:00', '20T12:00'],
    ['every', '3600', '20T11:59', '20T12:00'],
    ['every', '3600', '20T12:00', '20T13:00'],
    ['every', '3600', '19T07:13', '20T12:00'],
  ] as const)('of %s %s after %s is %s', (kind, expression, after, next) => {
    expect(nextAfter(timing(kind, expression), at(after))).toEqual(next && at(next));
  });

  test('of several there are as many as there are', () => {
    expect(nextTimes(timing('every', '60'), at('20T11:00'), 2)).toEqual([at('20T11:01'), at('20T11:02')]);
    expect(nextTimes(timing('cron', '0 9 * * *; until 2026-11-22'), at('20T11:00'), 5)).toEqual([
      at('21T09:00'),
      at('22T09:00'),
    ]);
    expect(nextTimes(timing('cron', '0 9 * * *'), at('20T11:00'), 0)).toEqual([]);
  });
});

describe('the times that have come', () => {
  const daily = timing('cron', '0 9 * * *');

  test('up to an instant, that one included, the newest kept', () => {
    const first = at('21T09:00');
    const latest = [at('22T09:00'), at('23T09:00')];
    expect(elapsed(daily, first, { until: at('23T09:00'), keep: 2 })).toEqual({
      latest,
      first,
      count: 3,
      capped: false,
    });
    expect(elapsed(daily, first, { until: at('23T08:59'), keep: 2 })).toMatchObject({ count: 2 });
    expect(elapsed(daily, first, { until: first, keep: 2 })).toEqual({
      ...{ latest: [first], first, count: 1, capped: false },
    });
  });

  test('of an interval, by counting', () => {
    const first = at('20T12:00');
    const every = timing('every', '3600');
    expect(elapsed(every, first, { until: at('20T15:59'), keep: 2 })).toEqual({
      ...{ latest: [at('20T14:00'), at('20T15:00')], first, count: 4, capped: false },
    });
    expect(elapsed(every, first, { until: at('20T12:00'), keep: 9 })).toEqual({
      ...{ latest: [first], first, count: 1, capped: false },
    });
  });

  test('of too many to count, the newest all the same, however far back', () => {
    const inJanuary = timing('cron', '* * * 1 *');
    const first = new Date('2026-01-01T00:00:00Z');
    const latest = [new Date('2026-01-31T23:58:00Z'), new Date('2026-01-31T23:59:00Z')];
    expect(elapsed(inJanuary, first, { until: at('20T12:00'), keep: 2 })).toMatchObject({
      first,
      latest,
      capped: true,
    });
  });

  test('of too many to count, as many of the newest as are wanted, past hours without any', () => {
    const until = new Date('2027-06-20T08:00:00Z');
    const { latest, capped } = elapsed(timing('cron', '* 9 * * *'), at('01T09:00'), { until, keep: 62 });
    expect(capped).toBe(true);
    expect(latest).toHaveLength(62);
    const times = ['18T09:58', '18T09:59', '19T09:00'].map((time) => new Date(`2027-06-${time}:00Z`));
    expect(latest.slice(0, 3)).toEqual(times);
    expect(latest.at(-1)).toEqual(new Date('2027-06-19T09:59:00Z'));
  });
});

test('the next times end before an instant', () => {
  const most = { count: 400, before: at('20T14:00') };
  expect(nextTimes(timing('every', '3600'), at('20T11:30'), most)).toEqual([at('20T12:00'), at('20T13:00')]);
});
