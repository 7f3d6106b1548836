import { sql } from 'kysely';
import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { nullable, oneOf, table, text } from '../tables/table.ts';

/** Hooks, conversations that are in no list, and proposals that no token and no chat decides. */
export const addHooksAndOwners: Step = async (db, kind) => {
  const number = sql.raw(kind === 'sqlite' ? 'integer' : 'bigint');
  await sql`alter table conversations add column unlisted ${number} not null default 0`.execute(db);
  await sql`alter table proposals add column owner_only ${number}`.execute(db);
  await createTable(db, kind, { name: 'hooks', ...HOOKS });
  await createTable(db, kind, { name: 'hook_messages', ...MESSAGES });
};

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
