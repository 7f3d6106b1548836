import { sql } from 'kysely';
import type { Store } from './contract.ts';
import { TABLES_OF_A_HOME } from './schema.ts';

/** Facts that only a database on a server has. */
export interface ServerFacts {
  /** The URL's. */
  readonly user: string;
  /** The role of the connections bypasses row level security. */
  readonly superuser: boolean;
  /** A replica, or a server that has been set to read only. */
  readonly readOnly: boolean;
  /** Connections of the whole server. */
  readonly connections: { readonly used: number; readonly max: number };
  /** Statements of this database that are waiting for a lock. */
  readonly locksWaiting: number;
  readonly encoding: string;
  readonly collation: string;
  /** Our tables whose rows are not hidden from other homes. */
  readonly unprotected: readonly string[];
  /** Our text columns that are not sorted by their bytes. */
  readonly otherOrder: readonly string[];
  /** Version of the extension pgvector; null when it is not installed. Not needed yet. */
  readonly pgvector: string | null;
}

/** The server's version, size and facts. */
export async function serverFacts(
  store: Store,
): Promise<ServerFacts & { readonly version: string; readonly bytes: number }> {
  const { used, max, ...settings } = await settingsOf(store);
  const [unprotected, otherOrder] = [await unprotectedTables(store), await columnsOfOtherOrder(store)];
  return { ...settings, connections: { used, max }, unprotected, otherOrder };
}

interface ServerSettings extends Omit<ServerFacts, 'connections' | 'unprotected' | 'otherOrder'> {
  readonly version: string;
  readonly bytes: number;
  readonly used: number;
  readonly max: number;
}

/** What names a locale of ICU is called `daticulocale` up to PostgreSQL 16: both are fields that need not be there. */
async function settingsOf({ read }: Store): Promise<ServerSettings> {
  const { rows } = await sql<ServerSettings>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as bytes,
      session_user::text as "user", rolsuper or rolbypassrls as superuser,
      pg_is_in_recovery() or
        (select reset_val from pg_settings where name = 'default_transaction_read_only') = 'on' as "readOnly",
      (select sum(numbackends) from pg_stat_database) as used,
      current_setting('max_connections')::int as max,
      (select count(*) from pg_locks l where not l.granted and l.database = d.oid) as "locksWaiting",
      pg_encoding_to_char(d.encoding)::text as encoding,
      coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', d.datcollate) as collation,
      (select extversion from pg_extension where extname = 'vector') as pgvector
    from pg_roles r, pg_database d
    where r.rolname = current_user and d.datname = current_database()`.execute(read);
  const [settings] = rows;
  if (!settings) throw new Error('The server does not know its own database.');
  return settings;
}

async function unprotectedTables({ read }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relname::text = any(${TABLES_OF_A_HOME})
      and not (relrowsecurity and relforcerowsecurity)
    order by relname`.execute(read);
  return rows.map(({ name }) => name);
}

async function columnsOfOtherOrder({ read }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = any(${TABLES_OF_A_HOME})
      and data_type = 'text' and collation_name is distinct from 'C'
    order by 1`.execute(read);
  return rows.map(({ name }) => name);
}
