import type { Generated } from 'kysely';

/** A column: for the databases, what it may hold; for the compiler, `Row`, the type of its values in Kysely's rows. */
export interface Column<Row = unknown> {
  /** `serial` is a number that the database assigns; `words` is for PostgreSQL's full-text search. */
  readonly type: 'text' | 'integer' | 'real' | 'blob' | 'serial' | 'words';
  readonly nullable?: true;
  readonly initially?: string | number;
  readonly oneOf?: readonly string[];
  /** Never set. */
  readonly row?: Row;
}

export const text: Column<string> = { type: 'text' };
export const integer: Column<number> = { type: 'integer' };
export const real: Column<number> = { type: 'real' };
export const blob: Column<Uint8Array> = { type: 'blob' };
export const words: Column<string> = { type: 'words' };
export const serial: Column<Generated<number>> = { type: 'serial' };

export function nullable<Row>(column: Column<Row>): Column<Row | null> {
  return { ...column, nullable: true };
}

/** A column that may be left out of an insert. */
export function withDefault<Row extends string | number>(
  initially: NoInfer<Row>,
  { row: _, ...column }: Column<Row>,
): Column<Generated<Row>> {
  return { ...column, initially };
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Column<Value> {
  return { type: 'text', oneOf: values };
}

type Columns = Readonly<Record<string, Column>>;
export interface Index<Name = string> {
  readonly name: string;
  readonly on: readonly Name[];
  /** Limits the index to rows that meet this condition, in SQL that both databases understand. */
  readonly where?: string;
  readonly unique?: true;
}

/** A table: the source of its row type, its definition in both databases, and its copy. */
export interface Table<Name = string> {
  readonly columns: Columns;
  readonly key: readonly Name[];
  readonly unique?: readonly (readonly Name[])[];
  /** A row is deleted with the row whose key is in this column. */
  readonly partOf?: { readonly column: Name; readonly table: string; readonly key: string };
  readonly indexes?: readonly Index<Name>[];
  /** SQLite keeps the rows in the order of the key, without a number of their own. */
  readonly sortedByKey?: true;
  /** SQLite must never reuse the number of a deleted row. PostgreSQL never does. */
  readonly neverReused?: true;
  /** SQLite has no such table. */
  readonly postgresOnly?: true;
  /** On PostgreSQL, every home sees all rows. */
  readonly ofAllHomes?: true;
  /** A copy of a home leaves it out. */
  readonly notCopied?: true;
  /** How many rows a copy takes at once: few where one can be a megabyte. */
  readonly pageRows?: number;
}

/** Infers the columns, and checks the names in keys and indexes against them. */
export function table<C extends Columns>(
  definition: Omit<Table<NoInfer<keyof C & string>>, 'columns'> & { readonly columns: C },
): Omit<Table, 'columns'> & { readonly columns: C } {
  return definition;
}

/** The type of a table's rows. */
export type RowOf<T extends Pick<Table, 'columns'>> = {
  -readonly [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer Row> ? Row : never;
};
