import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { isIn } from './portable.ts';
import { openStore, type Store } from './store.ts';

const NOW = '2026-01-01T00:00:00.000Z';

describe.each(STORE_KINDS)('a store on %s', (kind) => {
  async function open(path = join(temporaryFolder(), 'state', 'w.sqlite3')): Promise<Store> {
    const store = await openStore(testLocation(path, kind));
    onTestFinished(() => store.close());
    return store;
  }

  test('keeps what is written', async () => {
    const path = join(temporaryFolder(), 'w.sqlite3');
    const store = await open(path);
    await add(store, 'c');
    await store.close();
    const again = await open(path);
    expect(await again.db.selectFrom('conversations').select(['id', 'status']).execute()).toEqual([
      { id: 'c', status: 'active' },
    ]);
    expect(
      await again.db
        .selectFrom('conversations')
        .select((it) => it.fn.countAll().as('n'))
        .execute(),
    ).toEqual([{ n: 1 }]);
  });

  test('a transaction that throws leaves nothing', async () => {
    const store = await open();
    const attempt = store.transaction(async () => {
      await add(store, 'c');
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await ids(store)).toEqual([]);
    await store.transaction(() => add(store, 'd'));
    expect(await ids(store)).toEqual(['d']);
  });

  test('within a transaction, db and read are the transaction, wherever the code is', async () => {
    const store = await open();
    const deep = async () => {
      await sleep(1);
      await add(store, 'c');
      return ids(store, 'read');
    };
    const seen = await store.transaction(async () => {
      const [inside] = await Promise.all([deep(), sleep(5)]);
      return inside;
    });
    expect(seen).toEqual(['c']);
  });

  test('a transaction within another is part of it', async () => {
    const store = await open();
    const attempt = store.transaction(async () => {
      await store.transaction(() => add(store, 'c'));
      await store.relaxed(() => add(store, 'd'));
      await store.transaction(() => add(store, 'e'), { shared: true });
      expect(await ids(store)).toEqual(['c', 'd', 'e']);
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await ids(store)).toEqual([]);
  });

  test('transactions come one after the other, and lose no update', async () => {
    const path = join(temporaryFolder(), 'w.sqlite3');
    const stores = [await open(path), await open(path)];
    const [first = await open()] = stores;
    await add(first, 'c');
    const append = async (store: Store) => {
      const { title } = await store.db.selectFrom('conversations').select('title').executeTakeFirstOrThrow();
      await sleep(1);
      await store.db
        .updateTable('conversations')
        .set({ title: `${title ?? ''}x` })
        .execute();
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => pick(stores, at).transaction(() => append(pick(stores, at)))),
    );
    expect(await first.db.selectFrom('conversations').select('title').execute()).toEqual([{ title: 'x'.repeat(20) }]);
  });

  test('a read does not wait for a transaction and does not see it, a write waits', async () => {
    const store = await open();
    await add(store, 'before');
    const { promise: inside, resolve: enter } = Promise.withResolvers<void>();
    const { promise: leave, resolve: end } = Promise.withResolvers<void>();
    const order: string[] = [];
    const transaction = store
      .transaction(async () => {
        await add(store, 'during');
        enter();
        await leave;
      })
      .then(() => order.push('transaction'));
    await inside;
    expect(await ids(store, 'read')).toEqual(['before']);
    const write = store.transaction(() => add(store, 'after')).then(() => order.push('write'));
    await sleep(20);
    end();
    await Promise.all([transaction, write]);
    expect(order).toEqual(['transaction', 'write']);
    expect(await ids(store)).toEqual(['after', 'before', 'during']);
  });

  test('a write alongside is part of the next transaction, once', async () => {
    const store = await open();
    const ends: boolean[] = [];
    store.alongside(async () => {
      await add(store, 'along');
      store.atEnd((committed) => ends.push(committed));
    });
    expect(await ids(store)).toEqual([]);
    await expect(store.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await store.relaxed(() => add(store, 'first'));
    await store.relaxed(() => add(store, 'second'));
    expect(await ids(store)).toEqual(['along', 'first', 'second']);
    expect(ends).toEqual([true]);
  });

  test('a write alongside that fails is left out, and the transaction is not', async () => {
    const store = await open();
    const ends: boolean[] = [];
    store.alongside(async () => {
      store.atEnd((committed) => ends.push(committed));
      await add(store, 'first');
    });
    await store.relaxed(() => add(store, 'first'));
    expect(await ids(store)).toEqual(['first']);
    expect(ends).toEqual([false]);
  });

  test('a database handle that was kept is refused within a transaction, where it would wait for ever', async () => {
    const store = await open();
    const kept = store.db;
    const attempt = store.transaction(() => kept.selectFrom('conversations').selectAll().execute());
    await expect(attempt).rejects.toThrow('ask the store for `db`');
    expect(await kept.selectFrom('conversations').selectAll().execute()).toEqual([]);
  });

  test('work that outlives its transaction writes outside of it', async () => {
    const store = await open();
    let late: Promise<void> | undefined;
    const attempt = store.transaction(async () => {
      late = sleep(10).then(() => add(store, 'late'));
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    await late;
    expect(await ids(store)).toEqual(['late']);
  });

  test('a hearer that fails is no failure of who commits, and the others hear', async () => {
    const store = await open();
    const heard: string[] = [];
    store.wake.on('jobs', () => {
      throw new Error('deaf');
    });
    store.wake.on('jobs', () => heard.push('jobs'));
    await store.transaction(async () => {
      await add(store, 'c');
      await store.wake.notify('jobs');
    });
    expect(await ids(store)).toEqual(['c']);
    await expect.poll(() => heard).toContain('jobs');
  });

  test('hints are heard when the transaction is committed, by those who listen', async () => {
    const store = await open();
    const heard: string[] = [];
    const stop = store.wake.on('jobs', () => heard.push('jobs'));
    await store.transaction(async () => store.wake.on('other', () => {}));
    store.wake.on('mail', () => heard.push('mail'));
    await expect.poll(() => hearsOf(store, 'jobs', heard)).toBe(true);
    // Hints come in order, so none that was sent until now is still under way when one of these was heard.
    const last = vi.fn();
    store.wake.on('last', last);
    await store.wake.notify('last');
    await expect.poll(() => last).toHaveBeenCalled();
    heard.length = 0;
    await store.transaction(async () => {
      await store.wake.notify('jobs');
      await sleep(30);
      expect(heard).toEqual([]);
    });
    await expect.poll(() => heard).toEqual(['jobs']);
    const attempt = store.transaction(async () => {
      await store.wake.notify('jobs');
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    stop();
    await store.wake.notify('jobs');
    await store.wake.notify('mail');
    await expect.poll(() => heard).toEqual(['jobs', 'mail']);
  });

  test('a lock has one holder, and is free when that one lets go', async () => {
    const path = join(temporaryFolder(), 'w.sqlite3');
    const [one, two] = [await open(path), await open(path)];
    const lock = await one.lock('index a/b');
    expect(lock?.lost.aborted).toBe(false);
    expect(await two.lock('index a/b')).toBeUndefined();
    expect(await one.lock('index a/b')).toBeUndefined();
    const other = await two.lock('index c');
    expect(other).toBeDefined();
    await lock?.[Symbol.asyncDispose]();
    await using again = await two.lock('index a/b');
    expect(again).toBeDefined();
    await other?.[Symbol.asyncDispose]();
  });

  test('the clock is the time in ISO 8601', async () => {
    const store = await open();
    const now = await store.now();
    expect(new Date(now).toISOString()).toBe(now);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(5000);
    const inside = await store.transaction(async () => [await store.now(), await sleep(5), await store.now()]);
    expect(inside.at(0)).not.toBe(inside.at(2));
  });

  test('closing waits for what is running; afterwards there is a plain word', async () => {
    const path = join(temporaryFolder(), 'w.sqlite3');
    const store = await open(path);
    const work = store.transaction(async () => {
      await sleep(20);
      await add(store, 'c');
    });
    await sleep(5);
    await store.close();
    await store.close();
    await work;
    expect(() => store.db).toThrow('The store is closed.');
    await expect(store.transaction(async () => {})).rejects.toThrow('The store is closed.');
    expect(await ids(await open(path))).toEqual(['c']);
  });

  test('closing waits for a transaction that is repeated', async () => {
    const path = join(temporaryFolder(), 'w.sqlite3');
    const store = await open(path);
    const conflict = kind === 'sqlite' ? { errcode: 517 } : { code: '40001' };
    let closing: Promise<void> | undefined;
    let tries = 0;
    await store.transaction(async () => {
      await add(store, 'c');
      if (++tries > 1) return;
      setImmediate(() => {
        closing = store.close();
      });
      throw Object.assign(new Error('conflict'), conflict);
    });
    await closing;
    expect(await ids(await open(path))).toEqual(['c']);
  });

  test('closing within a transaction is refused, where it would wait for itself', async () => {
    const store = await open();
    await expect(store.transaction(() => store.close())).rejects.toThrow('within its transaction');
    expect(await ids(store)).toEqual([]);
  });

  test('what conflicts is repeated, three times at most, other errors are not', async () => {
    const store = await open();
    let tries = 0;
    const conflict = kind === 'sqlite' ? { errcode: 517 } : { code: '40001' };
    const work = async () => {
      tries++;
      await add(store, 'c');
      if (tries < 3) throw Object.assign(new Error('conflict'), conflict);
    };
    await store.transaction(work);
    expect([tries, await ids(store)]).toEqual([3, ['c']]);
    tries = 0;
    const always = store.transaction(async () => {
      tries++;
      throw Object.assign(new Error('conflict'), conflict);
    });
    await expect(always).rejects.toThrow('conflict');
    expect(tries).toBe(3);
    tries = 0;
    await expect(store.transaction(work)).rejects.toThrow();
    expect(tries).toBe(1);
  });

  test('rows are found by lists of any length', async () => {
    const store = await open();
    for (const id of ['a', 'b', 'c']) await add(store, id);
    const among = async (values: readonly string[]) =>
      (
        await store.db
          .selectFrom('conversations')
          .select('id')
          .where(isIn(store, 'id', values))
          .execute()
      ).length;
    expect([await among([]), await among(['a', 'c', 'x']), await among(Array(5000).fill('b'))]).toEqual([0, 2, 1]);
    const rounds = { tokens_before: 1, tokens_after: 1, summary: '', created_at: NOW, conversation_id: 'a' };
    await store.db
      .insertInto('compaction_events')
      .values([1, 2, 3].map((round) => ({ ...rounds, round })))
      .execute();
    const numbers = store.db
      .selectFrom('compaction_events')
      .select('round')
      .where(isIn(store, 'round', [1, 3, 9]));
    expect(await numbers.orderBy('round').execute()).toEqual([{ round: 1 }, { round: 3 }]);
  });

  test('receipts are neither changed nor deleted', async () => {
    const store = await open();
    const row = { at: NOW, turn_id: 't', conversation_id: 'c', tool: 'x', effect: 'local', input: '', input_sha: '' };
    await store.db
      .insertInto('receipts')
      .values({ ...row, seq: 1, state: 'done', previous: '', hash: 'h', destination: null })
      .execute();
    await expect(store.db.updateTable('receipts').set({ hash: 'other' }).execute()).rejects.toThrow(
      'receipts are never changed',
    );
    await expect(store.db.deleteFrom('receipts').execute()).rejects.toThrow('receipts are never deleted');
  });

  test('numbers that the database gives out rise, and what is part of a row goes with it', async () => {
    const store = await open();
    await add(store, 'c');
    const turn = { conversation_id: 'c', mode: 'code', origin: 'user', text: 'hi', status: 'running' as const };
    for (const id of ['b', 'a'])
      await store.db
        .insertInto('turns')
        .values({ ...turn, id, started_at: NOW, owner: null, finished_at: null })
        .execute();
    await store.db.insertInto('turn_memory').values({ turn_id: 'a', key: 'k', value: '1' }).execute();
    const turns = await store.db.selectFrom('turns').select(['id', 'seq']).orderBy('seq').execute();
    expect(turns.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(turns.every(({ seq }) => Number.isInteger(seq))).toBe(true);
    await store.db.deleteFrom('conversations').where('id', '=', 'c').execute();
    expect(await store.db.selectFrom('turn_memory').selectAll().execute()).toEqual([]);
  });
});

async function add(store: Store, id: string): Promise<void> {
  const row = { id, title: null, project: 'home', last_data: null, created_at: NOW, updated_at: NOW };
  await store.db.insertInto('conversations').values(row).execute();
}

async function ids(store: Store, from: 'db' | 'read' = 'db'): Promise<string[]> {
  const rows = await store[from].selectFrom('conversations').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Listening begins a moment later on a server. */
async function hearsOf(store: Store, topic: string, heard: readonly string[]): Promise<boolean> {
  await store.wake.notify(topic);
  await sleep(5);
  return heard.length > 0;
}

function pick<T>(values: readonly T[], at: number): T {
  return values[at % values.length] as T;
}
