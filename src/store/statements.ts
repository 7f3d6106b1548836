import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Database } from './schema.ts';

type Row = Readonly<Record<string, SQLInputValue>>;

/**
 * Insert a row; its fields are the columns, the others get their defaults.
 *
 * @throws the database's error when a row with the same key exists.
 */
export function insertRow(sql: DatabaseSync, table: keyof Database, row: Row): void {
  sql.prepare(`INSERT ${into(table, row)}`).run(row);
}

/** @returns whether the row was inserted; false when a row with the same key exists. */
export function insertIfNew(sql: DatabaseSync, table: keyof Database, row: Row): boolean {
  return sql.prepare(`INSERT OR IGNORE ${into(table, row)}`).run(row).changes === 1;
}

function into(table: string, row: Row): string {
  const columns = Object.keys(row);
  return `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`;
}

/** Tables that are updated by id. */
type Keyed = Extract<keyof Database, 'schedules' | 'runs' | 'outbox'>;

/**
 * Set the columns named in `changes` of the row with this id.
 *
 * @param more  further SQL: an assignment, and a condition whose named parameters are in `values`.
 * @returns whether there was such a row.
 */
export function updateRow(
  sql: DatabaseSync,
  target: { readonly table: Keyed; readonly id: string },
  changes: Row,
  more: { readonly set?: string; readonly condition?: string; readonly values?: Row } = {},
): boolean {
  const sets = Object.keys(changes).map((column) => `${column} = :${column}`);
  const set = [...sets, ...(more.set ? [more.set] : [])].join(', ');
  const statement = sql.prepare(`UPDATE ${target.table} SET ${set} WHERE id = :id AND ${more.condition ?? 'TRUE'}`);
  return statement.run({ ...changes, ...more.values, id: target.id }).changes === 1;
}
