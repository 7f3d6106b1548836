import { expect, test } from 'vitest';
import { scriptedServer } from '../../testing/scripted-server.ts';
import { inLines } from '../../testing/table-shape.ts';
import { BASELINE, takeSteps } from '../steps.ts';

/** `npx vitest run src/store/postgres/tables.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'tables.sql';

test('an empty server is asked for the tables that were agreed', async () => {
  const { db, asked } = scriptedServer();
  await (await import('../tables/baseline.ts')).createBaseline(db, 'postgres');
  await takeSteps(db, 'postgres', BASELINE);
  await expect(`${asked.map(({ sql }) => `${inLines(sql)};`).join('\n')}\n`).toMatchFileSnapshot(RECORD);
  expect(asked.flatMap(({ values }) => values)).toEqual([]);
});
