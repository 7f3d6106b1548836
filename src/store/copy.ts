import type { Kysely } from 'kysely';
import { AssistantError, messageOf } from '../base/errors.ts';
import type { Store } from './contract.ts';
import { isSamePlace, placeOf } from './location.ts';
import { NEWEST } from './migrations.ts';
import { COPIED_TABLES, type CopiedTable } from './schema.ts';
import { readSchema } from './schema-version.ts';
import { keepNumbering } from './serial-numbers.ts';
import {
  canonical,
  countRows,
  keyOf,
  pagesOf,
  rowsBetween,
  sumTable,
  type TableRow,
  type TableSum,
} from './table-pages.ts';
import { isTaken } from './unique.ts';

export interface CopyProgress {
  readonly table: string;
  readonly stage: 'copy' | 'compare';
  /** Rows of the table, so far and in all. */
  readonly done: number;
  readonly total: number;
}

/** The outcome for one table. */
export interface CopiedRows {
  readonly table: string;
  /** Inserted by this copy. */
  readonly copied: number;
  /** Already there, with the same content. */
  readonly present: number;
  readonly from: TableSum;
  readonly to: TableSum;
  readonly equal: boolean;
}

/** A request or an answer, which searches find. */
interface FoundMessage {
  readonly id: number;
  readonly content: string;
}

export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Adds the requests and answers that were just copied to the search index, in the same transaction. */
  readonly makeFindable: (to: Store, messages: readonly FoundMessage[]) => Promise<void>;
}

/**
 * Copy a home from one store to another: every row, then counts and checksums of both. Nothing is deleted or changed.
 *
 * It can be stopped or killed at any time: the next copy skips what is there already.
 *
 * @param from  may be open for reading only, and has to be of the newest version.
 * @throws AssistantError `stores_differ` when a row exists with other content; `store_unavailable` when
 *   another copy is running; `bad_usage` for a copy of a home onto itself or from an older version.
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions): Promise<readonly CopiedRows[]> {
  await refuseToCopy(from, to);
  await using lock = await to.lock('copy');
  if (!lock) {
    throw new AssistantError('store_unavailable', `Another copy into ${placeOf(to.location)} is running.`, {
      hint: 'Wait until it has finished.',
    });
  }
  const counts = [];
  for (const table of COPIED_TABLES) counts.push({ table, ...(await copyTable({ from, to }, table, options)) });
  await keepNumbering(from, to);
  return compare({ from, to }, counts, options);
}

async function refuseToCopy(from: Store, to: Store): Promise<void> {
  if (isSamePlace(from.location, to.location)) {
    throw new AssistantError('bad_usage', 'A home cannot be copied onto itself.', {
      hint: 'Name another file, another database, or another --to-home.',
    });
  }
  if ((await readSchema(from)) !== NEWEST) {
    throw new AssistantError('bad_usage', `${placeOf(from.location)} has older tables than this program.`, {
      hint: 'Upgrade it first: wooster store migrate STORE.',
    });
  }
}

interface Ends {
  readonly from: Store;
  readonly to: Store;
}

type Counts = Pick<CopiedRows, 'copied' | 'present'>;

async function copyTable(
  ends: Ends,
  table: CopiedTable,
  { signal, onProgress, ...rest }: CopyOptions,
): Promise<Counts> {
  const total = await countRows(ends.from, table);
  let [copied, done] = [0, 0];
  for await (const page of pagesOf(ends.from, table)) {
    signal.throwIfAborted();
    copied += await copyPage(ends.to, table, { page, ...rest });
    done += page.length;
    onProgress?.({ table: table.name, stage: 'copy', done, total });
  }
  return { copied, present: done - copied };
}

/** @returns how many rows were not there yet. */
async function copyPage(
  to: Store,
  table: CopiedTable,
  { page, makeFindable }: Pick<CopyOptions, 'makeFindable'> & { readonly page: readonly TableRow[] },
): Promise<number> {
  try {
    return await to.transaction(async () => {
      const missing = await rowsMissing(to, table, page);
      if (missing.length === 0) return 0;
      const db = to.db as unknown as Kysely<Record<string, TableRow>>;
      await db.insertInto(table.name).values(missing).execute();
      if (table.name === 'messages') await makeFindable(to, foundAmong(missing));
      return missing.length;
    });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const keys = [page[0], page.at(-1)].map((row) => row && keyOf(table, row)).join(' to ');
    throw differ(to, `${table.name}, one of the rows ${keys}: ${messageOf(error)}`, error);
  }
}

async function rowsMissing(to: Store, table: CopiedTable, page: readonly TableRow[]): Promise<TableRow[]> {
  const present = new Map((await rowsBetween(to, table, page)).map((row) => [keyOf(table, row), row]));
  const missing: TableRow[] = [];
  for (const row of page) {
    const there = present.get(keyOf(table, row));
    if (!there) missing.push(row);
    else if (canonical(there) !== canonical(row)) throw differ(to, `${table.name}, row ${keyOf(table, row)}`);
  }
  return missing;
}

/** The kinds of message that SQLite's trigger indexes. */
function foundAmong(messages: readonly TableRow[]): FoundMessage[] {
  const found = messages.filter(({ kind }) => kind === 'text' || kind === 'answer');
  return found.map(({ id, content }) => ({ id: Number(id), content: String(content) }));
}

function differ(to: Store, what: string, cause?: unknown): AssistantError {
  return new AssistantError('stores_differ', `${placeOf(to.location)} has other content already: ${what}.`, {
    hint: 'Copy into a home that nothing has been written to yet. What was copied so far is kept.',
    cause,
  });
}

async function compare(
  { from, to }: Ends,
  counts: readonly ({ readonly table: CopiedTable } & Counts)[],
  { signal, onProgress }: CopyOptions,
): Promise<CopiedRows[]> {
  const compared: CopiedRows[] = [];
  for (const { table, copied, present } of counts) {
    signal.throwIfAborted();
    const [before, after] = [await sumTable(from, table), await sumTable(to, table)];
    const equal = before.sha256 === after.sha256;
    compared.push({ table: table.name, copied, present, from: before, to: after, equal });
    onProgress?.({ table: table.name, stage: 'compare', done: after.rows, total: before.rows });
  }
  return compared;
}
