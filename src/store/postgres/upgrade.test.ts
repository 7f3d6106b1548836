import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { postgresOfSchema19 } from '../../testing/schema-19.ts';
import { STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, openHome, query } from '../../testing/test-database.ts';
import { NEWEST } from '../migrations.ts';
import type { Database } from '../schema.ts';
import type { Step } from '../step.ts';

/** A step after those that there are. */
const step = vi.hoisted(() => vi.fn<Step>());
vi.mock('../steps.ts', async (real) => {
  const { BASELINE, STEPS } = await real<typeof import('../steps.ts')>();
  return { BASELINE, STEPS: [...STEPS, step] };
});
beforeEach(() => void step.mockReset());

const versionOf = async (url: string) => query(url, 'select version from wooster_schema');

describe.runIf(STORE_KINDS.includes('postgres'))('a database of schema 19', () => {
  test('is brought to the newest version once, for all homes', async () => {
    step.mockImplementation(async (db) => void (await sql`alter table turns add column mood text`.execute(db)));
    const url = await postgresOfSchema19();
    for (const home of ['a', 'b']) {
      const { rows } = await sql`select id, mood from turns order by seq`.execute((await openHome(url, home)).db);
      expect(rows).toEqual(['t9', 't1'].map((id) => ({ id, mood: null })));
    }
    expect(step).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'postgres');
    expect(await versionOf(url)).toEqual([{ version: NEWEST }]);
  });

  test('stays as it was when a step fails', async () => {
    step.mockImplementation(async (db: Kysely<Database>) => {
      await sql`drop table origins`.execute(db);
      throw new Error('no');
    });
    const url = await postgresOfSchema19();
    await expect(openHome(url, 'a')).rejects.toThrow();
    expect(await versionOf(url)).toEqual([{ version: 19 }]);
    expect(await query(url, 'select from origins')).toEqual([]);
  });

  test('ends with the tables of a new one', async () => {
    const [old, fresh] = [await postgresOfSchema19(), await emptyDatabase()];
    for (const url of [old, fresh]) await openHome(url, 'a');
    expect(await shapeOf(fresh)).toEqual(await shapeOf(old));
    expect(step).toHaveBeenCalledTimes(1);
  });
});

/** Everything about the tables that the server knows, without the names of keys. */
async function shapeOf(url: string): Promise<unknown[]> {
  const ours = "relnamespace = 'public'::regnamespace";
  const questions = [
    `select attrelid::regclass::text as "table", attname, attnum, format_type(atttypid, atttypmod) as type, attnotnull,
      attidentity, attstorage, attcollation::regcollation::text as order, pg_get_expr(adbin, adrelid) as initially
      from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where ${ours} and relkind = 'r' and attnum > 0 order by 1, 2`,
    `select conrelid::regclass::text as "table", pg_get_constraintdef(pg_constraint.oid) as rule,
      case contype when 'c' then conname end as name
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    `select pg_get_indexdef(indexrelid) as index from pg_index join pg_class on pg_class.oid = indexrelid
      where ${ours} and not indisprimary order by 1`,
    `select pg_get_triggerdef(pg_trigger.oid) as trigger, prosrc from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal order by 1`,
    `select tablename, policyname, qual, with_check from pg_policies where schemaname = 'public' order by 1`,
    `select relname, relrowsecurity, relforcerowsecurity from pg_class where ${ours} and relkind = 'r' order by 1`,
  ];
  return Promise.all(questions.map((question) => query(url, question)));
}
