import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type ClientConfig, Pool } from 'pg';
import { AssistantError } from '../../base/errors.ts';
import type { StoreLocation } from '../contract.ts';
import { migrate, NEWEST, requireKnownVersion } from '../migrations.ts';
import type { Database } from '../schema.ts';
import { explain, serverOf } from './errors.ts';
import { connectionTo, lockKey } from './server.ts';

const OLDEST_SERVER = 15;
/** The role that connections assume when the URL's own role bypasses row level security. It cannot log in. */
const APP_ROLE = 'wooster_app';

/** Changing large tables takes time, and so does waiting for another program that does it. */
const LONGEST_UPGRADE_MS = 10 * 60_000;
const PATIENT = { query_timeout: LONGEST_UPGRADE_MS, statement_timeout: LONGEST_UPGRADE_MS };

/**
 * Check the server, bring its tables to the newest version and register the home. Of several programs that start at
 * once only one changes the tables, in one transaction.
 *
 * @returns the role that connections have to assume; undefined: the URL's own.
 * @throws AssistantError `bad_setting`, `store_unavailable`, `store_damaged`.
 */
export async function makeReady(
  { url, home }: Extract<StoreLocation, { kind: 'postgres' }>,
  readOnly: boolean,
): Promise<string | undefined> {
  const server = serverOf(url);
  try {
    const enterIfReady = async (db: Kysely<Database>) => {
      const facts = await checkServer(db);
      if (!readOnly && isReady(facts)) await enter(db, home);
      return facts;
    };
    const facts = await connected(url, {}, enterIfReady);
    const role = facts.above ? APP_ROLE : undefined;
    if (readOnly || isReady(facts)) return role;
    await connected(url, PATIENT, (db) => alone(db, () => upgrade(db, role)));
    await connected(url, {}, enterIfReady);
    return role;
  } catch (error) {
    throw explain(server, error);
  }
}

/** Do something on a dedicated connection. */
async function connected<T>(url: string, limits: ClientConfig, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const pool = new Pool({ ...connectionTo(url), ...limits, max: 1 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
    return await db.connection().execute(work);
  } finally {
    await pool.end();
  }
}

function isReady({ version, above, granted }: ServerFacts): boolean {
  return version === NEWEST && (granted || !above);
}

async function enter(db: Kysely<Database>, home: string): Promise<void> {
  const now = sql`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  await sql`insert into homes (id, created_at) select ${home}, ${now}
    where not exists (select from homes where id = ${home}) on conflict (id) do nothing`.execute(db);
}

interface ServerFacts {
  readonly major: number;
  readonly encoding: string;
  /** A replica, or set to read-only. */
  readonly locked: boolean;
  /** Whether the role sees all rows regardless of their policy. */
  readonly above: boolean;
  /** Whether the role that cannot log in may use the tables. */
  readonly granted: boolean;
  /** Schema version; 0 in an empty database. */
  readonly version: number;
}

async function checkServer(db: Kysely<Database>): Promise<ServerFacts> {
  const { rows } = await sql<Omit<ServerFacts, 'version'>>`select
    current_setting('server_version_num')::int / 10000 as major,
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as locked,
    (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as above,
    coalesce((select has_table_privilege(r.oid, t.oid, 'insert') from pg_roles r, pg_class t
      where r.rolname = ${APP_ROLE} and t.oid = to_regclass('conversations')), false) as granted`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the server did not say what it is');
  if (facts.major < OLDEST_SERVER) refuse(`it is version ${facts.major}`, `Use PostgreSQL ${OLDEST_SERVER} or newer.`);
  if (facts.encoding !== 'UTF8') refuse(`its encoding is ${facts.encoding}`, 'Create the database with -E UTF8.');
  if (facts.locked) refuse('it is a read-only replica', 'Give WOOSTER_STORE_URL the primary server.');
  return { ...facts, version: await readVersion(db) };
}

function refuse(why: string, hint: string): never {
  throw new AssistantError('store_unavailable', `The database server cannot be used: ${why}.`, { hint });
}

/** @throws AssistantError `store_damaged` when this program cannot use it. */
async function readVersion(db: Kysely<Database>): Promise<number> {
  const table = await sql<{ known: boolean }>`select to_regclass('wooster_schema') is not null as known`.execute(db);
  if (!table.rows[0]?.known) return 0;
  const { rows } = await sql<{ version: number }>`select version from wooster_schema`.execute(db);
  const version = rows[0]?.version ?? 0;
  requireKnownVersion(version, 'The database');
  return version;
}

/** Do something under a lock among all programs. It polls, because waiting on the server is subject to its timeouts. */
async function alone(db: Kysely<Database>, act: () => Promise<void>): Promise<void> {
  const key = lockKey('migrate');
  const ask = () => sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}::bigint) as taken`.execute(db);
  for (const end = performance.now() + LONGEST_UPGRADE_MS; !(await ask()).rows[0]?.taken; await sleep(50))
    if (performance.now() > end)
      refuse('another program is taking too long to upgrade it', 'Close that one and try again.');
  try {
    await act();
  } finally {
    await sql`select pg_advisory_unlock(${key}::bigint)`.execute(db);
  }
}

async function upgrade(db: Kysely<Database>, role: string | undefined): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await migrate(tx, 'postgres', await readVersion(tx));
    await sql`create table if not exists wooster_schema (version int not null)`.execute(tx);
    await sql`delete from wooster_schema`.execute(tx);
    await sql`insert into wooster_schema values (${NEWEST})`.execute(tx);
    if (role) await grantTo(tx, role);
  });
}

/** Roles are shared by all databases of a server, so another program may be creating it for another database. */
async function grantTo(db: Kysely<Database>, role: string): Promise<void> {
  const unlessThere = 'exception when duplicate_object or unique_violation then null;';
  await sql`do ${sql.lit(`begin create role ${role} nologin; ${unlessThere} end`)}`.execute(db);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const [schema, to] = [sql.id(rows[0]?.schema ?? 'public'), sql.id(role)];
  await sql`grant usage on schema ${schema} to ${to}`.execute(db);
  await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${to}`.execute(db);
}
