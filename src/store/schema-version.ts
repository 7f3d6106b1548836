import { sql } from 'kysely';
import type { Store } from './contract.ts';

/** The version of the tables; 0 when there are none. It is the newest one unless the store is open for reading only. */
export async function readSchema(store: Store): Promise<number> {
  if (store.kind === 'sqlite') return readNumber(store, sql`select user_version as n from pragma_user_version()`);
  const known = await readNumber(store, sql`select count(to_regclass('wooster_schema')) as n`);
  return known === 0 ? 0 : readNumber(store, sql`select version as n from wooster_schema`);
}

async function readNumber({ read }: Store, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`${query}`.execute(read);
  return rows[0]?.n ?? 0;
}
