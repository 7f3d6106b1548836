import { describe, expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { addHome, countHome, listHomes, removeHome } from './homes.ts';
import { openStore, type Store } from './store.ts';

const AT = '2026-11-22T12:00:00.000Z';

async function openFilled(kind: Store['kind']): Promise<Store> {
  const store = await openStore(testLocation(':memory:', kind));
  onTestFinished(() => store.close());
  await store.db
    .insertInto('conversations')
    .values({ id: 'c', title: null, project: 'home', last_data: null, created_at: AT, updated_at: AT })
    .execute();
  await store.db
    .insertInto('receipts')
    .values({
      ...{ seq: 1, at: AT, turn_id: 't', conversation_id: 'c', tool: 't', effect: 'local', destination: null },
      ...{ input: '{}', input_sha: 's', state: 'done', result: null, approved_by: null, previous: '', hash: 'h' },
    })
    .execute();
  return store;
}

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('on %s', (kind) => {
  test('a home is deleted with its receipts, and the others keep theirs', async () => {
    const [mine, other] = [await openFilled(kind), await openFilled(kind)];
    await removeHome(mine);
    expect([...(await countHome(mine))]).toEqual([]);
    expect(Object.fromEntries(await countHome(other))).toEqual({ conversations: 1, receipts: 1 });
    const ids = (await listHomes(other)).map(({ id }) => id);
    expect(ids).toContain(homeOf(other));
    expect(ids).not.toContain(homeOf(mine));
    await expect(other.db.deleteFrom('receipts').execute()).rejects.toThrow('receipts are never deleted');
  });

  test('a home is added once, under a name that can be used', async () => {
    const store = await openFilled(kind);
    const id = `${homeOf(store)}-b`;
    expect([await addHome(store, id), await addHome(store, id)]).toEqual([true, false]);
    await expect(addHome(store, 'two words')).rejects.toMatchObject({ code: 'bad_usage' });
    const added = await openStore({ ...testLocation(':memory:', kind), home: id } as Store['location']);
    onTestFinished(() => added.close());
    await removeHome(added);
  });
});

test('an SQLite file is one home', async () => {
  const store = await openStore(testLocation(':memory:', 'sqlite'));
  onTestFinished(() => store.close());
  await expect(listHomes(store)).rejects.toMatchObject({ code: 'bad_usage', hint: /WOOSTER_STORE_URL/u });
  await expect(removeHome(store)).rejects.toMatchObject({ code: 'bad_usage' });
});

function homeOf({ location }: Store): string {
  return location.kind === 'postgres' ? location.home : '';
}
