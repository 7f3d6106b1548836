import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { temporaryFolder } from './home.ts';
import { killAtWrite } from './kill-at-write.ts';
import { openTestStore } from './stores.ts';

const addRule = (store: Store, id: string) =>
  store.db.insertInto('approval_rules').values({ id, tool: id, destination: 'd', created_at: 'x' }).execute();

test.each([
  [1, []],
  [2, ['a']],
  [3, ['a']],
  [4, ['a']],
  [5, ['a']],
  [6, ['a', 'b', 'c']],
])('killed just before write %i, what was committed is there', async (at, expected) => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const killable = await killAtWrite(path, at);
  const { store } = killable;
  const work = async () => {
    await addRule(store, 'a');
    await store.transaction(async () => {
      await addRule(store, 'b');
      await addRule(store, 'c');
    });
    await store.db.selectFrom('approval_rules').selectAll().execute();
  };
  if (at === 6) await work();
  else {
    await expect(work()).rejects.toThrow('killed');
    await expect(store.db.selectFrom('approval_rules').selectAll().execute()).rejects.toThrow('killed');
  }
  expect(killable.writes()).toBe(Math.min(at, 5));
  await killable.die();
  const after = await openTestStore(path);
  onTestFinished(() => after.close());
  const rows = await after.db.selectFrom('approval_rules').select('id').orderBy('id').execute();
  expect(rows.map(({ id }) => id)).toEqual(expected);
});
