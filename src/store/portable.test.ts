import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, test } from 'vitest';
import { contains, idList, isIn } from './portable.ts';

const server = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const kind = 'postgres';

test.each([
  ['a list', isIn({ kind }, 'id', ['a', 'b']), '"id" = any($1)', [['a', 'b']]],
  ['numbers in one text', idList({ kind }, 'c.n'), `coalesce(json_agg("c"."n" order by "c"."n")::text, '[]')`, []],
  ['a part', contains({ kind }, sql<string>`lower(${'Text'})`, 'x%'), 'strpos(lower($1), $2) > 0', ['Text', 'x%']],
])('on a server, %s is one statement however much it is', (_what, condition, text, parameters) => {
  expect(condition.compile(server)).toMatchObject({ sql: text, parameters });
});
