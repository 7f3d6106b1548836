import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { addHome, countHome, listHomes, removeHome, requireHomeId, retireHome } from './homes.ts';
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
  await expect(listHomes(store)).rejects.toMatchObject({
    code: 'bad_usage',
    hint: expect.stringMatching(/WOOSTER_STORE_URL/u),
  });
  await expect(removeHome(store)).rejects.toMatchObject({ code: 'bad_usage' });
});

function homeOf({ location }: Store): string {
  return location.kind === 'postgres' ? location.home : '';
}

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('what is said on %s', (kind) => {
  test('who still uses a home is named, and it is known again', async () => {
    const store = await openFilled(kind);
    const now = Date.parse(await store.now());
    const seen = (ago: number) => new Date(now - ago).toISOString();
    for (const [id, ago] of [
      ['far:1@b#1/0000000a', 0],
      ['gone:2@b#1/0000000b', 31_000],
    ] as const)
      await store.db
        .insertInto('workers')
        .values({ id, host: 'there', started_at: '', seen_at: seen(ago) })
        .execute();
    const home = homeOf(store);
    await expect(retireHome(store, 0)).rejects.toMatchObject({
      ...{ code: 'bad_usage', message: `Home ${home} is in use by far:1@b#1/0000000a on there.` },
      hint: `End the programs with WOOSTER_HOME_ID=${home} first.`,
    });
    expect((await listHomes(store)).map(({ id }) => id)).toContain(home);
    // When the last one leaves, the wait ends.
    const leaving = retireHome(store, 20_000);
    await sleep(100);
    await store.db.deleteFrom('workers').where('id', '=', 'far:1@b#1/0000000a').execute();
    await leaving;
    expect((await listHomes(store)).map(({ id }) => id)).not.toContain(home);
    await removeHome(store);
  });

  test('a name that cannot be used, or is too similar, is refused with what can be', async () => {
    const store = await openFilled(kind);
    await expect(addHome(store, 'two words')).rejects.toMatchObject({
      ...{
        message: '"two words" cannot be the name of a home.',
        hint: expect.stringMatching(/^Use up to 64 letters/u),
      },
    });
    const id = homeOf(store).toUpperCase();
    await expect(addHome(store, id)).rejects.toMatchObject({
      message: `There is a home ${homeOf(store)}, which is too similar to ${id}.`,
      hint: expect.stringContaining('upper and lower case'),
    });
  });
});

test('on SQLite nothing of this can be done, and why is said', async () => {
  const store = await openStore(testLocation(':memory:', 'sqlite'));
  onTestFinished(() => store.close());
  const message = 'An SQLite database is one home: there are no others to manage.';
  await expect(addHome(store, 'anna')).rejects.toMatchObject({ code: 'bad_usage', message });
  await expect(retireHome(store)).rejects.toMatchObject({ code: 'bad_usage', message });
  expect(() => requireHomeId('anna')).not.toThrow();
});
