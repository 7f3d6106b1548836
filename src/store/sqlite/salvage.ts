import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { openSqlite } from './store.ts';

/** What was saved of a damaged database: the rows of each table, and where some could not be read. */
export interface Salvaged {
  readonly rows: Readonly<Record<string, number>>;
  readonly incomplete: readonly string[];
}

/** Made anew from the documents and the messages, so nothing is lost without them. */
const REBUILT = new Set([
  ...['corpora', 'roots', 'sources', 'chunks', 'vectors', 'rag_checks', 'chunk_changes', 'index_files'],
  ...['index_manifests', 'workers'],
]);
/** Row numbers that are tried one by one behind one that cannot be read. */
const TRIED = 5000;

/** The files of a database, its log first. */
const PARTS = ['-wal', '-shm', ''] as const;

/** Put a database aside, with its log. @returns where it is now. */
export function putAside(path: string, now: Date): string {
  const aside = `${path}.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/**
 * Copy all rows that can be read of a damaged database into a new one. The original is not touched.
 *
 * @param to  a file that does not exist.
 * @throws when not even the list of its tables can be read.
 */
export async function salvage(from: string, to: string): Promise<Salvaged> {
  const fresh = await openSqlite({ kind: 'sqlite', path: to }, {});
  await fresh.close();
  const dir = mkdtempSync(`${to}-`);
  const copy = join(dir, 'damaged');
  try {
    for (const part of ['', '-wal']) if (existsSync(from + part)) copyFileSync(from + part, copy + part);
    using source = new DatabaseSync(copy);
    using target = new DatabaseSync(to, { enableForeignKeyConstraints: false });
    return copyTables(source, target);
  } finally {
    rmSync(dir, { recursive: true, force: true });
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
    const whole = readRows(source, `SELECT ${names} FROM "${table}"`, (row) => {
      copied += Number(insert.run(...columns.map((name) => row[name] ?? null)).changes);
    });
    rows[table] = copied;
    if (!whole) incomplete.push(table);
  }
  adoptOrphans(target);
  return { rows, incomplete };
}

type Row = Record<string, SQLInputValue>;

/** From the start, then by number past what cannot be read, then from the end. @returns whether all of it was read. */
function readRows(source: DatabaseSync, select: string, take: (row: Row) => void): boolean {
  const query = select.replace('SELECT ', 'SELECT rowid AS "row number", ');
  const walk = (order: string) => {
    let last = 0;
    try {
      for (const row of source.prepare(`${query} ${order}`).iterate()) {
        last = Number(row['row number']);
        take(row as Row);
      }
      return undefined;
    } catch (error) {
      return { last, error: messageOf(error) };
    }
  };
  const stopped = walk('ORDER BY rowid');
  if (!stopped) return true;
  const one = (() => {
    try {
      return source.prepare(`${query} WHERE rowid = ?`);
    } catch {
      return undefined;
    }
  })();
  for (let number = stopped.last + 1; one && number <= stopped.last + TRIED; number++) {
    try {
      const row = one.get(number);
      if (row) take(row as Row);
    } catch {
      // Its page is damaged as well.
    }
  }
  walk('ORDER BY rowid DESC');
  return false;
}

/** Messages whose conversation was lost get one again; what else refers to nothing is left out. */
function adoptOrphans(target: DatabaseSync): void {
  for (const table of ['turns', 'messages']) {
    const at = table === 'turns' ? 'started_at' : 'created_at';
    target.exec(`INSERT OR IGNORE INTO conversations (id, project, title, created_at, updated_at)
      SELECT conversation_id, 'home', '(salvaged)', min(${at}), max(${at}) FROM ${table} GROUP BY conversation_id`);
  }
  for (const { table, rowid } of target.prepare('PRAGMA foreign_key_check').all())
    if (rowid !== null) target.prepare(`DELETE FROM "${String(table)}" WHERE rowid = ?`).run(rowid ?? 0);
}

function tablesOf(database: DatabaseSync): string[] {
  const list = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all();
  return list.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  const list = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return list.map(({ name }) => String(name));
}
