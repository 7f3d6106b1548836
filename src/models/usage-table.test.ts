import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { FakeClock } from '../testing/clock.ts';
import { openTestStore } from '../testing/stores.ts';
import { type UsageEntry, UsageTable } from './usage-table.ts';

const ENTRY: UsageEntry = {
  ...{ project: 'home', mode: 'classic_tools', provider: 'dear', model: 'd', purpose: 'turn', ok: true },
  ...{ inputTokens: 10, outputTokens: 5, cachedTokens: 4, costUsd: 2, latencyMs: 100 },
};

test('the minutes of a day, and the days of a month, are added up in order', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const clock = new FakeClock('2026-10-31T22:30:00Z');
  const table = new UsageTable({ store, now: clock.now, log: silentLog, timeZone: 'Europe/Berlin' });
  const at = (time: string, changes: Partial<UsageEntry> = {}) => {
    clock.set(new Date(time));
    table.add({ ...ENTRY, ...changes });
  };
  at('2026-11-01T09:01:00Z', { ok: false, costUsd: undefined });
  at('2026-11-01T09:01:20Z');
  at('2026-11-01T09:02:00Z', { ok: false, costUsd: undefined, latencyMs: 300, inputTokens: 1 });
  at('2026-11-01T09:02:30Z', { latencyMs: 200, outputTokens: 7, cachedTokens: 0 });
  at('2026-11-02T09:00:00Z');
  at('2026-10-31T22:30:00Z');
  const one = { calls: 1, failed: 0, unpricedCalls: 0, costUsd: 2, meanLatencyMs: 100 };
  const tokens = { inputTokens: 10, outputTokens: 5, cachedTokens: 4 };
  const four = { calls: 4, failed: 2, unpricedCalls: 2, costUsd: 4, meanLatencyMs: 175 };
  expect(await table.sums('day')).toEqual([
    { group: '2026-10-31', ...one, ...tokens },
    { group: '2026-11-01', ...four, inputTokens: 31, outputTokens: 22, cachedTokens: 12 },
    { group: '2026-11-02', ...one, ...tokens },
  ]);
  expect(await table.sums('month')).toEqual([
    { group: '2026-10', ...one, ...tokens },
    {
      ...{ group: '2026-11', calls: 5, failed: 2, unpricedCalls: 2, costUsd: 6, meanLatencyMs: 160 },
      ...{ inputTokens: 41, outputTokens: 27, cachedTokens: 16 },
    },
  ]);
});
