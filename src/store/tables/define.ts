import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';

type Kind = Store['kind'];
type Names<T extends keyof Database> = readonly (keyof Database[T] & string)[];

/** A column: what the rows' types of `rows/` say, for the database. */
export interface Column {
  /** `serial` is a number that the database gives out; `words` is for PostgreSQL's full-text search. */
  readonly type: 'text' | 'integer' | 'real' | 'blob' | 'serial' | 'words';
  readonly nullable?: true;
  readonly initially?: string | number;
  readonly oneOf?: readonly string[];
}

export const text: Column = { type: 'text' };
export const integer: Column = { type: 'integer' };
export const real: Column = { type: 'real' };
export const maybe = (column: Column): Column => ({ ...column, nullable: true });
export const initially = (initially: string | number, column: Column): Column => ({ ...column, initially });
export const oneOf = (...values: readonly string[]): Column => ({ type: 'text', oneOf: values });

/** Columns that a step adds to a table of the baseline. */
interface Added {
  readonly artifacts: 'untrusted';
  readonly effects: 'why';
  readonly receipts: 'effect_id' | 'result_sha';
}
type ColumnsOf<T extends keyof Database> = Exclude<
  keyof Database[T] & string,
  T extends keyof Added ? Added[T] : never
>;

interface Index<T extends keyof Database> {
  readonly name: string;
  readonly on: Names<T>;
  /** Only rows for which this holds, in SQL that both databases understand. */
  readonly where?: string;
  readonly unique?: true;
}

/** A table, from which both databases' definitions are made. */
export interface Table<T extends keyof Database = keyof Database> {
  readonly name: T;
  readonly columns: Readonly<Record<ColumnsOf<T>, Column>>;
  readonly key: Names<T>;
  readonly unique?: readonly Names<T>[];
  /** Rows go when the row goes whose key is in this column. */
  readonly partOf?: {
    readonly column: keyof Database[T] & string;
    readonly table: keyof Database;
    readonly key: string;
  };
  readonly indexes?: readonly Index<T>[];
  /** SQLite keeps the rows in the order of the key, without a number of their own. */
  readonly sortedByKey?: true;
  /** SQLite never gives out a number of a deleted row again. PostgreSQL never does. */
  readonly neverReused?: true;
}

/** Checks the names against the rows' type. */
export function table<const T extends keyof Database>(definition: Table<T>): Table {
  return definition as unknown as Table;
}

/**
 * Create a table.
 *
 * On PostgreSQL many homes share it: `home` is the first column of every key and index, is filled in from the
 * connection's setting, and row level security hides the rows of the others, even from the table's owner.
 */
export async function createTable(db: Kysely<Database>, kind: Kind, definition: Table): Promise<void> {
  const { name, columns, indexes = [] } = definition;
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name);
  if (kind === 'postgres') builder = withHome(builder);
  for (const [column, rules] of Object.entries(columns) as [string, Column][]) {
    const { type } = rules;
    // SQLite's own key has to be the column's: a number that the database gives out.
    if (type === 'serial' && kind === 'sqlite') builder = withSqliteSerial(builder, column, definition);
    else
      builder = builder.addColumn(column, typeOf(kind, type), (it) => {
        const built = type === 'serial' ? it.generatedByDefaultAsIdentity() : it;
        const keyOfSqlite = kind === 'sqlite' && definition.key.includes(column as never);
        return withRules(built, column, keyOfSqlite ? maybe(rules) : rules);
      });
  }
  builder = withKeys(builder, kind, definition);
  if (kind === 'sqlite') builder = builder.modifyEnd(definition.sortedByKey ? sql`strict, without rowid` : sql`strict`);
  await builder.execute();
  for (const index of indexes) await createIndex(db, kind, name, index);
  if (kind === 'postgres') await hideFromOthers(db, name);
}

/** Add a column to a table that has rows, so it can be empty or has a value for them. */
export async function addColumn(
  db: Kysely<Database>,
  kind: Kind,
  { table: to, name, column }: { readonly table: keyof Database; readonly name: string; readonly column: Column },
): Promise<void> {
  const added = db.schema
    .alterTable(to)
    .addColumn(name, typeOf(kind, column.type), (it) => withRules(it, name, column));
  await added.execute();
}

/** What a column may hold, and what it holds unless given. */
function withRules(it: ColumnDefinitionBuilder, name: string, rules: Column): ColumnDefinitionBuilder {
  let built = rules.nullable ? it : it.notNull();
  if (rules.initially !== undefined) built = built.defaultTo(sql.lit(rules.initially));
  return rules.oneOf ? built.check(sql`${sql.ref(name)} in (${sql.join(rules.oneOf.map(sql.lit))})`) : built;
}

function typeOf(kind: Kind, type: Column['type']): RawBuilder<unknown> {
  if (kind === 'sqlite') return sql.raw(type);
  // Byte order, as SQLite has it, and 64 bits, as its integers have.
  const types = { text: 'text collate "C"', integer: 'bigint', real: 'double precision', blob: 'bytea' };
  return sql.raw({ ...types, serial: 'bigint', words: 'tsvector' }[type]);
}

function withHome(builder: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  const home = sql`current_setting('wooster.home')`;
  return builder.addColumn('home', typeOf('postgres', 'text'), (it) => it.notNull().defaultTo(home));
}

function withSqliteSerial(
  builder: CreateTableBuilder<string, string>,
  column: string,
  { neverReused }: Table,
): CreateTableBuilder<string, string> {
  return builder.addColumn(column, 'integer', (it) =>
    neverReused ? it.primaryKey().autoIncrement() : it.primaryKey(),
  );
}

function withKeys(
  builder: CreateTableBuilder<string, string>,
  kind: Kind,
  { name, columns, key, unique = [], partOf }: Table,
): CreateTableBuilder<string, string> {
  let built = builder;
  const serial = kind === 'sqlite' && Object.values<Column>(columns).some(({ type }) => type === 'serial');
  if (!serial) built = built.addPrimaryKeyConstraint(`${name}_key`, withinHome(kind, key) as never);
  for (const [index, names] of unique.entries())
    built = built.addUniqueConstraint(`${name}_unique_${index + 1}`, withinHome(kind, names) as never);
  if (partOf) {
    const [from, to] = [withinHome(kind, [partOf.column]), withinHome(kind, [partOf.key])];
    built = built.addForeignKeyConstraint(`${name}_part_of`, from as never, partOf.table, to as never, (it) =>
      it.onDelete('cascade'),
    );
  }
  return built;
}

function withinHome(kind: Kind, names: readonly string[]): string[] {
  return kind === 'postgres' ? ['home', ...names] : [...names];
}

/** Create an index of a table; on PostgreSQL the home comes first in it. */
export async function createIndex<const T extends keyof Database>(
  db: Kysely<Database>,
  kind: Kind,
  on: T,
  index: Index<T>,
): Promise<void> {
  const builder = db.schema.createIndex(index.name).on(on).columns(withinHome(kind, index.on));
  const built = index.unique ? builder.unique() : builder;
  await (index.where ? built.where(sql<boolean>`${sql.raw(index.where)}`) : built).execute();
}

async function hideFromOthers(db: Kysely<Database>, name: string): Promise<void> {
  const mine = sql`home = current_setting('wooster.home')`;
  await sql`alter table ${sql.table(name)} enable row level security, force row level security`.execute(db);
  await sql`create policy only_of_home on ${sql.table(name)} using (${mine}) with check (${mine})`.execute(db);
}
