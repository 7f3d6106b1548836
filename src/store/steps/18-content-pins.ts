import type { Kysely } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { createTable, integer, maybe, table, text } from '../tables/define.ts';

const contentPins = table({
  name: 'content_pins',
  columns: { kind: text, id: text, hash: maybe(text), imported: integer },
  key: ['kind', 'id'],
  indexes: [],
});

/** What the owner agreed to of what lies in folders that several machines share. Owned by `plugins/`. */
export async function pins(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  await createTable(db, kind, contentPins);
}
