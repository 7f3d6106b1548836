import { describe, expect, test } from 'vitest';
import { endOfQuiet, nextStep, parseQuietHours, parseRoute, sayRoute } from './routes.ts';

const MINUTE = 60_000;

describe('a route', () => {
  const written = 'here, desktop, ntfy after 2m';
  const steps = [{ to: 'here' }, { to: 'desktop' }, { to: 'ntfy', afterMs: 2 * MINUTE }];

  test('is read as words and as a list, and written as it is read', () => {
    expect(parseRoute(written)).toEqual(steps);
    expect(parseRoute(['here', 'Desktop', { to: 'ntfy', after: '2m' }])).toEqual(steps);
    expect(sayRoute(parseRoute(' here,desktop , ntfy  AFTER 120s'))).toBe(written);
    expect(sayRoute(parseRoute('a after 90s, b after 3h'))).toBe('a after 90s, b after 3h');
  });

  test.each(['', 'ntfy in 2m', 'ntfy after', 'ntfy after soon', 'here,', '2m', [{ after: '2m' }]])(
    '%j is none',
    (wrong) => {
      expect(() => parseRoute(wrong)).toThrow('is no step');
    },
  );

  const since = new Date('2026-11-20T08:00:00Z');
  test.each([
    ['is gone through without a wait while nobody was reached', 1, false, { step: 1, at: since }],
    ['has no waits then, since there is nothing to wait for', 2, false, { step: 2, at: since }],
    ['ends', 3, false, undefined],
    ['goes on with the steps that wait once somebody was', 1, true, { step: 2, at: new Date(+since + 2 * MINUTE) }],
    ['ends without such a step', 3, true, undefined],
  ])('%s', (_what, from, delivered, next) => {
    expect(nextStep(parseRoute(written), { from, delivered, since })).toEqual(next);
  });
});

describe('quiet hours', () => {
  const end = (hours: string, now: string, zone = 'UTC') =>
    endOfQuiet(parseQuietHours(hours), new Date(now), zone)?.toISOString();

  test.each([
    ['22:00-07:00', '2026-11-20T21:59:59Z', undefined],
    ['22:00-07:00', '2026-11-20T22:00:00Z', '2026-11-21T07:00:00.000Z'],
    ['22:00-07:00', '2026-11-21T06:59:59Z', '2026-11-21T07:00:00.000Z'],
    ['22:00-07:00', '2026-11-21T07:00:00Z', undefined],
    ['12:30-14:00', '2026-11-20T13:00:00Z', '2026-11-20T14:00:00.000Z'],
    ['12:30-14:00', '2026-11-20T14:00:00Z', undefined],
    ['00:00-06:00', '2026-12-31T00:00:00Z', '2026-12-31T06:00:00.000Z'],
  ])('%s at %s end %s', (hours, now, until) => {
    expect(end(hours, now)).toBe(until);
  });

  test('are those of the owner, also in the night in which the clocks change', () => {
    expect(end('22:00-07:00', '2026-10-24T20:30:00Z', 'Europe/Oslo')).toBe('2026-10-25T06:00:00.000Z');
    expect(end('22:00-07:00', '2026-10-24T19:30:00Z', 'Europe/Oslo')).toBeUndefined();
  });

  test.each(['', '22-7', '22:00', '24:00-07:00', '22:00-22:00', '22:60-07:00'])('%j are none', (wrong) => {
    expect(() => parseQuietHours(wrong)).toThrow('must be like 22:00-07:00');
  });
});
