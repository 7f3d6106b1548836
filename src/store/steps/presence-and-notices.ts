import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { Step } from '../step.ts';
import { createIndex, createTable } from '../tables/create.ts';
import { integer, nullable, oneOf, table, text, withDefault } from '../tables/table.ts';

/** The table of `presences`, and notices that keep how far they have come. Those handed over before are done. */
export const addPresenceAndNotices: Step = async (db, kind) => {
  await createTable(db, kind, { name: 'presences', ...PRESENCES });
  await sql`drop index notices_pending`.execute(db);
  await (kind === 'sqlite' ? remakeNotices(db) : changeNotices(db));
};

/** SQLite cannot change what a column may hold. */
async function remakeNotices(db: Kysely<Database>): Promise<void> {
  await sql`alter table notices rename to notices_before`.execute(db);
  await createTable(db, 'sqlite', { name: 'notices', ...NOTICES });
  await sql`insert into notices (key, run_id, route, text, state, outcome, next_at, created_at, since)
    select key, run_id, channel, text, case state when 'pending' then 'waiting' else 'done' end, outcome,
      case state when 'pending' then not_before end, created_at, created_at from notices_before`.execute(db);
  await sql`drop table notices_before`.execute(db);
}

/**
 * The rows are of many homes, which only the owner of the table may see, and only while it is not held to its rules.
 */
async function changeNotices(db: Kysely<Database>): Promise<void> {
  const change = (what: string) => sql.raw(`alter table notices ${what}`).execute(db);
  await change('no force row level security');
  for (const [from, to] of Object.entries({ channel: 'route', attempts: 'round', not_before: 'next_at' }))
    await change(`rename column ${from} to ${to}`);
  await change('alter next_at drop not null, drop constraint notices_state_check');
  await sql`update notices set state = case state when 'pending' then 'waiting' else 'done' end, round = 0,
    next_at = case state when 'pending' then next_at end`.execute(db);
  await change("alter state set default 'waiting'");
  await change("add constraint notices_state_check check (state in ('waiting', 'delivered', 'done'))");
  const number = 'bigint not null default 0';
  const words = 'text collate "C"';
  await change(`add number ${number}, add urgent ${number}, add step ${number}, add since ${words}`);
  await change(`add at_faces ${number}, add face ${words}, add repeated ${number}, add held ${number}`);
  await change(`add reached ${number}, add message ${words}, add delivered_at ${words}, add delivered_by ${words}`);
  await change(`add done_at ${words}, add done_by ${words}`);
  await sql`update notices set since = created_at`.execute(db);
  await change('alter since set not null, force row level security');
  for (const index of NOTICES.indexes ?? []) await createIndex(db, 'postgres', { table: 'notices', ...index });
}

const PRESENCES = table({
  columns: {
    ...{ id: text, kind: text, host: text, pid: integer, runs_jobs: integer },
    ...{ since: text, seen_at: text, active_at: nullable(text), lease_until: text },
  },
  key: ['id'],
});

const count = withDefault(0, integer);
const NOTICES = table({
  columns: {
    ...{ key: text, run_id: nullable(text), route: nullable(text), text },
    state: withDefault('waiting', oneOf('waiting', 'delivered', 'done')),
    ...{ outcome: nullable(text), round: count, next_at: nullable(text), created_at: text },
    ...{ number: count, urgent: count, step: count, since: text, at_faces: count, face: nullable(text) },
    ...{ repeated: count, held: count, reached: count, message: nullable(text) },
    ...{ delivered_at: nullable(text), delivered_by: nullable(text), done_at: nullable(text), done_by: nullable(text) },
  },
  key: ['key'],
  indexes: [
    { name: 'notices_on_their_way', on: ['next_at'], where: 'next_at is not null' },
    { name: 'notices_at_faces', on: ['created_at'], where: "state = 'waiting' and at_faces = 1" },
    { name: 'notices_by_message', on: ['message'], where: 'message is not null' },
    { name: 'notices_by_run', on: ['run_id'] },
    { name: 'notices_by_number', on: ['number'] },
  ],
});
