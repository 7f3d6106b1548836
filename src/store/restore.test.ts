import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { temporaryFolder } from '../testing/home.ts';
import { backUp, backupPath, fileOf, pragma, quickCheck, verifyBackup } from './backup.ts';
import { restoreBackup, salvageStore } from './restore.ts';
import { readForeign } from './sqlite/foreign.ts';
import { openStore, type Store } from './store.ts';
import { openUnkept } from './unkept.ts';

const NOW = new Date('2026-01-15T09:00:00.123Z');
const AT = NOW.toISOString();

async function open(path = join(temporaryFolder(), 'state/wooster.sqlite3')): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

async function withConversation(id: string, closed = false): Promise<Store> {
  const store = await open();
  const row = { id, project: 'home', title: null, created_at: AT, updated_at: AT };
  await store.db.insertInto('conversations').values(row).execute();
  if (closed) await store.close();
  return store;
}

/** Overwrite the first page of a table. */
function breakTable(file: string, table: string): void {
  const [{ root, size }] = readForeign(
    file,
    `SELECT rootpage AS root, page_size AS size FROM sqlite_schema, pragma_page_size() WHERE name = '${table}'`,
  ) as [{ root: number; size: number }];
  const bytes = readFileSync(file);
  bytes.fill(0xff, (root - 1) * size, root * size);
  writeFileSync(file, bytes);
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

test('damage that shows while the program runs is put aside as well', async () => {
  const source = await withConversation('one');
  const backup = join(temporaryFolder(), 'backup.sqlite3');
  await backUp(source, backup);
  const file = fileOf(await withConversation('two', true));
  breakTable(file, 'conversations');
  const store = await open(file);
  expect(await quickCheck(store)).not.toBe('ok');
  const aside = `${file}.damaged-2026-01-15T09-00-00`;
  expect(await restoreBackup(store, backup, NOW)).toEqual({ path: aside, damaged: true });
  expect([await ids(file), existsSync(aside)]).toEqual([['one'], true]);
  expect(existsSync(backupPath(store, NOW, 'before-restore-'))).toBe(false);
});

test('a backup is only read, with what is in its log', async () => {
  const live = fileOf(await withConversation('one'));
  const dir = temporaryFolder();
  const backup = join(dir, 'copied.sqlite3');
  for (const end of ['', '-wal']) copyFileSync(live + end, backup + end);
  const content = () => ['', '-wal'].map((end) => readFileSync(backup + end).toString('base64'));
  const before = content();
  const store = await open();
  await restoreBackup(store, backup, NOW);
  expect(await ids(fileOf(store))).toEqual(['one']);
  expect(content()).toEqual(before);
});

test('where another program is writing, nothing is replaced, and what to do is said', async () => {
  const store = await withConversation('one');
  const backup = join(temporaryFolder(), 'backup.sqlite3');
  await backUp(await open(), backup);
  using other = new DatabaseSync(fileOf(store));
  other.exec('BEGIN IMMEDIATE');
  await expect(restoreBackup(store, backup, NOW)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'The database could not be replaced: another program is writing to it.',
    hint: 'Close every other Wooster on this home and try again.',
    cause: expect.any(Error),
  });
  other.exec('ROLLBACK');
  expect(await ids(fileOf(store))).toEqual(['one']);
});

test('what salvaging left when it was cut off is in nobody’s way', async () => {
  const file = join(temporaryFolder(), 'wooster.sqlite3');
  copyFileSync(fileOf(await withConversation('one', true)), file);
  copyFileSync(fileOf(await withConversation('cut', true)), `${file}.salvaged`);
  for (const end of ['-wal', '-shm']) writeFileSync(`${file}.salvaged${end}`, 'cut off');
  await salvageStore(await open(file), NOW);
  expect(await ids(file)).toEqual(['one']);
  const left = readdirSync(join(file, '..')).filter((name) => name.includes('salvaged'));
  expect(left).toEqual([]);
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

test('where no new database can be written, it is not said that nothing can be read', async () => {
  const store = await damaged('/proc/none/state/wooster.sqlite3');
  await expect(salvageStore(store, NOW)).rejects.toMatchObject({ code: 'home_not_writable' });
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
  const broken = fileOf(await withConversation('two', true));
  breakTable(broken, 'usage');
  expect(() => verifyBackup(broken)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/ is not an intact backup: .*Tree \d+ page \d+/su),
      ...{ code: 'store_damaged', hint: 'Use another backup.', cause: expect.any(Error) },
    }),
  );
  await expect(backUp(store, '/proc/none/x')).rejects.toMatchObject({
    ...{ code: 'home_not_writable', hint: 'Choose a file in a folder that is writable.' },
    message: expect.stringContaining('The backup cannot be written: '),
  });
});

test('a backup that finds no room says that, and nothing else', async () => {
  const full = () => Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const store = await openStore(join(temporaryFolder(), 'w.sqlite3'), {
    beforeStatement: (text) => {
      if (text.startsWith('vacuum')) throw full();
    },
  });
  onTestFinished(() => store.close());
  const dir = temporaryFolder();
  await expect(backUp(store, join(dir, 'b.sqlite3'))).rejects.toMatchObject({
    ...{ code: 'home_not_writable', message: 'The disk is full.' },
  });
  expect(readdirSync(dir)).toEqual([]);
});

test('the quick check says ok, or what is wrong', async () => {
  const store = await withConversation('one');
  expect([await quickCheck(store), await pragma(store, 'user_version')]).toEqual(['ok', expect.any(Number)]);
  await store.close();
  expect(await quickCheck(store)).toBe('The store is closed.');
});

test('a server is not backed up from here, and checks itself', async () => {
  const location = { kind: 'postgres', url: 'postgres://db/w', home: 'anna', pool: 1 } as const;
  const server = { kind: 'postgres', location } as Store;
  const refusal = {
    code: 'bad_usage',
    message: 'A database on a server is not backed up from here.',
    hint: 'Use pg_dump and pg_restore: see docs/several-machines.md.',
  };
  await expect(backUp(server, '/tmp/none/x')).rejects.toMatchObject(refusal);
  expect(() => backupPath(server, NOW)).toThrow(expect.objectContaining(refusal));
  expect(await quickCheck(server)).toBe('ok');
});
