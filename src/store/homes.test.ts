import { describe, expect, onTestFinished, test } from 'vitest';
import { HOME_ID_FORM } from '../base/home-id.ts';
import { preview } from '../base/text.ts';
import { openTestStore, STORE_KINDS } from '../testing/stores.ts';
import { emptyDatabase } from '../testing/test-database.ts';
import { addHome, countHome, listHomes, removeHome, requireHomeId, retireHome } from './homes.ts';
import { openStore, type Store } from './store.ts';

const at = '2026-11-22T07:00:00.000Z';

const BAD = [
  ...['', ' ', '.', '..', '../x', '.env', 'a/b', 'a\\b', '/etc', '-x', '_x', 'a b', 'a\nb', "a'b", 'a"b', 'a;b', 'a$b'],
  ...['a\u0000b', 'a%b', 'a*b', '\u202ea', 'a\u0301', 'ａnna', 'ﬁn', '💥', 'x'.repeat(65), '𐍈'.repeat(60)],
];
const GOOD = ['anna', 'a..b', 'a@b.example', '0', 'émile', '日本語', 'x'.repeat(64), 'wooster_app', 'null'];

test('a name is checked before anybody is asked, and what can be used is said', () => {
  for (const id of BAD)
    expect(() => requireHomeId(id), JSON.stringify(id)).toThrow(
      expect.objectContaining({
        ...{ code: 'bad_usage', message: `"${preview(id, 80)}" cannot be the name of a home.` },
        hint: `Use ${HOME_ID_FORM}.`,
      }),
    );
  for (const id of GOOD) expect(() => requireHomeId(id), id).not.toThrow();
});

describe.runIf(STORE_KINDS.includes('postgres'))('homes on a server', { timeout: 60_000 }, () => {
  const open = async (home: string, url: string): Promise<Store> => openStore({ kind: 'postgres', url, home, pool: 2 });
  const fill = (store: Store) =>
    store.db
      .insertInto('conversations')
      .values({ id: 'conv_same', title: 'x', project: 'home', created_at: at, updated_at: at })
      .execute();

  test('have names that are safe as folders, in whatever way they come', async () => {
    const url = await emptyDatabase();
    const store = await open('default', url);
    for (const id of BAD) {
      await expect(addHome(store, id), JSON.stringify(id)).rejects.toMatchObject({ code: 'bad_usage' });
      await expect(open(id, url), JSON.stringify(id)).rejects.toMatchObject({ code: 'bad_setting' });
    }
    for (const id of GOOD) expect(await addHome(store, id), id).toBe(true);
    expect(await addHome(store, 'default')).toBe(false);
    await expect(addHome(store, 'ANNA')).rejects.toMatchObject({ code: 'bad_usage' });
    expect((await listHomes(store)).map(({ id }) => id)).toEqual(['default', ...GOOD].sort());
    await store.close();
  });

  test('are removed with all their rows and nobody else’s', async () => {
    const url = await emptyDatabase();
    const [anna, ben] = [await open('anna', url), await open('ben', url)];
    await Promise.all([fill(anna), fill(ben)]);
    await retireHome(anna);
    expect((await listHomes(ben)).map(({ id }) => id)).toEqual(['ben']);
    await removeHome(anna);
    expect((await countHome(anna)).get('conversations')).toBeUndefined();
    expect((await countHome(ben)).get('conversations')).toBe(1);
    await Promise.all([anna.close(), ben.close()]);
  });

  test('are not removed while another program uses them', async () => {
    const anna = await open('anna', await emptyDatabase());
    const seen_at = await anna.now();
    await anna.db.insertInto('workers').values({ id: 'other:1', host: 'other', started_at: at, seen_at }).execute();
    await expect(retireHome(anna, 0)).rejects.toMatchObject({ code: 'bad_usage' });
    expect((await listHomes(anna)).map(({ id }) => id)).toEqual(['anna']);
    await anna.close();
  });

  test('have what is counted of them, without who works for them', async () => {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    expect(await countHome(store)).toEqual(new Map());
    const rows = ['a', 'b'].map((id) => ({ id, title: 'x', project: 'home', created_at: at, updated_at: at }));
    await store.db.insertInto('conversations').values(rows).execute();
    await store.db.insertInto('roots').values({ project: 'home', path: '/p', added_at: at }).execute();
    await store.db.insertInto('workers').values({ id: 'w', host: 'h', started_at: at, seen_at: at }).execute();
    expect(await countHome(store)).toEqual(
      new Map([
        ['roots', 1],
        ['conversations', 2],
      ]),
    );
  });
});
