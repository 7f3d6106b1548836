import { expect, test, vi } from 'vitest';
import { scriptedServer } from '../../testing/scripted-server.ts';
import { inLines } from '../../testing/table-shape.ts';
import { BASELINE, NEWEST, takeSteps } from '../steps.ts';

/** `npx vitest run src/store/postgres/tables.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'tables.sql';

test('an empty server is asked for the tables that were agreed', async () => {
  // As in a program that has just started: the tables are read when they are needed.
  vi.resetModules();
  const [{ createBaseline }, { takeSteps }] = [await import('../tables/baseline.ts'), await import('../steps.ts')];
  const { db, asked } = scriptedServer();
  await createBaseline(db, 'postgres');
  await takeSteps(db, 'postgres', BASELINE);
  await expect(`${asked.map(({ sql }) => `${inLines(sql)};`).join('\n')}\n`).toMatchFileSnapshot(RECORD);
  expect(asked.flatMap(({ values }) => values)).toEqual([]);
});

test('a server that has all tables is asked for nothing', async () => {
  const { db, asked } = scriptedServer();
  await takeSteps(db, 'postgres', NEWEST);
  expect(asked).toEqual([]);
});

test('what strangers wrote stays marked in each home of a server, and in no other', async () => {
  const mark = { thing: 'journal:home', sources: '["web"]', updated_at: '2026' };
  const { db, asked } = scriptedServer({ 'from "homes"': [{ id: 'a' }, { id: 'b' }], 'from "origins"': [mark] });
  await takeSteps(db, 'postgres', 16);
  const insert = `insert into "file_origins" ("path", "sha256", "untrusted", "sources", "by", "at")
    values ($1, $2, $3, $4, $5, $6) on conflict do nothing`.replaceAll(/\s+/gu, ' ');
  const row = ['projects/home/home.md', '', 1, '["web"]', 'call', '2026'];
  expect(asked.filter(({ values }) => values.length > 0)).toEqual(
    ['a', 'b'].flatMap((home) => [
      { sql: "select set_config('wooster.home', $1, true)", values: [home] },
      { sql: 'select * from "origins" where home = $1', values: [home] },
      { sql: insert, values: row },
    ]),
  );
});
