import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AssistantError } from '../base/errors.ts';
import type { OpenOptions, Store } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

/** What a question writes, and what can be read again from the documents. Nothing here is ever confirmed to anybody. */
const TABLES = new Set([
  ...['conversations', 'turns', 'messages', 'message_words', 'turn_memory', 'code_turns', 'compaction_events', 'usage'],
  ...['corpora', 'roots', 'sources', 'chunks', 'vectors', 'rag_checks', 'chunk_changes', 'index_files'],
  ...['index_manifests', 'origins', 'file_origins', 'workers'],
]);
const CHANGES = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/iu;
/** The second one is in memory, where the first may be on the full disk. */
const PLACES = [tmpdir(), '/dev/shm'];

/**
 * Open a copy of a database that cannot be written, on a full disk or in a read-only home: questions are answered and
 * everything can be looked up, but nothing is kept, and whatever would be confirmed is refused.
 *
 * @param why  what kept the database from being opened.
 * @throws why, when there is no place for a copy either.
 */
export async function openUnkept(path: string, why: AssistantError, options: OpenOptions): Promise<Store> {
  for (const place of PLACES) {
    let dir: string | undefined;
    try {
      dir = mkdtempSync(join(place, 'wooster-unkept-'));
      return await openCopy(path, dir, {
        ...options,
        unkept: why,
        beforeStatement: (sql) => refuseToConfirm(sql, why),
      });
    } catch {
      if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
    }
  }
  throw why;
}

async function openCopy(path: string, dir: string, options: OpenOptions): Promise<Store> {
  const copy = join(dir, basename(path));
  // What was committed last may be in the log alone.
  for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
  const store = await openSqlite({ kind: 'sqlite', path: copy }, options);
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  };
  return store;
}

function refuseToConfirm(sql: string, why: AssistantError): void {
  const table = CHANGES.exec(sql)?.[1];
  if (table !== undefined && !TABLES.has(table)) throw why;
}

/** Whether a home is there, although it cannot be written. */
export function isThere(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws AssistantError when nothing can be kept, and so nothing may be said to be done. */
export function mustKeep({ unkept }: Pick<Store, 'unkept'>): void {
  if (unkept) throw unkept;
}
