import { accessSync, constants, copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { AssistantError } from '../base/errors.ts';
import type { OpenOptions, Store } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

/** Tables that a question writes, or that can be rebuilt from documents. No write to them is ever confirmed. */
const TABLES = new Set([
  ...['conversations', 'turns', 'messages', 'message_words', 'turn_memory', 'code_turns', 'compaction_events', 'usage'],
  'model_calls',
  ...['corpora', 'roots', 'sources', 'chunks', 'seen_pages', 'vectors', 'rag_checks', 'chunk_changes', 'index_files'],
  ...['index_manifests', 'origins', 'file_origins', 'workers'],
]);
const CHANGES = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/iu;
/** In memory, since the temporary folder may be on the full disk. */
const SECOND_PLACE = '/dev/shm';

/**
 * Open a copy of a database that cannot be written, on a full disk or in a read-only home: questions are answered and
 * everything can be looked up, but nothing is kept, and every write that would be confirmed is refused.
 *
 * @param why  what kept the database from being opened.
 * @throws `why` when there is no room for a copy either.
 */
export async function openUnkept(path: string, why: AssistantError, options: OpenOptions): Promise<Store> {
  for (const place of [tmpdir(), SECOND_PLACE]) {
    let dir: string | undefined;
    try {
      dir = mkdtempSync(join(place, 'wooster-unkept-'));
      // A damaged file is not read.
      const from = why.code === 'store_damaged' ? undefined : path;
      return await openCopy(from, join(dir, basename(path)), {
        ...options,
        unkept: { why, path },
        beforeStatement: (sql) => refuseToConfirm(sql, why),
      });
    } catch {
      if (dir !== undefined) rmSync(dir, { recursive: true });
    }
  }
  throw why;
}

async function openCopy(from: string | undefined, copy: string, options: OpenOptions): Promise<Store> {
  // The latest commits may be in the log only.
  for (const part of ['', '-wal'])
    if (from !== undefined && existsSync(from + part)) copyFileSync(from + part, copy + part);
  const store = await openSqlite({ kind: 'sqlite', path: copy }, options);
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    rmSync(dirname(copy), { recursive: true, force: true });
  };
  return store;
}

function refuseToConfirm(sql: string, why: AssistantError): void {
  const table = CHANGES.exec(sql)?.[1];
  if (table !== undefined && !TABLES.has(table)) throw why;
}

/** Whether there is a home around a database that this user may look into, although it cannot be written. */
export function isThere(home: string, path: string): boolean {
  try {
    accessSync(home, constants.R_OK | constants.X_OK);
    for (const each of [dirname(path), path])
      if (lstatSync(each, { throwIfNoEntry: false })) accessSync(each, constants.R_OK);
    return statSync(home).isDirectory();
  } catch {
    return false;
  }
}

/** @throws AssistantError when nothing can be kept, because nothing may then be reported as done. */
export function mustKeep({ unkept }: Pick<Store, 'unkept'>): void {
  if (unkept) throw unkept.why;
}
