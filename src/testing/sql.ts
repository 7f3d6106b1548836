import { CompiledQuery } from 'kysely';
import type { Store } from '../store/store.ts';

/** A row as the database gives it. */
export type SqlRow = Record<string, unknown>;

/** Run one statement with `?` for its values, on either kind of store, and give all its rows. */
export async function sqlAll(store: Store, text: string, ...values: unknown[]): Promise<SqlRow[]> {
  const { rows } = await store.db.executeQuery<SqlRow>(CompiledQuery.raw(inDialect(store, text), values));
  return rows;
}

/** The first row. */
export async function sqlGet(store: Store, text: string, ...values: unknown[]): Promise<SqlRow | undefined> {
  return (await sqlAll(store, text, ...values))[0];
}

/** For what gives no rows; without values, `;` parts several statements. */
export async function sqlRun(store: Store, text: string, ...values: unknown[]): Promise<void> {
  const statements = values.length > 0 ? [text] : text.split(';').filter((each) => each.trim() !== '');
  for (const each of statements) await store.db.executeQuery(CompiledQuery.raw(inDialect(store, each), values));
}

/** PostgreSQL numbers its parameters. */
function inDialect({ kind }: Store, text: string): string {
  let nth = 0;
  return kind === 'postgres' ? text.replaceAll('?', () => `$${++nth}`) : text;
}
