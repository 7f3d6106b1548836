import { type Kysely, sql } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { agentTables } from './agent.ts';
import { createTable, integer, table } from './define.ts';
import { notifyTables } from './notify.ts';
import { ragTables } from './rag.ts';
import { schedulerTables } from './scheduler.ts';
import { toolTables } from './tools.ts';

const TABLES = [...agentTables, ...toolTables, ...schedulerTables, ...notifyTables, ...ragTables];

/**
 * Create all tables in an empty database, as of version `BASELINE`. This never changes: what comes later is a step in
 * `steps.ts`, so that new and old databases go the same way.
 */
export async function createBaseline(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  for (const definition of TABLES) await createTable(db, kind, definition);
  await (kind === 'sqlite' ? finishSqlite(db) : finishPostgres(db));
}

/** Search covers what was asked and answered; the triggers also run for rows that go with their conversation. */
async function finishSqlite(db: Kysely<Database>): Promise<void> {
  const tokenize = sql.lit('unicode61 remove_diacritics 2');
  await sql`create virtual table messages_found using fts5 (content, tokenize = ${tokenize})`.execute(db);
  await sql`create trigger messages_are_found after insert on messages when new.kind in ('text', 'answer') begin
    insert into messages_found (rowid, content) values (new.id, new.content);
  end`.execute(db);
  await sql`create trigger messages_are_lost after delete on messages when old.kind in ('text', 'answer') begin
    delete from messages_found where rowid = old.id;
  end`.execute(db);
  for (const [trigger, event, does] of KEPT)
    await sql`create trigger ${sql.raw(trigger)} before ${sql.raw(event)} on receipts begin
      select raise(abort, ${sql.lit(does)});
    end`.execute(db);
}

/** Receipts are append-only, whoever asks. */
const KEPT = [
  ['receipts_are_kept', 'delete', 'receipts are never deleted'],
  ['receipts_stay', 'update', 'receipts are never changed'],
] as const;

/**
 * Without an index on the words: under row level security, PostgreSQL uses one only for operators that cannot leak, and
 * `@@` is none of them. It looks through the 100,000 messages of a home in a tenth of a second.
 */
const messageWords = table({
  name: 'message_words',
  columns: { message_id: integer, words: { type: 'words' } },
  key: ['message_id'],
  partOf: { column: 'message_id', table: 'messages', key: 'id' },
});

async function finishPostgres(db: Kysely<Database>): Promise<void> {
  await createTable(db, 'postgres', messageWords);
  for (const [trigger, event, does] of KEPT) {
    await sql`create function ${sql.ref(trigger)}() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception '${does}'; end`,
    )}`.execute(db);
    await sql`create trigger ${sql.ref(trigger)} before ${sql.raw(event)} on receipts
      for each row execute function ${sql.ref(trigger)}()`.execute(db);
  }
  // Parts are compressed already.
  await sql`alter table index_files alter column bytes set storage external`.execute(db);
  const byteOrder = sql`text collate "C"`;
  await db.schema
    .createTable('homes')
    .addColumn('id', byteOrder, (it) => it.primaryKey())
    .addColumn('created_at', byteOrder, (it) => it.notNull())
    .execute();
}
