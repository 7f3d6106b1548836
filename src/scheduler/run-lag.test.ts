import { expect, onTestFinished, test } from 'vitest';
import type { RunState } from '../store/schema.ts';
import { openTestStore } from '../testing/stores.ts';
import { runLag } from './run-lag.ts';

const before = (ms: number) => new Date(Date.now() - ms).toISOString();

test('the age is that of the oldest run that could start; workers are those that were seen', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const { workers: seen, ...idle } = await runLag(store);
  expect(idle).toEqual({
    ...{ due: 0, inProgress: 0, oldestDueMs: null, lastRun: null, nextRun: null },
  });
  // On a server this program is one.
  expect(seen).toHaveLength(store.kind === 'sqlite' ? 0 : 1);
  await store.db
    .insertInto('schedules')
    .values({
      ...{ id: 's', kind: 'at', expression: 'x', said: 'x', description: 'x', time_zone: 'UTC', task: 'AGENT_PROMPT' },
      ...{ task_key: null, seeded: null, payload: '{}', options: '{}', pin: null, project: 'home' },
      ...{ paused_because: null, next_run_utc: null, anchor_utc: before(0), tz_data: 'x', idempotency_key: null },
      created_at: before(0),
    })
    .execute();
  const run = (id: string, state: RunState, times: { scheduled_for: string; not_before?: string }) => ({
    ...{ id, schedule_id: 's', reason: 'time' as const, state, owner: null, lease_until: null, not_before: null },
    ...{ first_missed: null, event: null, conversation_id: null, turn_id: null, output: null, error: null },
    ...{ cost_usd: null, started_at: null, finished_at: null, chain: null, ...times },
  });
  await store.db
    .insertInto('runs')
    .values([
      run('late', 'due', { scheduled_for: before(120_000) }),
      run('again', 'due', { scheduled_for: before(900_000), not_before: before(-60_000) }),
      run('busy', 'running', { scheduled_for: before(800_000) }),
      run('done', 'succeeded', { scheduled_for: before(700_000) }),
    ])
    .execute();
  const worker = { id: 'w1', host: 'one', started_at: before(60_000), seen_at: before(5000) };
  const killed = { ...worker, id: 'w2', seen_at: before(31_000) };
  await store.db.insertInto('workers').values([worker, killed]).execute();
  const lag = await runLag(store);
  expect(lag).toMatchObject({ due: 2, inProgress: 1 });
  expect(lag.workers.map(({ id }) => id)).not.toContain('w2');
  const other = lag.workers.find(({ id }) => id === 'w1');
  expect(other).toMatchObject({ host: 'one' });
  expect(Math.round((lag.oldestDueMs ?? 0) / 10_000)).toBe(12);
  expect(Math.round((other?.seenMsAgo ?? 0) / 1000)).toBe(5);
});
