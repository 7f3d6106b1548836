import { expect, onTestFinished, test } from 'vitest';
import { scriptedServer } from '../testing/scripted-server.ts';
import { openTestStore } from '../testing/stores.ts';
import { readSchema } from './schema-version.ts';
import { NEWEST } from './steps.ts';
import type { Store } from './store.ts';

test('a store that was opened has the newest tables', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  expect(await readSchema(store)).toBe(NEWEST);
});

test.each([
  ['without tables', { to_regclass: [{ n: 0 }] }, 0],
  ['of which nothing is said', { to_regclass: [{ n: 1 }] }, 0],
  ['with tables', { to_regclass: [{ n: 1 }], 'version as n from wooster_schema': [{ n: 7 }] }, 7],
])('a server %s has the version of its tables', async (_what, answers, version) => {
  const store = { kind: 'postgres', read: scriptedServer(answers).db } as unknown as Store;
  expect(await readSchema(store)).toBe(version);
});
