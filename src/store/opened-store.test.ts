import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOME_ID_FORM } from '../base/home-id.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore, STORE_KINDS } from '../testing/stores.ts';
import { openStore } from './store.ts';

test.each(['', 'two words', '../anna', 'x'.repeat(65)])('a home on a server cannot be named "%s"', async (home) => {
  await expect(openStore({ kind: 'postgres', url: 'postgres://127.0.0.1:1/w', home, pool: 1 })).rejects.toMatchObject({
    code: 'bad_setting',
    message: `"${home}" cannot be the name of a home.`,
    hint: `Set WOOSTER_HOME_ID to ${HOME_ID_FORM}.`,
  });
});

test('of a name that is much too long, the beginning is shown', async () => {
  const opening = openStore({ kind: 'postgres', url: 'postgres://127.0.0.1:1/w', home: 'x'.repeat(500), pool: 1 });
  await expect(opening).rejects.toThrow(/^"x{60,80}…" cannot be/u);
});

test('a file that is named from the folder one is in is known by its whole path', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await openStore(relative(process.cwd(), path));
  onTestFinished(() => store.close());
  expect([store.kind, store.location]).toEqual(['sqlite', { kind: 'sqlite', path }]);
});

test.each(STORE_KINDS)('a hearer that fails is told to the log: %s', async (kind) => {
  const warned: unknown[] = [];
  const log = { warn: (...words: readonly unknown[]) => void warned.push(words) };
  const store = await openTestStore(':memory:', { kind, log });
  onTestFinished(() => store.close());
  store.wake.on('jobs', () => {
    throw new Error('deaf');
  });
  await store.wake.notify('jobs');
  await expect.poll(() => warned[0]).toEqual(['a hint was not acted on', { topic: 'jobs', error: 'deaf' }]);
});

test.each(STORE_KINDS)('what is running when the store is closed can go on to the end: %s', async (kind) => {
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'), { kind });
  const begun = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  const now = store.transaction(async () => {
    begun.resolve();
    await closing.promise;
    return store.transaction(() => store.now());
  });
  await begun.promise;
  const closed = store.close();
  closing.resolve();
  expect(await now).toMatch(/^\d{4}-/u);
  await closed;
  await expect(store.transaction(() => store.now())).rejects.toThrow('The store is closed.');
  await expect(store.lock('x')).rejects.toThrow('The store is closed.');
});
