import { type Kysely, sql } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { createIndex } from '../tables/define.ts';

const STATUSES = sql.raw(
  "'running', 'answered', 'cut_off', 'step_limit', 'aborted', 'failed', 'budget', 'interrupted', 'undone'",
);

/**
 * A turn whose answer is not whole is kept as `cut_off`, no longer as `answered`. Which turns run, which were
 * interrupted and which conversations are the newest is found without reading all of them. Owned by `conversation/`.
 */
export async function cutAnswers(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  if (kind === 'sqlite') await rebuildTurns(db);
  else {
    await sql`alter table turns drop constraint turns_status_check`.execute(db);
    await sql`alter table turns add constraint turns_status_check check (status in (${STATUSES}))`.execute(db);
  }
  await createIndex(db, kind, 'turns', { name: 'turns_by_status', on: ['status', 'started_at'] });
  await createIndex(db, kind, 'conversations', { name: 'conversations_by_time', on: ['updated_at', 'id'] });
}

/** SQLite cannot change a check. The numbers that were given out stay taken, also those of deleted turns. */
async function rebuildTurns(db: Kysely<Database>): Promise<void> {
  await sql`create table turns_again (
    seq integer primary key autoincrement,
    id text not null unique,
    conversation_id text not null references conversations (id) on delete cascade,
    mode text not null,
    origin text not null,
    text text not null,
    status text not null check (status in (${STATUSES})),
    owner text,
    started_at text not null,
    finished_at text
  ) strict`.execute(db);
  const columns = sql.raw('seq, id, conversation_id, mode, origin, text, status, owner, started_at, finished_at');
  await sql`insert into turns_again (${columns}) select ${columns} from turns`.execute(db);
  await sql`delete from sqlite_sequence where name = 'turns_again'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq)
    select 'turns_again', seq from sqlite_sequence where name = 'turns'`.execute(db);
  await sql`drop table turns`.execute(db);
  await sql`alter table turns_again rename to turns`.execute(db);
  await sql`create index turns_by_conversation on turns (conversation_id, started_at)`.execute(db);
}
