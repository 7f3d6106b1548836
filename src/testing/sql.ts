import { CompiledQuery } from 'kysely';
import type { Store } from '../store/store.ts';
import { query } from './test-database.ts';

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

/** Names of the tables, also of those that only one kind of store has. */
export async function tableNames(store: Store): Promise<string[]> {
  const rows = await sqlAll(
    store,
    store.kind === 'postgres'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  return rows.map(({ name }) => String(name));
}

/** What is wrong with the database file; nothing on a server, which sees to its files itself. */
export async function fileProblems(store: Store): Promise<SqlRow[]> {
  if (store.kind === 'postgres') return [];
  const whole = await sqlAll(store, 'PRAGMA integrity_check');
  const links = await sqlAll(store, 'PRAGMA foreign_key_check');
  return [...whole.filter((row) => row.integrity_check !== 'ok'), ...links];
}

const KEEPERS = ['receipts_stay', 'receipts_are_kept'];

/** Change receipts past the triggers that forbid it, as an intruder with a hand on the database would. */
export async function tamper(store: Store, text: string): Promise<void> {
  const { location } = store;
  if (location.kind === 'postgres') {
    // Other tests share the tables: here the triggers sleep for one connection only.
    const asHome = `SET ROLE wooster_app; SET wooster.home = '${location.home}'`;
    await query(location.url, `SET session_replication_role = replica; ${asHome}; ${text}`);
    return;
  }
  for (const trigger of KEEPERS) await sqlRun(store, `DROP TRIGGER IF EXISTS ${trigger}`);
  await sqlRun(store, text);
}
