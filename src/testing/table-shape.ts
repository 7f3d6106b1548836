import { DatabaseSync } from 'node:sqlite';

/** Everything about the tables that SQLite knows, in an order of its own and without the names that do not matter. */
export function shapeOf(path: string): unknown {
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

/** The version of the tables and all that SQLite was told to make, table by table, except what it makes by itself for full-text search. */
export function definitionsOf(path: string): string {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'messages_found_*' AND name NOT GLOB 'sqlite_*'
        ORDER BY tbl_name, type = 'trigger', type = 'index', name`,
    )
    .all();
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  return [`PRAGMA user_version = ${version};`, ...rows.map(({ sql }) => `${inLines(String(sql))};`), ''].join('\n');
}

/** One statement as it is, with each column and each constraint on a line of its own. */
export function inLines(statement: string): string {
  return statement.replaceAll(/(?<=[(,]) ?(?="\w+" (?!in\b)[a-z]|constraint )/gu, '\n  ');
}
