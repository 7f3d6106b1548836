import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { distinctForms } from './message-search.ts';

/**
 * Index the requests and answers that were copied from another store with their numbers. On SQLite, triggers did this
 * when the rows were inserted.
 */
export async function makeFindable(
  { kind, db }: Store,
  messages: readonly { readonly id: number; readonly content: string }[],
): Promise<void> {
  if (kind === 'sqlite' || messages.length === 0) return;
  const rows = messages.map(
    ({ id, content }) => sql`(cast(${id} as bigint), array_to_tsvector(cast(${distinctForms(content)} as text[])))`,
  );
  await sql`insert into message_words (message_id, words) values ${sql.join(rows)}`.execute(db);
}
