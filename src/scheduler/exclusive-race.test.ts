import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../store/store.ts';
import { isTaken } from '../store/unique.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { STORE_KINDS } from '../testing/stores.ts';
import { emptyDatabase, query } from '../testing/test-database.ts';
import { type Claim, RunTable } from './run-table.ts';

const CLAIM: Omit<Claim, 'owner'> = { leaseUntil: '2026-11-20T12:01:00.000Z', now: '2026-11-20T12:00:00.000Z' };

async function opened(url: string): Promise<Store> {
  const store = await openStore({ kind: 'postgres', url, home: 'race' });
  onTestFinished(() => store.close());
  return store;
}

/**
 * One program has claimed the run of 12:00 in a transaction that is still open, when the run of 11:00 is entered and
 * another program claims that.
 */
async function race(url: string): Promise<{ inProgress: number; refused: unknown }> {
  const [one, other] = [await opened(url), await opened(url)];
  const { scheduler } = await testScheduler({ store: one });
  const job = await scheduler.add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false });
  const run = { schedule_id: job.id, reason: 'time', state: 'due', exclusive: 1 } as const;
  await new RunTable(one).insert({ ...run, id: 'run_12', scheduled_for: '2026-11-20T12:00:00.000Z' });
  const { promise: claimed, resolve: claim } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const first = one.transaction(
    async () => {
      await new RunTable(one).claim({ ...CLAIM, owner: 'one' }, 10);
      claim();
      await entered;
    },
    { shared: true },
  );
  await claimed;
  await new RunTable(other).insert({ ...run, id: 'run_11', scheduled_for: '2026-11-20T11:00:00.000Z' });
  const second = other
    .transaction(() => new RunTable(other).claim({ ...CLAIM, owner: 'other' }, 10), { shared: true })
    .then(() => undefined)
    .catch((error: unknown) => error);
  // It waits for the open claim, where the index makes it.
  await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 200))]);
  enter();
  await first;
  const refused = await second;
  return { inProgress: (await new RunTable(one).inProgress()).length, refused };
}

describe.runIf(STORE_KINDS.includes('postgres'))('two claims of one exclusive job', () => {
  test('a run entered beside an open claim is not claimed as well', async () => {
    const { inProgress, refused } = await race(await emptyDatabase());
    expect(inProgress).toBe(1);
    expect(isTaken(refused)).toBe(true);
  });

  test('without the index both would be in progress, so it is what prevents it', async () => {
    const url = await emptyDatabase();
    await opened(url);
    await query(url, 'drop index runs_alone');
    expect(await race(url)).toEqual({ inProgress: 2, refused: undefined });
  });
});
