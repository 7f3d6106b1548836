import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { temporaryFolder } from '../testing/home.ts';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { backUp, backupPath, fileOf, pragma, quickCheck, verifyBackup } from './backup.ts';
import { restoreBackup, salvageStore } from './restore.ts';
import { openStore, type Store } from './store.ts';
import { openUnkept } from './unkept.ts';

const NOW = new Date('2026-01-15T09:00:00.123Z');
const AT = NOW.toISOString();

async function open(path = join(temporaryFolder(), 'state/wooster.sqlite3')): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

async function withConversation(id: string): Promise<Store> {
  const store = await open();
  const row = { id, project: 'home', title: null, created_at: AT, updated_at: AT };
  await store.db.insertInto('conversations').values(row).execute();
  return store;
}

const ids = async (path: string) => {
  using database = new DatabaseSync(path);
  return database
    .prepare('SELECT id FROM conversations')
    .all()
    .map(({ id }) => id);
};

/** As the program opens what it cannot use. */
async function damaged(path: string): Promise<Store> {
  const why = new AssistantError('store_damaged', 'It is damaged.', { hint: '' });
  const store = await openUnkept(path, why, {});
  onTestFinished(() => store.close());
  return store;
}

test('a damaged database is put aside with its log, and the backup takes its place', async () => {
  const source = await withConversation('one');
  const backup = join(temporaryFolder(), 'backup.sqlite3');
  await backUp(source, backup);
  const file = join(temporaryFolder(), 'wooster.sqlite3');
  writeFileSync(file, 'broken');
  writeFileSync(`${file}-wal`, 'log');
  const aside = `${file}.damaged-2026-01-15T09-00-00`;
  expect(await restoreBackup(await damaged(file), backup, NOW)).toEqual({ path: aside, damaged: true });
  expect([readFileSync(aside, 'utf8'), readFileSync(`${aside}-wal`, 'utf8')]).toEqual(['broken', 'log']);
  expect([await ids(file), statSync(file).mode & 0o777]).toEqual([['one'], 0o600]);
  expect(existsSync(`${file}.part`)).toBe(false);
});

test('salvaging makes a new database of what can be read, and keeps the old one', async () => {
  const store = await withConversation('one');
  const file = fileOf(store);
  const { rows, incomplete, aside } = await salvageStore(store, NOW);
  expect([rows.conversations, incomplete, aside]).toEqual([1, [], `${file}.damaged-2026-01-15T09-00-00`]);
  expect([await ids(file), await ids(aside), statSync(file).mode & 0o777]).toEqual([['one'], ['one'], 0o600]);
  expect(readdirSync(join(file, '..')).filter((name) => name.includes('salvaged'))).toEqual([]);
});

test('where nothing can be read, that is said, and the file stays where it is', async () => {
  const file = join(temporaryFolder(), 'wooster.sqlite3');
  writeFileSync(file, 'broken'.repeat(1000));
  await expect(salvageStore(await damaged(file), NOW)).rejects.toMatchObject({
    code: 'store_damaged',
    message: expect.stringMatching(/^Nothing of .*wooster\.sqlite3 can be read: ./u),
    hint: expect.stringContaining('wooster restore FILE'),
  });
  const left = readdirSync(join(file, '..')).filter((name) => name.startsWith('wooster'));
  expect(left).toEqual(['wooster.sqlite3']);
  expect(readFileSync(file, 'utf8')).toBe('broken'.repeat(1000));
});

test('nothing is replaced where nothing can be kept', async () => {
  const store = await withConversation('one');
  const full = new AssistantError('home_not_writable', 'The disk is full.', { hint: '' });
  const copy = await openUnkept(fileOf(store), full, {});
  onTestFinished(() => copy.close());
  await expect(restoreBackup(copy, 'x', NOW)).rejects.toBe(full);
  await expect(salvageStore(copy, NOW)).rejects.toBe(full);
  await expect(backUp(copy, 'x')).rejects.toBe(full);
});

test('the state before a restore is in the backups, named by its time; what is refused says why', async () => {
  const store = await withConversation('one');
  const backup = join(temporaryFolder(), 'backup.sqlite3');
  expect(await backUp(store, backup)).toMatchObject({ path: backup, conversations: 1, schedules: 0 });
  const { path } = await restoreBackup(store, backup, NOW);
  expect(path).toBe(join(fileOf(store), '../backups/before-restore-2026-01-15T09-00-00.sqlite3'));
  expect(backupPath(store, NOW)).toBe(join(fileOf(store), '../backups/2026-01-15T09-00-00.sqlite3'));
  await expect(backUp(store, backup)).rejects.toMatchObject({
    ...{ code: 'path_refused', message: `${backup} exists already.`, hint: 'Choose a file that does not exist.' },
  });
  expect(() => verifyBackup('/none/x')).toThrow(
    expect.objectContaining({ message: 'There is no file /none/x.', hint: expect.stringContaining('state/backups/') }),
  );
  const text = join(temporaryFolder(), 'text');
  writeFileSync(text, 'x'.repeat(5000));
  expect(() => verifyBackup(text)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`${text} is not an intact backup: file is not`) }),
  );
  await expect(backUp(store, '/proc/none/x')).rejects.toMatchObject({
    ...{ code: 'home_not_writable', hint: 'Choose a file in a folder that is writable.' },
    message: expect.stringContaining('The backup cannot be written: '),
  });
});

test('the quick check says ok, or what is wrong', async () => {
  const store = await withConversation('one');
  expect([await quickCheck(store), await pragma(store, 'user_version')]).toEqual(['ok', expect.any(Number)]);
  await store.close();
  expect(await quickCheck(store)).toBe('The store is closed.');
});

test.runIf(STORE_KINDS.includes('postgres'))('a server is not backed up from here, and checks itself', async () => {
  const store = await openStore(testLocation(':memory:', 'postgres'));
  onTestFinished(() => store.close());
  await expect(backUp(store, '/tmp/none/x')).rejects.toMatchObject({
    ...{ code: 'bad_usage', hint: expect.stringContaining('pg_dump') },
  });
  expect(await quickCheck(store)).toBe('ok');
});
