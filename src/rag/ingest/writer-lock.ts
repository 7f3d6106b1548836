import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { sqliteCode } from '../../store/write-failure.ts';

/** Another connection holds the lock: https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * Run `work` as the only writer of a project. The lock is on a small database file, so the system releases it when the
 * process ends, however it ends.
 *
 * @throws AssistantError `index_busy` while another process has it.
 */
export async function withWriterLock<T>(dir: string, project: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dir);
  const lock = new DatabaseSync(join(dir, 'writer.lock'), { timeout: 0 });
  try {
    acquire(lock, project);
    return await work();
  } finally {
    lock.close();
  }
}

function acquire(lock: DatabaseSync, project: string): void {
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_BUSY) throw error;
    const hint = 'Searching works meanwhile. Ingest again when the other process has finished.';
    const message = `Another process is ingesting into project ${project}.`;
    throw new AssistantError('index_busy', message, { hint, cause: error });
  }
}
