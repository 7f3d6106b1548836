import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { idList, isIn } from '../../store/portable.ts';
import type { ChunkRow, SourceRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { citation } from '../citation.ts';
import { changesBetween } from '../ingest/chunk-changes.ts';
import { vectorDimensions } from '../ingest/vector-rows.ts';
import { searchableText } from '../read/chunk.ts';
import { isUncertain, seenIn } from '../read/seen.ts';
import type { Hit } from '../types.ts';
import { fittingChunks } from './filter.ts';
import type { Conditions } from './query.ts';

/** A chunk's row, joined with its source's. */
export interface StoredChunk {
  readonly id: number;
  readonly text: string;
  readonly heading: readonly string[];
  readonly title: string | null;
  readonly file: string;
  readonly documentId: string;
  readonly sourceId: number;
  readonly ordinal: number;
  readonly sha: string;
  readonly place: string | undefined;
  readonly pages: readonly [number, number] | undefined;
  readonly lines: readonly [number, number] | undefined;
  /** Figures in it may not be what stands in the picture it was read from. */
  readonly uncertain?: boolean | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** When its file was changed. */
  readonly changedAt: Date;
}

const CHUNK_COLUMNS = [
  ...(['c.id', 'c.text', 'c.heading', 'c.text_sha', 'c.place', 'c.page_from', 'c.page_to', 'c.line_from'] as const),
  ...([
    'c.line_to',
    'c.source_id',
    'c.ordinal',
    'c.metadata',
    's.title',
    's.path',
    's.document_id',
    's.mtime_us',
  ] as const),
] as const;
type JoinedRow = Omit<Selectable<ChunkRow>, 'project'> & Pick<SourceRow, 'title' | 'path' | 'document_id' | 'mtime_us'>;

const CHUNKS_PER_READ = 500;
const BYTES_PER_NUMBER = Float32Array.BYTES_PER_ELEMENT;

/** One project's chunks in the database, read only. */
export class Corpus {
  readonly #store: Store;
  readonly #project: string;

  constructor(store: Store, project: string) {
    this.#store = store;
    this.#project = project;
  }

  /** Grows with every change of the project's chunks. */
  async revision(): Promise<number> {
    const query = this.#store.read.selectFrom('corpora').select('revision').where('project', '=', this.#project);
    return (await query.executeTakeFirst())?.revision ?? 0;
  }

  /** Every chunk's id, ascending. */
  async ids(): Promise<number[]> {
    const query = this.#store.read
      .selectFrom('chunks')
      .select(idList(this.#store, 'id').as('ids'))
      .where('project', '=', this.#project);
    return JSON.parse((await query.executeTakeFirstOrThrow()).ids) as number[];
  }

  /**
   * Every chunk's id at the revision `to`, from those at an earlier one, which are changed in place.
   *
   * @returns the chunks that are new, ascending by revision; undefined when not all changes between are known.
   */
  async advance(ids: Set<number>, from: number, to: number): Promise<number[] | undefined> {
    const changes = await changesBetween(this.#store, this.#project, { from, to });
    for (const { id, gone } of changes ?? [])
      if (gone) ids.delete(id);
      else ids.add(id);
    return changes?.filter(({ id, gone }) => !gone && ids.has(id)).map(({ id }) => id);
  }

  async count(): Promise<number> {
    const query = this.#store.read
      .selectFrom('chunks')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project', '=', this.#project);
    return (await query.executeTakeFirstOrThrow()).n;
  }

  /** The chunks that still exist, in the order of the ids. */
  async getMany(ids: readonly number[]): Promise<Map<number, StoredChunk>> {
    const rows = new Map<number, JoinedRow>();
    for (let at = 0; at < ids.length; at += CHUNKS_PER_READ)
      for (const row of await this.#rows(ids.slice(at, at + CHUNKS_PER_READ))) rows.set(row.id, row);
    const found = new Map<number, StoredChunk>();
    for (const id of ids) {
      const row = rows.get(id);
      if (row) found.set(id, fromRow(row));
    }
    return found;
  }

  #rows(ids: readonly number[]): Promise<JoinedRow[]> {
    return this.#store.read
      .selectFrom('chunks as c')
      .innerJoin('sources as s', 's.id', 'c.source_id')
      .select(CHUNK_COLUMNS)
      .where(isIn(this.#store, 'c.id', ids))
      .execute();
  }

  /** Ids of the chunks that meet a query's conditions. */
  fitting(conditions: Conditions): Promise<Set<number>> {
    return fittingChunks(this.#store, this.#project, conditions);
  }

  /** The length of a model's vectors; 0 when there are none. */
  vectorDimensions(model: string): Promise<number> {
    return vectorDimensions(this.#store, model);
  }

  /** A model's unit vectors of the given chunks, row by row; zeros for a chunk without one. */
  async vectors(ids: Uint32Array, model: string, dimensions: number): Promise<Float32Array> {
    const vectors = new Float32Array(ids.length * dimensions);
    const bytes = new Uint8Array(vectors.buffer);
    const size = dimensions * BYTES_PER_NUMBER;
    for (let at = 0; at < ids.length; at += CHUNKS_PER_READ) {
      const some = [...ids.subarray(at, at + CHUNKS_PER_READ)];
      const vectorOf = await this.#vectorsOf(some, model);
      for (const [row, id] of some.entries()) {
        const vector = vectorOf.get(id);
        if (vector?.length === size) bytes.set(vector, (at + row) * size);
      }
    }
    return vectors;
  }

  async #vectorsOf(ids: readonly number[], model: string): Promise<Map<number, Uint8Array>> {
    const rows = await this.#store.read
      .selectFrom('chunks as c')
      .innerJoin('vectors as v', (join) => join.onRef('v.text_sha', '=', 'c.text_sha').on('v.model', '=', model))
      .select(['c.id', 'v.vector'])
      .where(isIn(this.#store, 'c.id', ids))
      .execute();
    return new Map(rows.map(({ id, vector }) => [id, vector]));
  }

  /** Each chunk's neighbours in its file, itself included, in order. */
  async around(ids: readonly number[], distance: number): Promise<Map<number, StoredChunk[]>> {
    const rows = await this.#store.read
      .selectFrom('chunks as middle')
      .innerJoin('chunks as c', 'c.source_id', 'middle.source_id')
      .innerJoin('sources as s', 's.id', 'c.source_id')
      .select(CHUNK_COLUMNS)
      .select('middle.id as middle')
      .where(isIn(this.#store, 'middle.id', ids))
      .where(sql<boolean>`c.ordinal between middle.ordinal - ${distance} and middle.ordinal + ${distance}`)
      .orderBy('c.ordinal')
      .execute();
    const found = new Map<number, StoredChunk[]>(ids.map((id) => [id, []]));
    for (const row of rows) found.get(row.middle)?.push(fromRow(row));
    return found;
  }
}

/** The text that a stored chunk is indexed and embedded by. */
export function searchable(chunk: StoredChunk): string {
  return searchableText(chunk, chunk.title);
}

export function toHit(chunk: StoredChunk, score: number): Hit {
  const { id, text, heading, file, documentId, pages, lines, place, metadata } = chunk;
  const where = { file, heading, pages, lines, place, ...(chunk.uncertain && { uncertain: true }) };
  const known = { ...where, chunkId: id, documentId, text, score, citation: citation(where), day: dayOf(chunk) };
  return { ...known, ...(metadata && { metadata }) };
}

/** A date in the heading above it or in the name of its file, else the day on which the file was changed. */
function dayOf({ heading, file, changedAt }: StoredChunk): string {
  const dated = [heading.at(-1) ?? '', file.split('/').at(-1) ?? ''].join(' ').match(/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/u);
  return dated?.[0] ?? changedAt.toISOString().slice(0, 10);
}

function fromRow(row: JoinedRow): StoredChunk {
  const metadata = row.metadata === null ? undefined : (JSON.parse(row.metadata) as Record<string, unknown>);
  const seen = seenIn(metadata);
  return {
    id: row.id,
    text: row.text,
    heading: JSON.parse(row.heading) as string[],
    title: row.title,
    file: row.path,
    documentId: row.document_id,
    sourceId: row.source_id,
    ordinal: row.ordinal,
    sha: row.text_sha,
    place: row.place ?? undefined,
    pages: range(row.page_from, row.page_to),
    lines: range(row.line_from, row.line_to),
    uncertain: seen && isUncertain(seen),
    metadata,
    changedAt: new Date(row.mtime_us / 1000),
  };
}

function range(from: number | null, to: number | null): readonly [number, number] | undefined {
  return from !== null && to !== null ? [from, to] : undefined;
}
