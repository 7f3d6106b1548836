import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import { folded, HOME_ID_FORM, isHomeId } from '../base/home-id.ts';
import { processIdentity } from '../base/process-identity.ts';
import { preview } from '../base/text.ts';
import type { Store } from './contract.ts';
import { type Database, TABLES_OF_A_HOME } from './schema.ts';

/** Programs report that they are alive every five seconds. */
const SEEN_MS = 30_000;

/** All homes on the server, by name. This table alone is visible to all homes. */
export async function listHomes(store: Store): Promise<Database['homes'][]> {
  requireServer(store);
  return store.read.selectFrom('homes').selectAll().orderBy('id').execute();
}

/**
 * Make a home known, so that workers which serve several homes find it.
 *
 * @returns false when it is there already.
 * @throws AssistantError `bad_usage` for an invalid name, for one that differs from another only in upper and lower
 *   case, or on SQLite.
 */
export async function addHome(store: Store, id: string): Promise<boolean> {
  requireServer(store);
  requireHomeId(id);
  return store.transaction(async () => {
    const { rows: homes } = await sql<{ id: string }>`select id from homes`.execute(store.db);
    if (homes.some((home) => home.id === id)) return false;
    const similar = homes.find((home) => folded(home.id) === folded(id));
    if (similar) {
      throw new AssistantError('bad_usage', `There is a home ${similar.id}, which is too similar to ${id}.`, {
        hint: 'Names must differ by more than upper and lower case, since folders are named after homes.',
      });
    }
    const created_at = await store.now();
    await sql`insert into homes (id, created_at) values (${id}, ${created_at})
      on conflict (id) do nothing`.execute(store.db);
    return true;
  });
}

/** @throws AssistantError `bad_usage` for a name that a home cannot have. */
export function requireHomeId(id: string): void {
  if (isHomeId(id)) return;
  throw new AssistantError('bad_usage', `"${preview(id, 80)}" cannot be the name of a home.`, {
    hint: `Use ${HOME_ID_FORM}.`,
  });
}

/** Rows of a home by table, only tables that have any. */
export async function countHome(store: Store): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  // The programs that work for a home are not part of its data.
  for (const table of TABLES_OF_A_HOME.filter((each) => each !== 'workers')) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(store.read);
    if (rows[0]?.rows) counts.set(table, rows[0].rows);
  }
  return counts;
}

/**
 * Forget the home that the store is open for, so that programs which serve all homes leave it, and wait until only
 * this program is left.
 *
 * @throws AssistantError `bad_usage` when one stays, in which case the home is registered again; or on SQLite.
 */
export async function retireHome(store: Store, patienceMs = 40_000): Promise<void> {
  const home = requireServer(store);
  const until = performance.now() + patienceMs;
  await store.db.deleteFrom('homes').where('id', '=', home).execute();
  for (let others = await othersIn(store); others.length > 0; others = await othersIn(store)) {
    if (performance.now() > until) {
      await addHome(store, home);
      throw new AssistantError('bad_usage', `Home ${home} is in use by ${others.join(', ')}.`, {
        hint: `End the programs with WOOSTER_HOME_ID=${home} first.`,
      });
    }
    await sleep(500);
  }
}

/** Programs that have reported within half a minute that they work for this home. */
async function othersIn(store: Store): Promise<string[]> {
  const since = new Date(Date.parse(await store.now()) - SEEN_MS).toISOString();
  const rows = await store.db.selectFrom('workers').select(['id', 'host']).where('seen_at', '>', since).execute();
  return rows.filter(({ id }) => !id.startsWith(processIdentity())).map(({ id, host }) => `${id} on ${host}`);
}

/**
 * Delete all rows of the home that the store is open for, receipts as well, and forget the home. Call `retireHome`
 * before: a program still running would start an empty home of the same name.
 *
 * @throws AssistantError `bad_usage` on SQLite.
 */
export async function removeHome(store: Store): Promise<void> {
  const home = requireServer(store);
  for (const table of TABLES_OF_A_HOME) if (table !== 'receipts') while (await deleteSome(store, table));
  await store.transaction(async () => {
    // Only the owner of the tables may do this, which can be the URL's role; then only the condition keeps homes apart.
    await sql`set local role none`.execute(store.db);
    // Last, because it blocks the receipts of all other homes.
    await sql`alter table receipts disable trigger receipts_are_kept`.execute(store.db);
    await sql`delete from receipts where home = ${home}`.execute(store.db);
    await sql`alter table receipts enable trigger receipts_are_kept`.execute(store.db);
    await store.db.deleteFrom('homes').where('id', '=', home).execute();
  });
}

/** Few enough to keep each statement short. */
const ROWS_AT_ONCE = 5000;

/** Row level security leaves only the rows of the store's home to delete. @returns whether there may be more. */
async function deleteSome(store: Store, table: string): Promise<boolean> {
  const some = sql`select ctid from ${sql.table(table)} limit ${sql.lit(ROWS_AT_ONCE)}`;
  const { numAffectedRows = 0n } = await store.transaction(() =>
    sql`delete from ${sql.table(table)} where ctid = any(array(${some}))`.execute(store.db),
  );
  return numAffectedRows >= ROWS_AT_ONCE;
}

function requireServer({ location }: Store): string {
  if (location.kind === 'postgres') return location.home;
  throw new AssistantError('bad_usage', 'An SQLite database is one home: there are no others to manage.', {
    hint: 'Set WOOSTER_STORE_URL to share a PostgreSQL server (docs/several-machines.md), or use --home DIR.',
  });
}
