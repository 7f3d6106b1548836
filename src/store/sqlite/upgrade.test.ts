import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { OLD_AT, OLD_ROWS, oldHome } from '../../testing/old-home.ts';
import { shapeOf } from '../../testing/table-shape.ts';
import { toldWaits } from '../../testing/told-waits.ts';
import { NEWEST } from '../steps.ts';
import { openStore, type Store } from '../store.ts';
import { fileLocks } from './lock.ts';
import { upgrade } from './upgrade.ts';
import { readVersion, writeVersion } from './version.ts';

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

test('what was there before is backed up, once, by its version and the time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T05:06:07.890Z') });
  onTestFinished(() => void vi.useRealTimers());
  const path = oldHome(12, OLD_ROWS);
  await open(path);
  await open(path);
  const backups = join(path, '../backups');
  const file = 'before-upgrade-12-2026-03-04T05-06-07.sqlite3';
  expect(readdirSync(backups)).toEqual([file]);
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

test('files and journals that hold what strangers wrote stay marked, whatever they hold now', async () => {
  const mark = (thing: string) => `('${thing}', 1, 0, '["web"]', '${OLD_AT}')`;
  const things = ['journal:home', 'file:home//notes/a.md/', 'file:home/notes/a.md', 'file:trip/two\nlines.md'];
  const others = ['artifact:home/x', 'my file:home/b.md', 'conversation:c'];
  const path = oldHome(13, `INSERT INTO origins VALUES ${[...things, ...others].map(mark).join(', ')}`);
  const { db } = await open(path);
  const marked = await db.selectFrom('file_origins').selectAll().orderBy('path').execute();
  expect(marked).toEqual(
    ['home/home.md', 'home/notes/a.md', 'trip/two\nlines.md'].map((file) => ({
      ...{ path: `projects/${file}`, sha256: '', untrusted: 1, sources: '["web"]', by: 'call', at: OLD_AT },
    })),
  );
  expect(await db.selectFrom('origins').select('thing').execute()).toHaveLength(7);
});

test('an old home with rows whose owner is gone is refused as it is, with a way out', async () => {
  const path = oldHome(12, `PRAGMA foreign_keys = OFF; ${OLD_ROWS} DELETE FROM conversations`);
  await expect(openStore(path)).rejects.toMatchObject({
    code: 'store_damaged',
    message: 'The database cannot be upgraded: rows that others refer to are gone (3 times).',
    hint: '`wooster restore --salvage` saves what can be read; `wooster restore FILE` brings a backup in.',
  });
  using database = new DatabaseSync(path);
  expect(readVersion(database)).toBe(12);
});

test('who finds another program upgrading waits until it is done', async () => {
  const path = oldHome(12);
  using database = new DatabaseSync(path);
  const held = fileLocks(path)('upgrade');
  const versions: number[] = [];
  const waits = toldWaits(async () => {
    versions.push(readVersion(database));
    if (versions.length === 3) await held?.[Symbol.asyncDispose]();
  });
  await upgrade(database, path);
  expect([versions, waits, readVersion(database)]).toEqual([[12, 12, 12], [20, 20, 20], NEWEST]);
});

test('who finds it done after waiting backs nothing up', async () => {
  const path = oldHome(12);
  using database = new DatabaseSync(path);
  const held = fileLocks(path)('upgrade');
  toldWaits(async () => {
    writeVersion(database, NEWEST);
    await held?.[Symbol.asyncDispose]();
  });
  await upgrade(database, path);
  expect(readdirSync(join(path, '..'))).not.toContain('backups');
});

test('who waits for ten minutes gives up, and says what to do', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = oldHome(12);
  using database = new DatabaseSync(path);
  await using _ = fileLocks(path)('upgrade');
  const waits = toldWaits(() => vi.advanceTimersByTime(5 * 60_000));
  await expect(upgrade(database, path)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'Another program is upgrading the database for too long.',
    hint: 'Close the other program and try again.',
  });
  expect([waits, readVersion(database)]).toEqual([[20, 20], 12]);
});

test('a store in memory leaves nothing on the disk', async () => {
  const [before, folder] = [process.cwd(), temporaryFolder()];
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
  await open(':memory:');
  expect(readdirSync(folder)).toEqual([]);
});
