import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { firstHome } from '../../testing/first-home.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { definitionsOf, shapeOf } from '../../testing/table-shape.ts';

/** `npx vitest run src/store/sqlite/tables.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'tables.sql';

test('a new home has the tables that were agreed, and one of the first version ends with the same', async () => {
  // As in a program that has just started: the tables are read when they are needed.
  vi.resetModules();
  const { openStore } = await import('../store.ts');
  const [fresh, first] = [join(temporaryFolder(), 'new.sqlite3'), firstHome()];
  for (const path of [fresh, first]) await (await openStore(path)).close();
  await expect(definitionsOf(fresh)).toMatchFileSnapshot(RECORD);
  expect(shapeOf(first)).toEqual(shapeOf(fresh));
});
