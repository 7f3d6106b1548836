import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store } from './contract.ts';

/** A condition: the column has one of the values. One parameter, however many values, so the statement stays the same. */
export function isIn(
  { kind }: Pick<Store, 'kind'>,
  column: string,
  values: readonly (string | number)[],
): RawBuilder<SqlBool> {
  const list = kind === 'sqlite' ? sql`(select value from json_each(${JSON.stringify(values)}))` : undefined;
  return list ? sql`${sql.ref(column)} in ${list}` : sql`${sql.ref(column)} = any(${values})`;
}
