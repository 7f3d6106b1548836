import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import type { HeldLock } from '../contract.ts';
import { migrate, NEWEST } from '../migrations.ts';
import type { Database } from '../schema.ts';
import { backupsOf, copyDatabase } from './copy.ts';
import { sqliteDialect } from './driver.ts';
import { fileLocks } from './lock.ts';
import { readVersion, writeVersion } from './version.ts';

/**
 * Bring a database to the newest version. What was there before is backed up first, and everything happens in one
 * transaction, by one program, so the program can be killed at any time.
 */
export async function upgrade(database: DatabaseSync, path: string): Promise<void> {
  await using _ = await onlyUpgrader(path);
  const version = readVersion(database);
  if (version === NEWEST) return;
  // A database in memory is always new.
  if (version > 0) await backUpBefore(database, path, version);
  // Kysely must not share its connection, but nobody else uses this one yet.
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  // A step may recreate a table, which must not delete the rows that belong to it.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    await db.transaction().execute((tx) => migrateAndCheck(database, tx));
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}

async function migrateAndCheck(database: DatabaseSync, tx: Kysely<Database>): Promise<void> {
  // An older program does not take the lock.
  await migrate(tx, 'sqlite', readVersion(database));
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

/** Backing up and upgrading a large home takes time. */
const LONGEST_UPGRADE_MS = 10 * 60_000;

async function onlyUpgrader(path: string): Promise<HeldLock | undefined> {
  if (path === ':memory:') return undefined;
  const locks = fileLocks(path);
  for (const end = performance.now() + LONGEST_UPGRADE_MS; performance.now() < end; await sleep(20)) {
    const lock = locks('upgrade');
    if (lock) return lock;
  }
  throw new AssistantError('store_unavailable', 'Another program is taking too long to upgrade the database.', {
    hint: 'Close the other program and try again.',
  });
}
