import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { AssistantError, messageOf } from '../base/errors.ts';
import { backUp, backupPath, damageOf, fileOf, pragma, verifyBackup } from './backup.ts';
import type { Store } from './contract.ts';
import { requireKnownVersion } from './migrations.ts';
import { putAside, type Salvaged, salvage } from './sqlite/salvage.ts';
import { mustKeep } from './unkept.ts';
import { sqliteCode } from './write-failure.ts';

/** The previous state: a backup of it, or the damaged file itself. */
export interface Before {
  readonly path: string;
  readonly damaged: boolean;
}

/**
 * Replace the database by a backup. The present state is backed up first; a damaged one is put aside.
 *
 * @throws AssistantError `file_not_found`, `store_damaged`, or `store_unavailable` when another program is using the
 *   database.
 */
export async function restoreBackup(store: Store, path: string, now: Date): Promise<Before> {
  const damaged = await isDamaged(store);
  if (!damaged) mustKeep(store);
  const { version } = verifyBackup(path);
  requireKnownVersion(version, path);
  if (damaged) return { path: await replaceDamaged(store, path, now), damaged };
  const before = (await backUp(store, backupPath(store, now, 'before-restore-'))).path;
  try {
    using source = new DatabaseSync(path, { readOnly: true });
    await backup(source, fileOf(store));
  } catch (error) {
    const hint = 'Close every other Wooster on this home and try again.';
    // For a locked database Node reports "not an error".
    const why = sqliteCode(error) === 0 ? 'another program is writing to it' : messageOf(error);
    const message = `The database could not be replaced: ${why}.`;
    throw new AssistantError('store_unavailable', message, { hint, cause: error });
  }
  return { path: before, damaged };
}

/**
 * Put the database aside, damaged or not, and make a new one of all that can still be read of it.
 *
 * @throws AssistantError `store_damaged` when none of it can be read, `home_not_writable` when there is no room for the
 *   new one.
 */
export async function salvageStore(store: Store, now: Date): Promise<Salvaged & { readonly aside: string }> {
  if (!(await isDamaged(store))) mustKeep(store);
  const file = store.unkept?.path ?? fileOf(store);
  const part = `${file}.salvaged`;
  // An interrupted attempt may have left rows that are no longer in the database.
  rmSync(part, { force: true });
  try {
    const salvaged = await salvage(file, part);
    return { ...salvaged, aside: await replaceDamaged(store, part, now) };
  } catch (error) {
    if (error instanceof AssistantError) throw error;
    const hint = 'Backups are in state/backups/ of the home; `wooster restore FILE` brings one in.';
    throw new AssistantError('store_damaged', `Nothing of ${file} can be read: ${messageOf(error)}.`, {
      hint,
      cause: error,
    });
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(part + end, { force: true });
  }
}

async function isDamaged(store: Store): Promise<boolean> {
  return (await damageOf(store))?.code === 'store_damaged';
}

/** @returns where the damaged file is now. */
async function replaceDamaged(store: Store, by: string, now: Date): Promise<string> {
  const file = store.unkept?.path ?? fileOf(store);
  await pragma(store, 'wal_checkpoint').catch(() => undefined);
  await store.close();
  const copy = `${file}.part`;
  copyFileSync(by, copy);
  chmodSync(copy, 0o600);
  const aside = putAside(file, now);
  renameSync(copy, file);
  return aside;
}
