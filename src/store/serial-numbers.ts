import { sql } from 'kysely';
import type { Store } from './contract.ts';
import { COPIED_TABLES } from './schema.ts';

interface Numbered {
  readonly name: string;
  readonly serial: string;
}

/**
 * Make a copied store continue the numbering of the original, so that even the numbers of deleted rows are not reused:
 * index files may still refer to them.
 */
export async function keepNumbering(from: Store, to: Store): Promise<void> {
  for (const { name, serial } of COPIED_TABLES) {
    if (serial === undefined) continue;
    const last = await asOwner(from, () => lastNumber(from, { name, serial }));
    if (last > 0) await asOwner(to, () => raise(to, { name, serial }, last));
  }
}

/** The highest number in use so far. On a server all homes share the sequence, so it may be another home's. */
async function lastNumber(store: Store, { name, serial }: Numbered): Promise<number> {
  const given = store.kind === 'postgres' ? givenByServer({ name, serial }) : givenByFile(name);
  const { rows } = await sql<{ last: number | null }>`
    select max(n) as last from (
      select ${sql.ref(serial)} as n from ${sql.table(name)} union all select n from (${given}) as given
    ) as numbers`.execute(store.db);
  return rows[0]?.last ?? 0;
}

function givenByServer({ name, serial }: Numbered) {
  return sql`select pg_sequence_last_value(cast(pg_get_serial_sequence(${name}, ${serial}) as regclass)) as n`;
}

/** Only tables that never reuse a number have an entry. */
function givenByFile(name: string) {
  return sql`select seq as n from sqlite_sequence where name = ${name}`;
}

/** The role that connections assume may only use the rows; the sequences belong to the role in the URL. */
async function asOwner<T>(store: Store, work: () => Promise<T>): Promise<T> {
  if (store.kind === 'sqlite') return work();
  return store.transaction(async () => {
    await sql`set local role none`.execute(store.db);
    return work();
  });
}

async function raise(store: Store, { name, serial }: Numbered, least: number): Promise<void> {
  if (store.kind === 'sqlite') return raiseInFile(store, name, least);
  // Nobody may take a number between reading and setting the sequence.
  await sql`lock table ${sql.table(name)} in share row exclusive mode`.execute(store.db);
  const next = Math.max(await lastNumber(store, { name, serial }), least);
  await sql`select setval(pg_get_serial_sequence(${name}, ${serial}), ${next})`.execute(store.db);
}

async function raiseInFile({ db }: Store, name: string, least: number): Promise<void> {
  await sql`update sqlite_sequence set seq = ${least} where name = ${name} and seq < ${least}`.execute(db);
  // A table without rows has no entry yet.
  await sql`insert into sqlite_sequence (name, seq) select name, ${least} from sqlite_schema
    where name = ${name} and sql like '%autoincrement%' and name not in (select name from sqlite_sequence)`.execute(db);
}
