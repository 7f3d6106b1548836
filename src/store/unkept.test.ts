import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { temporaryFolder } from '../testing/home.ts';
import { placeOf } from './location.ts';
import { openStore } from './store.ts';
import { isThere, mustKeep, openUnkept } from './unkept.ts';

const FULL = new AssistantError('home_not_writable', 'The disk is full.', { hint: '' });
const rule = { id: 'r', tool: 't', destination: 'd', created_at: '2026' };
const conversation = { id: 'c', title: 'Harbour', project: 'home', created_at: '2026', updated_at: '2026' };

/** A database with a conversation, still in the log. */
async function filled(): Promise<string> {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await openStore(path);
  onTestFinished(() => store.close());
  await store.db.insertInto('conversations').values(conversation).execute();
  return path;
}

test('of a home that cannot be written everything can be looked up, and nothing is confirmed', async () => {
  const path = await filled();
  const store = await openUnkept(path, FULL, {});
  expect(store.unkept).toEqual({ why: FULL, path });
  const titles = store.read.selectFrom('conversations').select('title');
  expect(await titles.execute()).toEqual([{ title: 'Harbour' }]);
  // What a question writes, it can.
  await store.db
    .insertInto('conversations')
    .values({ ...conversation, id: 'd' })
    .execute();
  await store.db.updateTable('conversations').set({ title: 'Sea' }).execute();
  await store.db.deleteFrom('conversations').where('id', '=', 'd').execute();
  expect(await titles.execute()).toEqual([{ title: 'Sea' }]);
  const within = store.transaction(() => store.db.selectFrom('conversations').select('title').execute());
  expect(await within).toEqual([{ title: 'Sea' }]);
  for (const attempt of [
    store.db.insertInto('approval_rules').values(rule),
    store.db.updateTable('approval_rules').set({ tool: 'x' }),
    store.db.deleteFrom('approval_rules'),
  ])
    await expect(attempt.execute()).rejects.toBe(FULL);
  expect(() => mustKeep(store)).toThrow(FULL);
  const copy = store.location.kind === 'sqlite' ? dirname(store.location.path) : '';
  expect([existsSync(copy), copy.startsWith(join(tmpdir(), 'wooster-unkept-'))]).toEqual([true, true]);
  await store.close();
  expect(existsSync(copy)).toBe(false);
  const original = await openStore(path);
  expect(await original.read.selectFrom('conversations').select('title').execute()).toEqual([{ title: 'Harbour' }]);
  expect(() => mustKeep(original)).not.toThrow();
  await original.close();
});

test('of a damaged file nothing is read', async () => {
  const path = await filled();
  const damaged = new AssistantError('store_damaged', 'no', { hint: '' });
  const store = await openUnkept(path, damaged, {});
  expect(await store.read.selectFrom('conversations').selectAll().execute()).toEqual([]);
  await store.close();
});

test('a home without a database is an empty one', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await openUnkept(path, FULL, {});
  expect(await store.read.selectFrom('conversations').selectAll().execute()).toEqual([]);
  await store.close();
  expect(existsSync(path)).toBe(false);
});

test.runIf(existsSync('/dev/shm'))('where there is no temporary folder, the copy is in memory', async () => {
  const path = await filled();
  vi.stubEnv('TMPDIR', join(dirname(path), 'none'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = await openUnkept(path, FULL, {});
  expect(placeOf(store.location)).toMatch(/^\/dev\/shm\/wooster-unkept-\w+\/w\.sqlite3$/u);
  expect(await store.read.selectFrom('conversations').select('title').execute()).toEqual([{ title: 'Harbour' }]);
  await store.close();
  expect(existsSync(dirname(placeOf(store.location)))).toBe(false);
});

test('a copy that cannot be used leaves nothing behind, and the reason is the first one', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  writeFileSync(path, 'no database'.repeat(200));
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('wooster-unkept-'));
  await expect(openUnkept(path, FULL, {})).rejects.toBe(FULL);
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith('wooster-unkept-'));
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});

test('a home is there when it is a folder to look into, with or without a database', () => {
  const home = temporaryFolder();
  const path = join(home, 'state/w.sqlite3');
  expect(isThere(home, path)).toBe(true);
  mkdirSync(dirname(path));
  writeFileSync(path, '');
  expect(isThere(home, path)).toBe(true);
  expect([isThere(join(home, 'none'), path), isThere(path, path)]).toEqual([false, false]);
  if (process.getuid?.() === 0) return;
  // The file, its folder, and the home, which has to be listed and entered.
  for (const [thing, mode] of [
    [path, 0o000],
    [dirname(path), 0o300],
    [home, 0o300],
    [home, 0o400],
  ] as const) {
    chmodSync(thing, mode);
    expect(isThere(home, path)).toBe(false);
    chmodSync(thing, 0o700);
    expect(isThere(home, path)).toBe(true);
  }
});
