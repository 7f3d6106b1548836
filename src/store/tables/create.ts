import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../contract.ts';
import { type Database, TABLE_NAMES, TABLES, type TableName } from '../schema.ts';
import type { Column, Index, Table } from './table.ts';

type Kind = Store['kind'];

/** Create all tables in an empty database. */
export async function createTables(db: Kysely<Database>, kind: Kind): Promise<void> {
  for (const name of TABLE_NAMES) {
    const definition: Table = TABLES[name];
    if (kind === 'postgres' || !definition.postgresOnly) await createTable(db, kind, { name, ...definition });
  }
  await (kind === 'sqlite' ? finishSqlite(db) : finishPostgres(db));
}

/** Search covers requests and answers; the triggers also run for rows deleted with their conversation. */
async function finishSqlite(db: Kysely<Database>): Promise<void> {
  const tokenize = sql.lit('unicode61 remove_diacritics 2');
  await sql`create virtual table messages_found using fts5 (content, tokenize = ${tokenize})`.execute(db);
  await sql`create trigger messages_are_found after insert on messages when new.kind in ('text', 'answer') begin
    insert into messages_found (rowid, content) values (new.id, new.content);
  end`.execute(db);
  await sql`create trigger messages_are_lost after delete on messages when old.kind in ('text', 'answer') begin
    delete from messages_found where rowid = old.id;
  end`.execute(db);
  for (const [trigger, event, refusal] of APPEND_ONLY)
    await sql`create trigger ${sql.raw(trigger)} before ${sql.raw(event)} on receipts begin
      select raise(abort, ${sql.lit(refusal)});
    end`.execute(db);
}

/** Receipts are append-only for everybody. */
const APPEND_ONLY = [
  ['receipts_are_kept', 'delete', 'receipts are never deleted'],
  ['receipts_stay', 'update', 'receipts are never changed'],
] as const;

async function finishPostgres(db: Kysely<Database>): Promise<void> {
  for (const [trigger, event, refusal] of APPEND_ONLY) {
    await sql`create function ${sql.ref(trigger)}() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception '${refusal}'; end`,
    )}`.execute(db);
    await sql`create trigger ${sql.ref(trigger)} before ${sql.raw(event)} on receipts
      for each row execute function ${sql.ref(trigger)}()`.execute(db);
  }
  // The blobs are compressed already.
  await sql`alter table index_files alter column bytes set storage external`.execute(db);
}

type NamedTable = Table & { readonly name: TableName };

/**
 * Create a table.
 *
 * On PostgreSQL many homes share it: `home` is the first column of every key and index, is filled in from the
 * connection's setting, and row level security hides the rows of the others, even from the table's owner.
 */
export async function createTable(db: Kysely<Database>, kind: Kind, definition: NamedTable): Promise<void> {
  const { name, columns, key, indexes = [], ofAllHomes = false } = definition;
  const withHome = kind === 'postgres' && !ofAllHomes;
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name);
  if (withHome) builder = addHome(builder);
  for (const [column, rules] of Object.entries(columns)) {
    const { type } = rules;
    // A number that SQLite assigns has to be the key, declared as such beside its column.
    if (type === 'serial' && kind === 'sqlite') builder = addSqliteSerial(builder, column, definition);
    else
      builder = builder.addColumn(column, typeOf(kind, type), (it) => {
        const built = type === 'serial' ? it.generatedByDefaultAsIdentity() : it;
        return withRules(
          built,
          column,
          kind === 'sqlite' && key.includes(column) ? { ...rules, nullable: true } : rules,
        );
      });
  }
  builder = addKeys(builder, kind, definition);
  if (kind === 'sqlite') builder = builder.modifyEnd(definition.sortedByKey ? sql`strict, without rowid` : sql`strict`);
  await builder.execute();
  for (const index of indexes) await createIndex(db, kind, { table: name, ...index });
  if (withHome) await hideFromOthers(db, name);
}

/** The type, constraints and default of a column. */
function withRules(it: ColumnDefinitionBuilder, name: string, rules: Column): ColumnDefinitionBuilder {
  let built = rules.nullable ? it : it.notNull();
  if (rules.initially !== undefined) built = built.defaultTo(sql.lit(rules.initially));
  return rules.oneOf ? built.check(sql`${sql.ref(name)} in (${sql.join(rules.oneOf.map(sql.lit))})`) : built;
}

function typeOf(kind: Kind, type: Column['type']): RawBuilder<unknown> {
  if (kind === 'sqlite') return sql.raw(type);
  // Byte order and 64-bit integers, as in SQLite.
  const types = { text: 'text collate "C"', integer: 'bigint', real: 'double precision', blob: 'bytea' };
  return sql.raw({ ...types, serial: 'bigint', words: 'tsvector' }[type]);
}

function addHome(builder: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  const home = sql`current_setting('wooster.home')`;
  return builder.addColumn('home', typeOf('postgres', 'text'), (it) => it.notNull().defaultTo(home));
}

function addSqliteSerial(
  builder: CreateTableBuilder<string, string>,
  column: string,
  { neverReused }: Table,
): CreateTableBuilder<string, string> {
  return builder.addColumn(column, 'integer', (it) =>
    neverReused ? it.primaryKey().autoIncrement() : it.primaryKey(),
  );
}

function addKeys(
  builder: CreateTableBuilder<string, string>,
  kind: Kind,
  { name, columns, key, unique = [], partOf, ofAllHomes }: NamedTable,
): CreateTableBuilder<string, string> {
  const within = (names: readonly string[]) => (ofAllHomes ? names : withinHome(kind, names)) as never;
  let built = builder;
  const serial = kind === 'sqlite' && Object.values(columns).some(({ type }) => type === 'serial');
  if (!serial) built = built.addPrimaryKeyConstraint(`${name}_key`, within(key));
  for (const [index, names] of unique.entries())
    built = built.addUniqueConstraint(`${name}_unique_${index + 1}`, within(names));
  if (partOf) {
    const [from, to] = [within([partOf.column]), within([partOf.key])];
    built = built.addForeignKeyConstraint(`${name}_part_of`, from, partOf.table, to, (it) => it.onDelete('cascade'));
  }
  return built;
}

function withinHome(kind: Kind, names: readonly string[]): readonly string[] {
  return kind === 'postgres' ? ['home', ...names] : names;
}

/** Create an index of a table; on PostgreSQL the home comes first in it. */
export async function createIndex(
  db: Kysely<Database>,
  kind: Kind,
  { table, name, on, where, unique }: Index & { readonly table: TableName },
): Promise<void> {
  const builder = db.schema
    .createIndex(name)
    .on(table)
    .columns([...withinHome(kind, on)]);
  const built = unique ? builder.unique() : builder;
  await (where ? built.where(sql<boolean>`${sql.raw(where)}`) : built).execute();
}

async function hideFromOthers(db: Kysely<Database>, name: string): Promise<void> {
  const mine = sql`home = current_setting('wooster.home')`;
  await sql`alter table ${sql.table(name)} enable row level security, force row level security`.execute(db);
  await sql`create policy only_of_home on ${sql.table(name)} using (${mine}) with check (${mine})`.execute(db);
}
