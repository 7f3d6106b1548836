import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { sqliteOfSchema19 } from '../../testing/schema-19.ts';
import { toldWaits } from '../../testing/told-waits.ts';
import { NEWEST } from '../migrations.ts';
import type { Step } from '../step.ts';
import { openStore, type Store } from '../store.ts';
import { fileLocks } from './lock.ts';
import { upgrade } from './upgrade.ts';
import { readVersion, writeVersion } from './version.ts';

/** A step after those that there are. */
const step = vi.hoisted(() => vi.fn<Step>());
vi.mock('../steps.ts', async (real) => {
  const { BASELINE, STEPS } = await real<typeof import('../steps.ts')>();
  return { BASELINE, STEPS: [...STEPS, step] };
});
beforeEach(() => void step.mockReset());

async function open(path: string): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

test('a step is taken once, and what is part of the rows of a table that it makes anew stays', async () => {
  step.mockImplementation(async (db) => {
    await sql`create table conversations_again (id text primary key, project text) strict`.execute(db);
    await sql`insert into conversations_again select id, project from conversations`.execute(db);
    await sql`drop table conversations`.execute(db);
    await sql`alter table conversations_again rename to conversations`.execute(db);
  });
  const path = sqliteOfSchema19();
  for (let time = 0; time < 2; time++) {
    const { db } = await open(path);
    expect(await db.selectFrom('turns').select('id').orderBy('seq').execute()).toEqual([{ id: 't9' }, { id: 't1' }]);
    expect(await db.selectFrom('turn_memory').selectAll().execute()).toHaveLength(1);
  }
  expect(step).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'sqlite');
  const { db } = await open(path);
  await db.deleteFrom('conversations').execute();
  expect(await db.selectFrom('turn_memory').selectAll().execute()).toEqual([]);
});

test('a new home has all tables at once', async () => {
  const path = join(temporaryFolder(), 'new.sqlite3');
  await open(path);
  using database = new DatabaseSync(path);
  expect([readVersion(database), step.mock.calls]).toEqual([NEWEST, []]);
});

test.each([1, 18])(
  'a home of version %i is left as it is, and the program to upgrade it with is named',
  async (old) => {
    const path = sqliteOfSchema19('', old);
    await expect(openStore(path)).rejects.toMatchObject({
      ...{ code: 'store_damaged', message: `The database is too old for this version (${old} < 19).` },
      hint: 'Upgrade it first: check out the Git tag schema-19 and run `wooster store migrate STORE` there.',
    });
    using database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: old });
    expect(readdirSync(join(path, '..'))).not.toContain('backups');
  },
);

test('what was there before is backed up, once, by its version and the time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T05:06:07.890Z') });
  onTestFinished(() => void vi.useRealTimers());
  const path = sqliteOfSchema19();
  await open(path);
  await open(path);
  const backups = join(path, '../backups');
  const file = 'before-upgrade-19-2026-03-04T05-06-07.sqlite3';
  expect(readdirSync(backups)).toEqual([file]);
  using backup = new DatabaseSync(join(backups, file), { readOnly: true });
  expect(readVersion(backup)).toBe(19);
  expect(backup.prepare('SELECT count(*) AS n FROM turns').get()).toMatchObject({ n: 2 });
});

test('a new home is not backed up', async () => {
  const path = join(temporaryFolder(), 'new.sqlite3');
  await open(path);
  expect(readdirSync(join(path, '..'))).not.toContain('backups');
});

test('a step that fails leaves the old home as it was', async () => {
  const path = sqliteOfSchema19();
  step.mockImplementation(async (db) => {
    await db.deleteFrom('turn_memory').execute();
    await sql`create table workers (mine text)`.execute(db);
  });
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_damaged' });
  using database = new DatabaseSync(path);
  expect(readVersion(database)).toBe(19);
  expect(database.prepare('SELECT count(*) AS n FROM turn_memory').get()).toMatchObject({ n: 1 });
});

test('an old home with rows whose owner is gone is refused as it is, with a way out', async () => {
  const path = sqliteOfSchema19('PRAGMA foreign_keys = OFF; DELETE FROM conversations');
  await expect(openStore(path)).rejects.toMatchObject({
    code: 'store_damaged',
    message: 'The database cannot be upgraded: rows that others refer to are gone (3 times).',
    hint: '`wooster restore --salvage` saves what can be read; `wooster restore FILE` brings a backup in.',
  });
  using database = new DatabaseSync(path);
  expect(readVersion(database)).toBe(19);
});

test('who finds another program upgrading waits until it is done', async () => {
  const path = sqliteOfSchema19();
  using database = new DatabaseSync(path);
  const held = fileLocks(path)('upgrade');
  const versions: number[] = [];
  const waits = toldWaits(async () => {
    versions.push(readVersion(database));
    if (versions.length === 3) await held?.[Symbol.asyncDispose]();
  });
  await upgrade(database, path);
  expect([versions, waits, readVersion(database)]).toEqual([[19, 19, 19], [20, 20, 20], NEWEST]);
});

test('who finds it done after waiting backs nothing up', async () => {
  const path = sqliteOfSchema19();
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
  const path = sqliteOfSchema19();
  using database = new DatabaseSync(path);
  await using _ = fileLocks(path)('upgrade');
  const waits = toldWaits(() => vi.advanceTimersByTime(5 * 60_000));
  await expect(upgrade(database, path)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'Another program is taking too long to upgrade the database.',
    hint: 'Close the other program and try again.',
  });
  expect([waits, readVersion(database)]).toEqual([[20, 20], 19]);
});

test('a store in memory leaves nothing on the disk', async () => {
  const [before, folder] = [process.cwd(), temporaryFolder()];
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
  await open(':memory:');
  expect(readdirSync(folder)).toEqual([]);
});
