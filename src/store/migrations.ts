import type { DatabaseSync } from 'node:sqlite';
import { AssistantError } from '../base/errors.ts';
import { conversations } from './migrations/01-conversations.ts';
import { effects } from './migrations/02-effects.ts';
import { usage } from './migrations/03-usage.ts';
import { schedules } from './migrations/04-schedules.ts';
import { outbox } from './migrations/05-outbox.ts';
import { documents } from './migrations/06-documents.ts';
import { codeTurns } from './migrations/07-code-turns.ts';
import { recipients } from './migrations/08-recipients.ts';
import { jobWrites } from './migrations/09-job-writes.ts';
import { earlierJobs } from './migrations/10-earlier-jobs.ts';
import { imported } from './migrations/11-imported.ts';
import { turnMemory } from './migrations/12-turn-memory.ts';

/**
 * All migrations. The position in this list, from 1, is the database's `user_version`, so only ever append.
 *
 * There is no way back: a database of a newer version is refused, and backups are the way to an older one.
 */
export const MIGRATIONS: readonly string[] = [
  conversations,
  effects,
  usage,
  schedules,
  outbox,
  documents,
  codeTurns,
  recipients,
  jobWrites,
  earlierJobs,
  imported,
  turnMemory,
];

/** The `application_id` that marks a file as ours: "WOOS". */
const APPLICATION_ID = 0x574f4f53;

/**
 * Bring a database to the newest version. Each step is one transaction, so the program can be killed at any time.
 *
 * @throws AssistantError `store_damaged` when the file belongs to another program or to a newer version.
 */
export function migrate(database: DatabaseSync): void {
  const version = readPragma(database, 'user_version');
  const owner = readPragma(database, 'application_id');
  if (owner !== APPLICATION_ID && (owner !== 0 || version !== 0)) refuse('it belongs to another program');
  if (version > MIGRATIONS.length) refuse(`it was written by a newer version (${version} > ${MIGRATIONS.length})`);
  for (let next = version; next < MIGRATIONS.length; next++) apply(database, MIGRATIONS[next] ?? '', next);
}

function apply(database: DatabaseSync, sql: string, from: number): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done this step while we waited for the lock.
    if (readPragma(database, 'user_version') === from) {
      database.exec(sql);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${from + 1}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function readPragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function refuse(why: string): never {
  throw new AssistantError('store_damaged', `The database cannot be used: ${why}.`, {
    hint: 'Update Wooster, or start with another --home.',
  });
}
