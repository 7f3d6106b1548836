import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import type { HeldLock } from '../contract.ts';
import type { Database } from '../schema.ts';
import { BASELINE, NEWEST, takeSteps } from '../steps.ts';
import { createBaseline } from '../tables/baseline.ts';
import { backupsOf, copyDatabase } from './copy.ts';
import { sqliteDialect } from './driver.ts';
import { fileLocks } from './lock.ts';
import { effects } from './steps/02-effects.ts';
import { usage } from './steps/03-usage.ts';
import { schedules } from './steps/04-schedules.ts';
import { outbox } from './steps/05-outbox.ts';
import { documents } from './steps/06-documents.ts';
import { codeTurns } from './steps/07-code-turns.ts';
import { recipients } from './steps/08-recipients.ts';
import { jobWrites } from './steps/09-job-writes.ts';
import { earlierJobs } from './steps/10-earlier-jobs.ts';
import { imported } from './steps/11-imported.ts';
import { turnMemory } from './steps/12-turn-memory.ts';
import { severalWorkers } from './steps/13-several-workers.ts';
import { readVersion, writeVersion } from './version.ts';

/** The steps to the baseline, of the time when there was only SQLite. The first leads from version 1 to 2. */
export const OLD_STEPS: readonly string[] = [
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
  severalWorkers,
];

/**
 * Bring a database to the newest version. What was there before is backed up first, and everything happens in one
 * transaction, by one program, so the program can be killed at any time.
 */
export async function upgrade(database: DatabaseSync, path: string): Promise<void> {
  await using _ = await onlyUpgrader(path);
  const version = readVersion(database);
  if (version === NEWEST) return;
  // One in memory is always new.
  if (version > 0) await backUpBefore(database, path, version);
  // Kysely may be used on a connection that others use as well, but nobody else does yet.
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  // Tables are made anew, and what is part of their rows has to stay.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    await db.transaction().execute((tx) => takeAllSteps(database, tx));
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}

async function takeAllSteps(database: DatabaseSync, tx: Kysely<Database>): Promise<void> {
  // An older program does not know the lock.
  const version = readVersion(database);
  if (version === 0) await createBaseline(tx, 'sqlite');
  else for (const step of OLD_STEPS.slice(version - 1)) database.exec(step);
  await takeSteps(tx, 'sqlite', Math.max(version, BASELINE));
  const orphans = database.prepare('PRAGMA foreign_key_check').all();
  if (orphans.length > 0) refuse(orphans.length);
  writeVersion(database, NEWEST);
}

function refuse(orphans: number): never {
  const message = `The database cannot be upgraded: rows that others refer to are gone (${orphans} times).`;
  throw new AssistantError('store_damaged', message, {
    hint: '`wooster restore --salvage` saves what can be read; `wooster restore FILE` brings a backup in.',
  });
}

async function backUpBefore(database: DatabaseSync, path: string, version: number): Promise<void> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = join(backupsOf(path), `before-upgrade-${version}-${stamp}.sqlite3`);
  await copyDatabase(path, file, (part) => database.prepare('VACUUM INTO ?').run(part));
}

/** Backing up and upgrading a large home takes its time. */
const LONGEST_UPGRADE_MS = 10 * 60_000;

async function onlyUpgrader(path: string): Promise<HeldLock | undefined> {
  if (path === ':memory:') return undefined;
  const locks = fileLocks(path);
  for (const end = performance.now() + LONGEST_UPGRADE_MS; performance.now() < end; await sleep(20)) {
    const lock = locks('upgrade');
    if (lock) return lock;
  }
  throw new AssistantError('store_unavailable', 'Another program is upgrading the database for too long.', {
    hint: 'Close the other program and try again.',
  });
}
