import { expect, test } from 'vitest';
import { testsByStore } from './store-tests.ts';

const DOOR = 'src/testing/stores.ts';
const OPENS = "import { openTestStore } from '../testing/stores.ts';\n";
const chosen = (files: Readonly<Record<string, string>>) => testsByStore(new Map(Object.entries(files)), DOOR);

test('what asks the store is tried by the tests beside it, on the shortest way', () => {
  const tables = { 'src/a/rows.ts': "db.selectFrom('rows')", 'src/a/list.ts': "import { rows } from './rows.ts';" };
  const beside = { 'src/a/list.test.ts': `${OPENS}import { list } from './list.ts';` };
  const far = { 'src/b/all.test.ts': `${OPENS}import { rows } from '../a/rows.ts';` };
  expect(chosen({ ...tables, ...beside, ...far })).toEqual(['src/a/list.test.ts']);
  expect(chosen({ ...tables, ...far })).toEqual(['src/b/all.test.ts']);
  const nearer = { 'src/a/rows.test.ts': `${OPENS}import { rows } from './rows.ts';` };
  expect(chosen({ ...tables, ...beside, ...nearer })).toEqual(['src/a/rows.test.ts']);
});

test('a test that opens no store, or knows only types, says nothing about one', () => {
  const files = {
    'src/a/rows.ts': 'sql`select 1`',
    'src/a/rows.test.ts': "import { rows } from './rows.ts';",
    'src/a/type.test.ts': `${OPENS}import type { Row } from './rows.ts';`,
    'src/b/all.test.ts': `${OPENS}import { rows } from '../a/rows.ts';`,
  };
  expect(chosen(files)).toEqual(['src/b/all.test.ts']);
});

test('a test that chooses the kind of the store runs, whatever it reaches', () => {
  const files = { 'src/b/kinds.test.ts': `${OPENS}describe.each(STORE_KINDS)`, 'src/b/other.test.ts': OPENS };
  expect(chosen(files)).toEqual(['src/b/kinds.test.ts']);
});

test('what is started by name is tried by the tests of its folder', () => {
  const thread = { 'src/a/threads/work.ts': "db.insertInto('rows')" };
  const tests = { 'src/a/work.test.ts': OPENS, 'src/b/all.test.ts': OPENS };
  expect(chosen({ ...thread, ...tests })).toEqual(['src/a/work.test.ts']);
  expect(() => chosen(thread)).toThrow('no test that opens a store is near src/a/threads/work.ts');
});
