import { expect, test, vi } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { dropWaiting } from './job-edits.ts';
import { type Claim, RunTable } from './run-table.ts';

const CLAIM: Claim = { owner: 'one', leaseUntil: '2026-11-20T12:01:00.000Z', now: '2026-11-20T12:00:00.000Z' };

/** A claimed run of a job. */
async function claimed() {
  const { scheduler, store } = await testScheduler();
  const job = await scheduler.add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false });
  const runs = new RunTable(store);
  const run = { schedule_id: job.id, reason: 'time', state: 'due', exclusive: 1 } as const;
  await runs.insert({ ...run, id: 'run_1', scheduled_for: '2026-11-20T12:00:00.000Z' });
  const [first] = await store.transaction(() => runs.claim(CLAIM, 10), { shared: true });
  if (!first) throw new Error('nothing was claimed');
  return { runs, first };
}

test('an attempt that was given up cannot end the one that followed it in the same process', async () => {
  const { runs, first } = await claimed();
  expect(await runs.change(first, { state: 'due', owner: null, lease_until: null })).toBe(true);
  const [second] = await runs.claim(CLAIM, 10);
  expect(second).toMatchObject({ id: first.id, attempt: 2, state: 'running' });
  expect(await runs.change(first, { state: 'succeeded' })).toBe(false);
  expect(await runs.find(first.id)).toMatchObject({ state: 'running' });
});

test('what waits can be changed until somebody has claimed it', async () => {
  const { runs, first } = await claimed();
  expect(await runs.changeDue(first.id, { event: '["late.md"]' })).toBe(false);
  await runs.change(first, { state: 'due', owner: null, lease_until: null });
  expect(await runs.changeDue(first.id, { event: '["early.md"]' })).toBe(true);
  expect(await runs.find(first.id)).toMatchObject({ event: '["early.md"]' });
});

test('a run that is claimed while its job is moved to another time goes on', async () => {
  const { runs, first } = await claimed();
  vi.spyOn(runs, 'open').mockResolvedValue([{ ...first, state: 'due' }]);
  await dropWaiting(runs, first.schedule_id);
  expect(await runs.find(first.id)).toMatchObject({ state: 'running', error: null });
});
