import { type Kysely, sql } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { addColumn, createTable, initially, integer, maybe, oneOf, table, text } from '../tables/define.ts';

const fileOrigins = table({
  name: 'file_origins',
  columns: { path: text, sha256: text, untrusted: integer, sources: text, by: oneOf('call', 'owner'), at: text },
  key: ['path', 'sha256'],
  indexes: [{ name: 'file_origins_by_content', on: ['sha256'] }],
});

const proposals = table({
  name: 'proposals',
  columns: {
    id: text,
    project: text,
    conversation_id: text,
    turn_id: text,
    mode: text,
    tool: text,
    input: text,
    target: maybe(text),
    diff: maybe(text),
    reason: text,
    provenance: text,
    hash: text,
    state: oneOf('waiting', 'running', 'done', 'failed', 'unknown', 'denied', 'expired'),
    created_at: text,
    expires_at: text,
    decided_at: maybe(text),
    decided_by: maybe(text),
    holder: maybe(text),
    held_until: maybe(text),
    result: maybe(text),
  },
  key: ['id'],
  indexes: [
    // The same call waits once, however often and by however many programs it is proposed.
    { name: 'proposals_waiting', on: ['project', 'hash'], where: "state = 'waiting'", unique: true },
    { name: 'proposals_by_time', on: ['created_at'] },
  ],
});

/**
 * Whose text the files are, and which calls wait for approval. Earlier marks went by name: what they say of files and
 * journals is kept, for whatever the files hold now. Owned by `tools/`.
 */
export async function trust(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  await createTable(db, kind, fileOrigins);
  await createTable(db, kind, proposals);
  await addColumn(db, kind, { table: 'artifacts', name: 'untrusted', column: initially(1, integer) });
  await addColumn(db, kind, { table: 'effects', name: 'why', column: maybe(text) });
  if (kind === 'sqlite') return keepMarks(db);
  for (const { id } of await db.selectFrom('homes').select('id').execute()) {
    await sql`select set_config('wooster.home', ${id}, true)`.execute(db);
    await keepMarks(db, id);
  }
}

/** @param home on a server: rows are written to the home that is set, and an administrator reads those of all. */
async function keepMarks(db: Kysely<Database>, home?: string): Promise<void> {
  const marks = db.selectFrom('origins').selectAll();
  const theirs = home === undefined ? marks : marks.where(sql<boolean>`home = ${home}`);
  for (const { thing, sources, updated_at } of await theirs.execute()) {
    const path = pathOf(thing);
    if (path === undefined) continue;
    await db
      .insertInto('file_origins')
      .values({ path, sha256: '', untrusted: 1, sources, by: 'call', at: updated_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** `journal:P` and `file:P/PATH` as the path from the home on. */
function pathOf(thing: string): string | undefined {
  const rest = thing.slice(thing.indexOf(':') + 1);
  if (thing.startsWith('journal:')) return `projects/${rest}/${rest}.md`;
  return thing.startsWith('file:') ? `projects/${rest.replace(/\/(?=\/|$)/gu, '')}` : undefined;
}
