import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { sqliteOfSchema19 } from '../../testing/schema-19.ts';

test('a new home has the tables that one of schema 19 ends with', async () => {
  // As in a program that has just started: the tables are read when they are needed.
  vi.resetModules();
  const { openStore } = await import('../store.ts');
  const [fresh, old] = [join(temporaryFolder(), 'new.sqlite3'), sqliteOfSchema19()];
  for (const path of [fresh, old]) await (await openStore(path)).close();
  expect(shapeOf(fresh)).toEqual(shapeOf(old));
});

/** Everything about the tables that SQLite knows, in an order of its own and without the names that do not matter. */
function shapeOf(path: string): unknown {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = (query: string) => database.prepare(query).all() as Record<string, string | number | null>[];
  const tables = rows('PRAGMA table_list').filter(({ name }) => !/^sqlite_/u.test(String(name)));
  return Object.fromEntries(
    tables.map(({ name, strict, wr }) => {
      const columns = rows(`PRAGMA table_xinfo('${name}')`).map(({ name, type, notnull, dflt_value, pk, hidden }) =>
        [name, String(type).toUpperCase(), notnull, dflt_value, pk, hidden].join(' '),
      );
      const keys = rows(`PRAGMA foreign_key_list('${name}')`).map(({ from, table, to, on_delete }) =>
        [from, table, to, on_delete].join(' '),
      );
      const indexes = rows(`PRAGMA index_list('${name}')`).map((index) => {
        const on = rows(`PRAGMA index_xinfo('${index.name}')`).map(({ name, desc, coll, key }) => [
          name,
          desc,
          coll,
          key,
        ]);
        const [known] = rows(`SELECT sql FROM sqlite_master WHERE name = '${index.name}'`);
        const where = plain(known?.sql).split('where ')[1] ?? '';
        const name = index.origin === 'c' ? index.name : '';
        return [name, index.unique, index.origin, where, JSON.stringify(on)].join(' ');
      });
      const [known] = rows(`SELECT sql FROM sqlite_master WHERE name = '${name}'`);
      const text = plain(known?.sql);
      const checks = [...text.matchAll(/check \((\w+ in\(.*?\))\)/gu)].map(([, check]) => check).toSorted();
      const triggers = rows(`SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '${name}'`);
      const counted = text.includes('autoincrement');
      const parts = { columns, keys, indexes, triggers: triggers.map(({ sql }) => plain(sql)) };
      const sorted = Object.entries(parts).map(([part, values]) => [part, values.toSorted()]);
      return [
        name,
        {
          strict,
          wr,
          counted,
          checks,
          virtual: text.startsWith('create virtual') && text,
          ...Object.fromEntries(sorted),
        },
      ];
    }),
  );
}

function plain(sql: unknown): string {
  const text = String(sql ?? '').toLowerCase();
  return text
    .replaceAll(/["\n]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([(),;]) ?/gu, '$1')
    .replaceAll('check(', 'check (')
    .trim();
}
