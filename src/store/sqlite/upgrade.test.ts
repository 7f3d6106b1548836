import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { OLD_AT, OLD_ROWS, oldHome } from '../../testing/old-home.ts';
import { shapeOf } from '../../testing/table-shape.ts';
import { openStore, type Store } from '../store.ts';
import { readVersion } from './version.ts';

async function open(path: string): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

test('an old home keeps its rows, and gets what the new version needs', async () => {
  const store = await open(oldHome(12, OLD_ROWS));
  const { db } = store;
  const turns = await db.selectFrom('turns').select(['seq', 'id', 'text']).orderBy('seq').execute();
  expect(turns).toMatchObject([
    { seq: 1, id: 't9' },
    { seq: 2, id: 't1' },
  ]);
  expect(await db.selectFrom('turn_memory').selectAll().execute()).toMatchObject([{ turn_id: 't1', value: '1' }]);
  const runs = await db.selectFrom('runs').select(['id', 'exclusive']).orderBy('id').execute();
  expect(runs.filter(({ exclusive }) => exclusive === 1).map(({ id }) => id)).toEqual(['r3', 'r4', 'r7']);
  // What is part of a turn still is.
  await db.deleteFrom('turns').where('id', '=', 't1').execute();
  expect(await db.selectFrom('turn_memory').selectAll().execute()).toEqual([]);
});

test('turns stay when their table is made anew, and no number is given out twice', async () => {
  const turns = OLD_ROWS.split(';').slice(0, 2).join(';');
  const { db } = await open(oldHome(13, `${turns}; DELETE FROM turns WHERE id = 't1'`));
  const about = { conversation_id: 'c', mode: 'code', origin: 'user', text: '', started_at: OLD_AT };
  await db
    .insertInto('turns')
    .values({ id: 't3', status: 'cut_off', ...about })
    .execute();
  expect(await db.selectFrom('turns').select(['seq', 'id', 'status']).orderBy('seq').execute()).toEqual([
    { seq: 1, id: 't9', status: 'answered' },
    { seq: 3, id: 't3', status: 'cut_off' },
  ]);
});

test('what was there before is backed up, once', async () => {
  const path = oldHome(12, OLD_ROWS);
  await open(path);
  await open(path);
  const backups = join(path, '../backups');
  const [file = '', ...more] = readdirSync(backups);
  expect([file, more]).toEqual([expect.stringMatching(/^before-upgrade-12-.*\.sqlite3$/u), []]);
  using backup = new DatabaseSync(join(backups, file), { readOnly: true });
  expect(readVersion(backup)).toBe(12);
  expect(backup.prepare('SELECT count(*) AS n FROM turns').get()).toMatchObject({ n: 2 });
});

test('a new home is not backed up', async () => {
  const path = join(temporaryFolder(), 'new.sqlite3');
  await open(path);
  expect(readdirSync(join(path, '..'))).not.toContain('backups');
});

test('a step that fails leaves the old home as it was', async () => {
  const path = oldHome(12, `${OLD_ROWS} CREATE TABLE workers (mine TEXT);`);
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_damaged' });
  using database = new DatabaseSync(path);
  expect(readVersion(database)).toBe(12);
  expect(database.prepare('SELECT count(*) AS n FROM turn_memory').get()).toMatchObject({ n: 1 });
});

test.each([0, 1, 6, 12, 13])('a home of version %i ends with the same tables as a new one', async (steps) => {
  const [old, fresh] = [oldHome(steps), join(temporaryFolder(), 'fresh.sqlite3')];
  await open(old);
  await open(fresh);
  expect(shapeOf(old)).toEqual(shapeOf(fresh));
});
