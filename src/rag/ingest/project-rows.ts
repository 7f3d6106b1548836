import { type Insertable, sql } from 'kysely';
import { isIn } from '../../store/portable.ts';
import type { SourceRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { absolutePath, absoluteRoot, type Places, storedPath, storedRoot } from '../places.ts';
import type { Chunk } from '../read/chunk.ts';
import type { Taken } from '../read/parsed.ts';
import type { SourceInfo } from '../types.ts';
import { inBatches } from './batches.ts';
import { type ChunkChanges, noteChanges } from './chunk-changes.ts';
import { CHUNK_CONTENT, ChunkRows, type LastChunk, type SourceChunks, storable } from './chunk-rows.ts';
import { withoutExtension } from './document-names.ts';
import { IMPORTED_KIND } from './import-root.ts';
import type { FoundFile } from './scan.ts';

/** A file as the database knows it. */
export interface KnownSource {
  readonly id: number;
  readonly root: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeUs: number;
  readonly sha256: string;
  readonly version: string;
  readonly state: SourceInfo['state'];
  readonly error: string | null;
  readonly title: string | null;
}

/** What to store about a file that was read, or could not be. */
export interface Outcome {
  readonly file: FoundFile;
  readonly sha256: string;
  readonly kind: string;
  readonly version: string;
  readonly title: string | null;
  readonly state: SourceInfo['state'];
  readonly error: string | null;
  readonly chunks: readonly Chunk[];
  readonly taken?: Taken | undefined;
}

const KNOWN_COLUMNS = [
  'id',
  'root',
  'path',
  'size',
  'mtime_us as mtimeUs',
  'sha256',
  'version',
  'state',
  'error',
  'title',
] as const;
/** All but the id, the project and what depends on them. */
const SOURCE_CONTENT = [
  ...(['root', 'path', 'document_id', 'kind', 'title', 'size', 'mtime_us', 'sha256', 'version'] as const),
  ...(['state', 'error', 'chunks', 'indexed_at', 'taken'] as const),
] as const;

/** Writes one project's rows: sources, chunks, roots and the revision. Callers supply the transactions. */
export class ProjectRows {
  readonly #places: Places | undefined;
  readonly #store: Store;
  readonly #project: string;
  readonly #chunks: ChunkRows;

  /** @param places makes paths absolute when read and relative when written; without it they are as stored. */
  constructor(store: Store, project: string, places?: Places) {
    this.#store = store;
    this.#project = project;
    this.#places = places;
    this.#chunks = new ChunkRows(store, project);
  }

  /** Every file. Imported documents have none. */
  known(): Promise<KnownSource[]> {
    return this.#sources('<>');
  }

  /** Every imported document. */
  imported(): Promise<KnownSource[]> {
    return this.#sources('=');
  }

  async #sources(imported: '=' | '<>'): Promise<KnownSource[]> {
    const rows = await this.#store.db
      .selectFrom('sources')
      .select(KNOWN_COLUMNS)
      .where('project', '=', this.#project)
      .where('kind', imported, IMPORTED_KIND)
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, root: this.#absolute(row.root) }));
  }

  /** The files, folders and globs that the project remembers. */
  async roots(): Promise<string[]> {
    const query = this.#store.db.selectFrom('roots').select('path').where('project', '=', this.#project);
    const rows = await query.orderBy('path').execute();
    return rows.map(({ path }) => (this.#places ? absolutePath(this.#places, path) : path));
  }

  async addRoot(path: string, at: string): Promise<void> {
    await this.#store.db
      .insertInto('roots')
      .values({ project: this.#project, path: this.#places ? storedPath(this.#places, path) : path, added_at: at })
      .onConflict((conflict) => conflict.columns(['project', 'path']).doNothing())
      .execute();
  }

  async chunkCount(): Promise<number> {
    const query = this.#store.db
      .selectFrom('chunks')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project', '=', this.#project);
    return (await query.executeTakeFirstOrThrow()).n;
  }

  /**
   * Replace what is known of files, each of them once. Chunks with unchanged text keep their ids.
   *
   * @returns the sources' ids, in the order of the outcomes, and what became of their chunks.
   */
  async save(outcomes: readonly Outcome[], at: string): Promise<{ ids: number[]; changes: ChunkChanges }> {
    const ids = await this.#saveSources(outcomes, at);
    const changes = await this.#chunks.replace(
      outcomes.map(({ title, chunks }, index) => ({ source: ids[index] ?? 0, title, from: 0, chunks })),
    );
    return { ids, changes };
  }

  /** Append chunks to sources under construction. They are counted by `takeFrom` and by `complete`. */
  async append(parts: readonly SourceChunks[]): Promise<ChunkChanges> {
    return { added: await this.#chunks.append(parts), gone: [] };
  }

  lastBefore(id: number, line: number): Promise<LastChunk | undefined> {
    return this.#chunks.lastBefore(id, line);
  }

  /** Delete a source's chunks from a line on, to append others. */
  async cut(id: number, line: number): Promise<ChunkChanges> {
    return { added: [], gone: await this.#chunks.cut(id, line) };
  }

  /** Mark a source whose chunks were appended as complete. */
  async complete(id: number, outcome: Omit<Outcome, 'chunks'>, at: string): Promise<void> {
    const { project: _project, root: _root, path: _path, document_id: _name, ...row } = this.#sourceRow(outcome, at);
    await this.#store.db
      .updateTable('sources')
      .set(({ selectFrom, fn }) => ({
        ...row,
        chunks: selectFrom('chunks').select(fn.countAll<number>().as('n')).where('source_id', '=', id),
      }))
      .where('id', '=', id)
      .execute();
  }

  /** Move all sources of another project name to this one. */
  async takeFrom(project: string): Promise<ChunkChanges> {
    await this.#store.db
      .updateTable('sources')
      .set(({ selectFrom, fn }) => ({
        project: this.#project,
        chunks: selectFrom('chunks')
          .select(fn.countAll<number>().as('n'))
          .whereRef('chunks.source_id', '=', 'sources.id'),
      }))
      .where('project', '=', project)
      .execute();
    const taken = await this.#store.db
      .updateTable('chunks')
      .set({ project: this.#project })
      .where('project', '=', project)
      .returning('id')
      .execute();
    return { added: taken.map(({ id }) => id), gone: [] };
  }

  /** Copy another project's source with its chunks. */
  async copy(id: number): Promise<ChunkChanges> {
    const project = sql<string>`cast(${this.#project} as text)`.as('project');
    const { id: source } = await this.#store.db
      .insertInto('sources')
      .columns(['project', ...SOURCE_CONTENT])
      .expression(({ selectFrom }) =>
        selectFrom('sources')
          .select([project, ...SOURCE_CONTENT])
          .where('id', '=', id),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const copyId = sql<number>`cast(${source} as bigint)`.as('source_id');
    const copied = await this.#store.db
      .insertInto('chunks')
      .columns(['project', 'source_id', ...CHUNK_CONTENT])
      .expression(({ selectFrom }) =>
        selectFrom('chunks')
          .select([project, copyId, ...CHUNK_CONTENT])
          .where('source_id', '=', id)
          .orderBy('ordinal'),
      )
      .returning('id')
      .execute();
    return { added: copied.map((chunk) => chunk.id), gone: [] };
  }

  async touch(id: number, { size, mtimeUs }: FoundFile): Promise<void> {
    await this.#store.db.updateTable('sources').set({ size, mtime_us: mtimeUs }).where('id', '=', id).execute();
  }

  async move(id: number, { root, path, size, mtimeUs }: FoundFile): Promise<void> {
    const moved = { root: this.#stored(root), path, size, mtime_us: mtimeUs };
    await this.#store.db.updateTable('sources').set(moved).where('id', '=', id).execute();
  }

  /** Delete sources with their chunks. */
  async remove(sources: readonly Pick<KnownSource, 'id'>[]): Promise<ChunkChanges> {
    const ids = sources.map(({ id }) => id);
    const gone = await this.#store.db
      .selectFrom('chunks')
      .select('id')
      .where(isIn(this.#store, 'source_id', ids))
      .execute();
    await this.#store.db
      .deleteFrom('sources')
      .where(isIn(this.#store, 'id', ids))
      .execute();
    return { added: [], gone: gone.map(({ id }) => id) };
  }

  /**
   * Mark every index built so far as out of date. Of two writers the second waits, so revisions have commit order.
   *
   * @param changes everything that the transaction did to the project's chunks.
   */
  async bumpRevision(...changes: readonly ChunkChanges[]): Promise<void> {
    const { revision } = await this.#store.db
      .insertInto('corpora')
      .values({ project: this.#project, revision: 1 })
      .onConflict((conflict) =>
        conflict.column('project').doUpdateSet(({ eb }) => ({ revision: eb('corpora.revision', '+', 1) })),
      )
      .returning('revision')
      .executeTakeFirstOrThrow();
    await noteChanges(this.#store, { project: this.#project, revision }, changes);
  }

  #stored(root: string): string {
    return this.#places ? storedRoot(this.#places, root) : root;
  }

  #absolute(root: string): string {
    return this.#places ? absoluteRoot(this.#places, root) : root;
  }

  async #saveSources(outcomes: readonly Outcome[], at: string): Promise<number[]> {
    const ids = new Map<string, number>();
    for (const rows of inBatches(
      outcomes.map(({ chunks, ...outcome }) => ({ ...this.#sourceRow(outcome, at), chunks: chunks.length })),
    )) {
      const saved = await this.#store.db
        .insertInto('sources')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['project', 'root', 'path']).doUpdateSet(({ ref }) => ({
            ...{ kind: ref('excluded.kind'), title: ref('excluded.title'), size: ref('excluded.size') },
            ...{ mtime_us: ref('excluded.mtime_us'), sha256: ref('excluded.sha256'), version: ref('excluded.version') },
            ...{ state: ref('excluded.state'), error: ref('excluded.error'), chunks: ref('excluded.chunks') },
            ...{ indexed_at: ref('excluded.indexed_at'), taken: ref('excluded.taken') },
          })),
        )
        .returning(['id', 'root', 'path'])
        .execute();
      for (const source of saved) ids.set(sourceKey({ ...source, root: this.#absolute(source.root) }), source.id);
    }
    return outcomes.map(({ file }) => ids.get(sourceKey(file)) ?? 0);
  }

  /** A new source already has its most likely name. */
  #sourceRow(
    { file, title, error, ...outcome }: Omit<Outcome, 'chunks'>,
    at: string,
  ): Omit<Insertable<SourceRow>, 'chunks'> {
    return {
      ...{ project: this.#project, root: this.#stored(file.root), path: file.path },
      document_id: withoutExtension(file.path),
      ...{ kind: outcome.kind, title: title && storable(title), size: file.size, mtime_us: file.mtimeUs },
      ...{ sha256: outcome.sha256, version: outcome.version, state: outcome.state, error: error && storable(error) },
      ...{ indexed_at: at, taken: outcome.taken ? JSON.stringify(outcome.taken) : null },
    };
  }
}

/** What identifies a source within its project, equal before and after it was stored. */
export function sourceKey({ root, path }: { readonly root: string; readonly path: string }): string {
  return `${root}\u0000${path}`.toWellFormed();
}
