import { type Kysely, sql } from 'kysely';
import { isIn } from '../../store/portable.ts';
import type { Database } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { inBatches } from '../ingest/batches.ts';
import type { VectorRows } from './segment-file.ts';
import { addVectorExtension, vectorsUnusable } from './vector-extension.ts';

/** The most dimensions over which pgvector can build an HNSW graph. */
const MOST_DIMENSIONS = 2000;
/** pgvector's `ef_search`: the most that it allows. */
const LEAST_CANDIDATES = 100;
const MOST_CANDIDATES = 1000;
/** Only one program at a time, across all homes, creates the table. */
const MAKING = 7_236_415;

/** A chunk found by its vector. */
export interface Nearest {
  readonly id: number;
  /** Cosine. */
  readonly score: number;
}

/**
 * The vectors of one project in PostgreSQL, searched by pgvector, for collections that exceed a worker's memory.
 *
 * There is one table per number of dimensions, created when first needed. Each row belongs to a source, the model or
 * the LSA fit that made the vector, so that a new one can be written next to the old one. Rows go with their chunks.
 *
 * @see https://github.com/pgvector/pgvector#hnsw
 */
export class VectorTable {
  readonly #store: Store;
  readonly #project: string;

  constructor(store: Store, project: string) {
    this.#store = store;
    this.#project = project;
  }

  /**
   * Replace the rows of a source by the given vectors. Zero vectors are left out: they have no direction.
   *
   * @throws AssistantError `bad_setting` if the server lacks pgvector or the vectors are too long for it.
   */
  async fill(source: string, dimensions: number, { ids, vectors }: VectorRows, signal: AbortSignal): Promise<void> {
    await this.#make(dimensions);
    const known = new Set(await this.#ids(source, dimensions));
    const missing = [...ids.entries()].flatMap(([row, id]) => {
      const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
      return known.has(id) || vector.every((value) => value === 0) ? [] : [{ id, vector: textOf(vector) }];
    });
    for (const some of inBatches(missing)) {
      signal.throwIfAborted();
      const [chunks, texts] = [some.map(({ id }) => id), some.map(({ vector }) => vector)];
      await sql`insert into ${nameOf(dimensions)} (project, source, chunk_id, vector)
        select ${this.#project}, ${source}, r.id, r.vector::vector
        from unnest(${chunks}::bigint[], ${texts}::text[]) as r (id, vector)
        where exists (select from chunks c where c.id = r.id) on conflict do nothing`.execute(this.#store.db);
    }
  }

  /** Whether a source has vectors here. It has none after a home was copied. */
  async has(source: string, dimensions: number): Promise<boolean> {
    if (!(await this.#exists(dimensions))) return false;
    const found = await sql`select from ${nameOf(dimensions)}
      where project = ${this.#project} and source = ${source} limit 1`.execute(this.#store.read);
    return found.rows.length > 0;
  }

  /** Delete the rows of other sources. */
  async keepOnly(source: string, dimensions: number): Promise<void> {
    await sql`delete from ${nameOf(dimensions)} where project = ${this.#project} and source <> ${source}`.execute(
      this.#store.db,
    );
  }

  /**
   * The nearest chunks, best first.
   *
   * @param ids  search only these; all if omitted.
   */
  async search(
    source: string,
    vector: Float32Array,
    { depth, ids }: { readonly depth: number; readonly ids?: readonly number[] | undefined },
  ): Promise<Nearest[]> {
    const store = this.#store;
    const candidates = String(Math.min(Math.max(depth, LEAST_CANDIDATES), MOST_CANDIDATES));
    const wanted = sql`${textOf(vector)}::vector`;
    const only = ids ? sql`and ${isIn(store, 'chunk_id', ids)}` : sql``;
    const { rows } = await store.transaction(
      async () => {
        await sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true),
          set_config('hnsw.ef_search', ${candidates}, true)`.execute(store.db);
        return sql<Nearest>`select chunk_id as id, 1 - (vector <=> ${wanted}) as score
          from ${nameOf(vector.length)} where project = ${this.#project} and source = ${source} ${only}
          order by vector <=> ${wanted} limit ${depth}`.execute(store.db);
      },
      { shared: true },
    );
    // The order may be slightly off, which is faster.
    return rows.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  /** Move a project's rows to another name, in the caller's transaction. */
  async moveTo(project: string, dimensions: number): Promise<void> {
    await sql`update ${nameOf(dimensions)} set project = ${project} where project = ${this.#project}`.execute(
      this.#store.db,
    );
  }

  async #ids(source: string, dimensions: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select chunk_id as id from ${nameOf(dimensions)}
      where project = ${this.#project} and source = ${source}`.execute(this.#store.db);
    return rows.map(({ id }) => id);
  }

  async #exists(dimensions: number): Promise<boolean> {
    const found = sql<{ known: boolean }>`select to_regclass(${`rag_vectors_${dimensions}`}) is not null as known`;
    return (await found.execute(this.#store.db)).rows[0]?.known === true;
  }

  async #make(dimensions: number): Promise<void> {
    if (dimensions > MOST_DIMENSIONS)
      throw vectorsUnusable(
        `pgvector searches at most ${MOST_DIMENSIONS} numbers per vector, the model has ${dimensions}`,
      );
    if (await this.#exists(dimensions)) return;
    await this.#store.transaction(async () => {
      const { db } = this.#store;
      await sql`select pg_advisory_xact_lock(${MAKING}::bigint)`.execute(db);
      if (!(await this.#exists(dimensions))) await createTable(db, dimensions);
    });
  }
}

function nameOf(dimensions: number) {
  return sql.table(`rag_vectors_${dimensions}`);
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** Tables belong to the role in the URL; connections may run as a role that may only use them. */
async function createTable(db: Kysely<Database>, dimensions: number): Promise<void> {
  const table = nameOf(dimensions);
  const { rows } = await sql<{ user: string }>`select current_user as user`.execute(db);
  const user = rows[0]?.user ?? '';
  await sql`select set_config('role', 'none', true)`.execute(db);
  await addVectorExtension(db);
  await sql`create table ${table} (
    home text collate "C" not null default current_setting('wooster.home'),
    project text collate "C" not null, source text collate "C" not null, chunk_id bigint not null,
    vector vector(${sql.lit(dimensions)}) not null,
    primary key (home, chunk_id, source),
    foreign key (home, chunk_id) references chunks (home, id) on delete cascade)`.execute(db);
  const [byProject, byVector] = [`rag_vectors_${dimensions}_by_project`, `rag_vectors_${dimensions}_by_vector`];
  await sql`create index ${sql.id(byProject)} on ${table} (home, project, source)`.execute(db);
  await sql`create index ${sql.id(byVector)} on ${table} using hnsw (vector vector_cosine_ops)
    with (m = 16, ef_construction = 64)`.execute(db);
  const mine = sql`home = current_setting('wooster.home')`;
  await sql`alter table ${table} enable row level security, force row level security`.execute(db);
  await sql`create policy only_of_home on ${table} using (${mine}) with check (${mine})`.execute(db);
  await sql`grant select, insert, update, delete on ${table} to ${sql.id(user)}`.execute(db);
  await sql`select set_config('role', ${user}, true)`.execute(db);
}
