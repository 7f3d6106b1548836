import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { nullable, oneOf, table, text } from '../tables/table.ts';

/** Hooks, and conversations that are in no list. */
export const addHooksAndUnlisted: Step = async (db, kind) => {
  await addUnlisted(db, kind === 'sqlite' ? 'integer' : 'bigint');
  await createTable(db, kind, { name: 'hooks', ...HOOKS });
  await createTable(db, kind, { name: 'hook_messages', ...MESSAGES });
};

async function addUnlisted(db: Kysely<Database>, integer: 'integer' | 'bigint'): Promise<void> {
  await sql`alter table conversations add column unlisted ${sql.raw(integer)} not null default 0`.execute(db);
}

const HOOKS = table({
  columns: {
    ...{ name: text, secret: text, kind: oneOf('prompt', 'program', 'job'), what: text, param: nullable(text) },
    ...{ project: text, mode: text, created_at: text },
  },
  key: ['name'],
});

const MESSAGES = table({
  columns: { hook: text, message_id: text, body_hash: text, run: text, created_at: text },
  key: ['hook', 'message_id'],
  partOf: { column: 'hook', table: 'hooks', key: 'name' },
  notCopied: true,
});
