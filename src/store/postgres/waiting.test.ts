/** Who waits for whom on PostgreSQL, and what becomes of those who wait when there is no answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import { addRule, changedUrl, openHome, rulesOf, serverUrl } from '../../testing/test-database.ts';
import type { Store } from '../store.ts';

const slowly = (store: Store, seconds: number) => sql`select pg_sleep(${seconds})`.execute(store.db);
const impatient = () => openHome(changedUrl({ search: '?query_timeout=300' }));

describe.runIf(STORE_KINDS.includes('postgres'))('on PostgreSQL', () => {
  test('a connection that did not answer in time is not asked again', async () => {
    const store = await impatient();
    const attempt = store.transaction(async () => {
      await expect(slowly(store, 1)).rejects.toThrow('Query read timeout');
      await expect(rulesOf(store)).rejects.toThrow('Connection terminated: it had not answered in time');
    });
    await expect(attempt).rejects.toThrow();
    await addRule(store, 'on another one');
    expect(await rulesOf(store)).toEqual(['on another one']);
  });

  test('who waits behind a transaction without an answer is sent away with it', async () => {
    const store = await impatient();
    let begun = 0;
    const first = store.transaction(() => slowly(store, 1));
    const second = store.transaction(async () => void begun++);
    await expect(first).rejects.toThrow('Query read timeout');
    await expect(second).rejects.toThrow('Query read timeout');
    expect(begun).toBe(0);
    // The server is at the first one for a while yet.
    const again = () => store.transaction(async () => 'done').catch(() => undefined);
    await expect.poll(again, { timeout: 10_000 }).toBe('done');
  });

  test('who waits behind one that failed for another reason has its turn', async () => {
    const store = await openHome(serverUrl());
    const first = store.transaction(async () => {
      await sleep(50);
      throw new Error('no');
    });
    const second = store.transaction(() => addRule(store, 'second'));
    await expect(first).rejects.toThrow('no');
    await second;
    expect(await rulesOf(store)).toEqual(['second']);
  });

  test('a shared transaction waits for its turn as soon as a part of it has to be the only one', async () => {
    const home = `test-${Math.random()}`;
    const [store, other] = [await openHome(serverUrl(), home), await openHome(serverUrl(), home)];
    const { promise: gate, resolve: leave } = Promise.withResolvers<void>();
    const { promise: inside, resolve: enter } = Promise.withResolvers<void>();
    const done: string[] = [];
    const alone = other.transaction(async () => {
      enter();
      await gate;
      done.push('alone');
    });
    await inside;
    const joined = store.transaction(
      async () => {
        await store.transaction(async () => void done.push('shared part'), { shared: true });
        await store.transaction(async () => void done.push('part of its own'));
      },
      { shared: true },
    );
    await expect.poll(() => done).toEqual(['shared part']);
    await sleep(50);
    expect(done).toEqual(['shared part']);
    leave();
    await Promise.all([alone, joined]);
    expect(done).toEqual(['shared part', 'alone', 'part of its own']);
  });

  test('closing waits for a query that is under way', async () => {
    const store = await openHome(serverUrl());
    let answered = false;
    const query = slowly(store, 0.3).then(() => {
      answered = true;
    });
    await sleep(100);
    await store.close();
    expect(answered).toBe(true);
    await query;
  });
});
