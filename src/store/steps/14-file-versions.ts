import type { Kysely } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { createTable, integer, maybe, table, text } from '../tables/define.ts';

/** Contents last: SQLite need not read them to get at the other columns. */
const definition = table({
  name: 'file_versions',
  columns: {
    project: text,
    path: text,
    version: integer,
    sha256: maybe(text),
    size: integer,
    turn_id: maybe(text),
    effect_id: maybe(text),
    at: text,
    content: maybe({ type: 'blob' }),
  },
  key: ['project', 'path', 'version'],
  indexes: [
    { name: 'file_versions_by_time', on: ['project', 'at'] },
    { name: 'file_versions_by_turn', on: ['turn_id'] },
  ],
});

/** What the file tools overwrite or delete is kept, so that any machine can restore it. Owned by `tools/`. */
export async function fileVersions(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  await createTable(db, kind, definition);
}
