import { expect, onTestFinished, test } from 'vitest';
import { scriptedServer } from '../testing/scripted-server.ts';
import { openTestStore } from '../testing/stores.ts';
import { NEWEST } from './migrations.ts';
import { readSchema } from './schema-version.ts';
import type { Store } from './store.ts';

test('a store that was opened has the newest tables', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  expect(await readSchema(store)).toBe(NEWEST);
});

test.each([
  ['without tables, which has none to ask for it,', { to_regclass: [{ n: 0 }] }, 0, 1],
  ['whose tables do not say it', { to_regclass: [{ n: 1 }] }, 0, 2],
  ['with tables', { to_regclass: [{ n: 1 }], 'version as n from wooster_schema': [{ n: 7 }] }, 7, 2],
])('a server %s has their version', async (_what, answers, version, questions) => {
  const { db, asked } = scriptedServer(answers);
  const store = { kind: 'postgres', read: db } as unknown as Store;
  expect([await readSchema(store), asked.length]).toEqual([version, questions]);
});
