import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from './contract.ts';
import type { CopiedTable } from './schema.ts';

type Value = string | number | null | Uint8Array;
/** A row of any table, without the column `home`. */
export type TableRow = Readonly<Record<string, Value>>;

/** What a table holds, in a form that is the same for both databases. */
export interface TableSum {
  readonly rows: number;
  /** SHA-256 over all rows in the order of the key. */
  readonly sha256: string;
}

/** All rows of a table in pages, in the order of its key. */
export async function* pagesOf(store: Store, table: CopiedTable): AsyncGenerator<TableRow[]> {
  const limit = sql`limit ${sql.lit(table.pageRows)}`;
  let after: TableRow | undefined;
  do {
    const page = await selectRows(store, table, { where: after && sql`where ${compare(table, '>', after)}`, limit });
    if (page.length > 0) yield page;
    after = page.length < table.pageRows ? undefined : page.at(-1);
  } while (after);
}

/** The rows whose keys are from the first to the last of a page. */
export async function rowsBetween(store: Store, table: CopiedTable, page: readonly TableRow[]): Promise<TableRow[]> {
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last) return [];
  const where = sql`where ${compare(table, '>=', first)} and ${compare(table, '<=', last)}`;
  return selectRows(store, table, { where });
}

interface Which {
  readonly where?: RawBuilder<unknown> | undefined;
  readonly limit?: RawBuilder<unknown>;
}

async function selectRows(
  store: Store,
  table: CopiedTable,
  { where = sql``, limit = sql`` }: Which,
): Promise<TableRow[]> {
  const order = columnsOf(table);
  const { rows } = await sql<TableRow>`
    select * from ${sql.table(table.name)} ${where} order by ${order} ${limit}`.execute(store.read);
  return rows.map(({ home: _, ...row }) => row);
}

function compare(table: CopiedTable, operator: '>' | '>=' | '<=', row: TableRow): RawBuilder<unknown> {
  const values = sql.join(table.key.map((column) => row[column]));
  return sql`(${columnsOf(table)}) ${sql.raw(operator)} (${values})`;
}

function columnsOf({ key }: CopiedTable): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(column)));
}

export async function countRows(store: Store, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(store.read);
  return rows[0]?.rows ?? 0;
}

export async function sumTable(store: Store, table: CopiedTable): Promise<TableSum> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(store, table)) {
    for (const row of page) hash.update(`${canonical(row)}\n`);
    rows += page.length;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** A row as text: the same for both databases when the values are the same. */
export function canonical(row: TableRow): string {
  const sorted = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(sorted.map(([column, value]) => [column, comparable(value)]));
}

/** The key of a row, for people and for maps. */
export function keyOf({ key }: CopiedTable, row: TableRow): string {
  return key.map((column) => JSON.stringify(comparable(row[column] ?? null))).join(', ');
}

function comparable(value: Value): unknown {
  // PostgreSQL's text cannot hold the character NUL, so it is lost in a copy to PostgreSQL.
  if (typeof value === 'string') return value.replaceAll('\0', '');
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
}
