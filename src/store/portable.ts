import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store } from './contract.ts';

/** A condition: the column has one of the values. They share one parameter, so the statement stays the same. */
export function isIn(
  { kind }: Pick<Store, 'kind'>,
  column: string,
  values: readonly (string | number)[],
): RawBuilder<SqlBool> {
  const list = kind === 'sqlite' ? sql`(select value from json_each(${JSON.stringify(values)}))` : undefined;
  return list ? sql`${sql.ref(column)} in ${list}` : sql`${sql.ref(column)} = any(${values})`;
}

/** All values of a column of numbers as the JSON text of one row, which is read much faster than a row per value. */
export function idList({ kind }: Pick<Store, 'kind'>, column: string): RawBuilder<string> {
  const values = sql.ref(column);
  if (kind === 'sqlite') return sql<string>`json_group_array(${values} order by ${values})`;
  return sql<string>`coalesce(json_agg(${values} order by ${values})::text, '[]')`;
}

/** A condition: the text contains the part. */
export function contains({ kind }: Pick<Store, 'kind'>, text: RawBuilder<string>, part: string): RawBuilder<SqlBool> {
  return kind === 'sqlite' ? sql`instr(${text}, ${part}) > 0` : sql`strpos(${text}, ${part}) > 0`;
}
