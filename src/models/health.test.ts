import { describe, expect, test } from 'vitest';
import { FakeClock } from '../testing/clock.ts';
import type { Failure, FailureKind } from './failure.ts';
import { Health } from './health.ts';

const failure = (kind: FailureKind, retryAfterMs?: number): Failure => ({
  kind,
  reason: 'broke',
  retryAfterMs,
  cause: undefined,
});

function open() {
  const clock = new FakeClock('2026-11-20T10:00:00Z');
  return { clock, health: new Health(30_000, clock.now) };
}

describe('a model that failed', () => {
  test('is skipped for the interval, then tried once', () => {
    const { clock, health } = open();
    health.failed('m', failure('server'), 'answered 500');
    expect(health.of('m')).toMatchObject({ state: 'down', lastError: 'answered 500' });
    clock.advance(30_001);
    expect(health.of('m').state).toBe('half_open');
    health.succeeded('m', { ms: 100 });
    expect(health.of('m').state).toBe('ready');
  });

  test('is skipped twice as long after each failure in a row, ten minutes at most', () => {
    const { clock, health } = open();
    const pauses = Array.from({ length: 8 }, () => {
      health.failed('m', failure('network'), 'x');
      let ms = 0;
      while (health.of('m').state === 'down') {
        clock.advance(1000);
        ms += 1000;
      }
      return ms;
    });
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
  });

  test('is left alone for as long as it asked', () => {
    const { clock, health } = open();
    health.failed('m', failure('rate_limit', 120_000), 'answered 429');
    clock.advance(60_000);
    expect(health.of('m').state).toBe('down');
  });

  test.each(['request', 'too_long', 'empty', 'malformed'] as const)(
    'stays in use after a failure of kind %s',
    (kind) => {
      const { health } = open();
      health.succeeded('m', { ms: 10 });
      health.failed('m', failure(kind), 'x');
      expect(health.of('m')).toMatchObject({ state: 'ready', calls: 2, failures: 1 });
    },
  );
});

test('latencies are medians over the newest calls', () => {
  const { health } = open();
  for (const ms of [10, 1000, 20, 30, 15]) health.succeeded('m', { ms, firstTokenMs: ms / 2 });
  expect(health.of('m')).toMatchObject({ latencyMs: 20, firstTokenMs: 10 });
});
