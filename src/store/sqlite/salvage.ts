import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { diskFull, isNoRoom } from '../write-failure.ts';
import { mendFirstPages } from './first-pages.ts';
import { openSqlite } from './store.ts';

/** What was saved of a damaged database: the rows of each table, and where some could not be read. */
export interface Salvaged {
  readonly rows: Readonly<Record<string, number>>;
  readonly incomplete: readonly string[];
}

/** Rebuilt from the documents and messages, so nothing is lost without them. */
const REBUILT = new Set([
  ...['corpora', 'sources', 'chunks', 'seen_pages', 'vectors', 'rag_checks', 'chunk_changes', 'index_files'],
  ...['index_manifests', 'workers'],
]);
/** How many row numbers are tried one by one after an unreadable row. */
const TRIED = 5000;

/** The files of a database, its log first. */
const PARTS = ['-wal', '-shm', ''] as const;

/** Move a database aside, with its log. @returns its new path. */
export function putAside(path: string, now: Date): string {
  const aside = `${path}.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/**
 * Copy every readable row of a damaged database into a new one. The original is not touched.
 *
 * @param to  a file that does not exist.
 * @throws when not even the list of its tables can be read, or when there is no room for the new one.
 */
export async function salvage(from: string, to: string): Promise<Salvaged> {
  const fresh = await openSqlite({ kind: 'sqlite', path: to }, {});
  await fresh.close();
  const dir = mkdtempSync(`${to}-`);
  const copy = join(dir, 'damaged');
  try {
    for (const part of ['', '-wal']) if (existsSync(from + part)) copyFileSync(from + part, copy + part);
    mendFirstPages(copy, to);
    using source = new DatabaseSync(copy);
    using target = new DatabaseSync(to, { enableForeignKeyConstraints: false });
    target.exec('BEGIN');
    const salvaged = copyTables(source, target);
    target.exec('COMMIT');
    return salvaged;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function copyTables(source: DatabaseSync, target: DatabaseSync): Salvaged {
  const there = new Set(tablesOf(source));
  const rows: Record<string, number> = {};
  const incomplete: string[] = [];
  for (const table of tablesOf(target)) {
    if (REBUILT.has(table) || !there.has(table)) continue;
    const columns = columnsOf(source, table).filter((name) => columnsOf(target, table).includes(name));
    const names = columns.map((name) => `"${name}"`).join(', ');
    const insert = target.prepare(
      `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    let copied = 0;
    const take = (row: Row) => {
      copied += Number(insert.run(...columns.map((name) => row[name] ?? null)).changes);
    };
    const from = `FROM "${table}"`;
    const whole = isNumbered(source, table)
      ? readNumbered(source, `SELECT rowid AS "row number", ${names} ${from}`, take)
      : readByKey(source, `SELECT ${names} ${from}`, { key: keyOf(source, table), take });
    rows[table] = copied;
    if (!whole) incomplete.push(table);
  }
  adoptOrphans(target);
  return { rows, incomplete };
}

type Row = Record<string, SQLInputValue>;

/** Read until the end, or until a row cannot be read. @returns whether it was the end. */
function walk(source: DatabaseSync, query: string, take: (row: Row) => void): boolean {
  try {
    for (const row of source.prepare(query).iterate()) take(row as Row);
    return true;
  } catch (error) {
    if (isNoRoom(error)) throw diskFull(error);
    return false;
  }
}

/** From the start, then row by row past what is unreadable, then from the end. @returns whether all of it was read. */
function readNumbered(source: DatabaseSync, query: string, take: (row: Row) => void): boolean {
  let last = 0;
  const counting = (row: Row) => {
    last = Number(row['row number']);
    take(row);
  };
  if (walk(source, `${query} ORDER BY rowid`, counting)) return true;
  // Nothing of a table that is damaged throughout can be read.
  for (let number = last + 1, end = last + TRIED; number <= end; number++)
    walk(source, `${query} WHERE rowid = ${number}`, take);
  walk(source, `${query} ORDER BY rowid DESC`, take);
  return false;
}

/** A table WITHOUT ROWID: from the start, then from the end. @returns whether all of it was read. */
function readByKey(
  source: DatabaseSync,
  query: string,
  { key, take }: { readonly key: readonly string[]; readonly take: (row: Row) => void },
): boolean {
  const order = (direction: string) => `ORDER BY ${key.map((name) => `"${name}" ${direction}`).join(', ')}`;
  if (walk(source, `${query} ${order('ASC')}`, take)) return true;
  walk(source, `${query} ${order('DESC')}`, take);
  return false;
}

/** @see https://www.sqlite.org/withoutrowid.html */
function isNumbered(database: DatabaseSync, table: string): boolean {
  const info = database.prepare("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?").get(table);
  return Number(info?.wr) === 0;
}

function keyOf(database: DatabaseSync, table: string): string[] {
  const list = database.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').all(table);
  return list.map(({ name }) => String(name));
}

/** Messages whose conversation was lost get a new one; other dangling rows are left out. */
function adoptOrphans(target: DatabaseSync): void {
  for (const table of ['turns', 'messages']) {
    const at = table === 'turns' ? 'started_at' : 'created_at';
    target.exec(`INSERT OR IGNORE INTO conversations (id, project, title, created_at, updated_at)
      SELECT conversation_id, 'home', '(salvaged)', min(${at}), max(${at}) FROM ${table} GROUP BY conversation_id`);
  }
  const lost = target.prepare('SELECT DISTINCT "table", fkid FROM pragma_foreign_key_check').all();
  for (const { table, fkid } of lost) deleteOrphans(target, String(table), Number(fkid));
}

/** @param key  SQLite's number of the foreign key, which is one column of ours. */
function deleteOrphans(target: DatabaseSync, table: string, key: number): void {
  const keys = target.prepare('SELECT "table", "from", "to" FROM pragma_foreign_key_list(?) WHERE id = ?');
  for (const { table: owner, from, to } of keys.all(table, key)) {
    const owners = `SELECT 1 FROM "${String(owner)}" owner WHERE owner."${String(to)}" = "${table}"."${String(from)}"`;
    target.exec(`DELETE FROM "${table}" WHERE NOT EXISTS (${owners})`);
  }
}

function tablesOf(database: DatabaseSync): string[] {
  const list = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all();
  return list.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  const list = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return list.map(({ name }) => String(name));
}
