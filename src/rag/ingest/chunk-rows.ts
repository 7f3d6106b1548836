import type { Insertable, Selectable } from 'kysely';
import { sha256 } from '../../base/json.ts';
import { isIn } from '../../store/portable.ts';
import type { ChunkRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { type Chunk, searchableText } from '../read/chunk.ts';
import { SEEN } from '../read/seen.ts';
import { inBatches } from './batches.ts';
import type { ChunkChanges } from './chunk-changes.ts';

/** Chunks of a source. */
export interface SourceChunks {
  readonly source: number;
  readonly title: string | null;
  /** The place of the first one in the source. */
  readonly from: number;
  readonly chunks: readonly Chunk[];
}

export interface LastChunk {
  readonly ordinal: number;
  readonly heading: readonly string[];
}

const POSITION = ['ordinal', 'place', 'page_from', 'page_to', 'line_from', 'line_to'] as const;
/** All but the id, the project and the source. */
export const CHUNK_CONTENT = [...POSITION, 'text', 'text_sha', 'heading', 'metadata'] as const;

type ChunkPosition = Pick<ChunkRow, (typeof POSITION)[number]>;
/** What may change of a passage whose text does not. */
const PLACED = [...POSITION, 'metadata'] as const;
type OldChunk = Pick<Selectable<ChunkRow>, (typeof PLACED)[number] | 'id' | 'source_id' | 'text_sha'>;

/** Writes the chunks of one project's sources. Callers supply the transactions. */
export class ChunkRows {
  readonly #store: Store;
  readonly #project: string;

  constructor(store: Store, project: string) {
    this.#store = store;
    this.#project = project;
  }

  /** Replace all chunks of the sources. Those with unchanged text keep their ids. */
  async replace(sources: readonly SourceChunks[]): Promise<ChunkChanges> {
    const old = await this.#chunksOf(sources.map(({ source }) => source));
    const before = Map.groupBy(old, (chunk) => chunk.source_id);
    const fresh: Insertable<ChunkRow>[] = [];
    const gone: number[] = [];
    for (const each of sources) {
      const rest = Map.groupBy(before.get(each.source) ?? [], (chunk) => chunk.text_sha);
      for (const row of this.#rows(each)) {
        const kept = rest.get(row.text_sha)?.shift();
        if (kept) await this.#move(kept, row);
        else fresh.push(row);
      }
      for (const chunks of rest.values()) gone.push(...chunks.map(({ id }) => id));
    }
    const added = await this.#insert(fresh);
    if (gone.length > 0)
      await this.#store.db
        .deleteFrom('chunks')
        .where(isIn(this.#store, 'id', gone))
        .execute();
    return { added, gone };
  }

  /** @returns the ids. */
  append(parts: readonly SourceChunks[]): Promise<number[]> {
    return this.#insert(parts.flatMap((part) => this.#rows(part)));
  }

  /** Delete a source's chunks from a line on. @returns the ids. */
  async cut(source: number, line: number): Promise<number[]> {
    const gone = await this.#store.db
      .deleteFrom('chunks')
      .where('source_id', '=', source)
      .where('line_from', '>=', line)
      .returning('id')
      .execute();
    return gone.map(({ id }) => id);
  }

  /** The last chunk of a source that begins before a line. */
  async lastBefore(source: number, line: number): Promise<LastChunk | undefined> {
    const last = await this.#store.db
      .selectFrom('chunks')
      .select(['ordinal', 'heading'])
      .where('source_id', '=', source)
      .where('line_from', '<', line)
      .orderBy('ordinal', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last && { ...last, heading: JSON.parse(last.heading) as string[] };
  }

  #chunksOf(sources: readonly number[]): Promise<OldChunk[]> {
    return this.#store.db
      .selectFrom('chunks')
      .select(['id', 'source_id', 'text_sha', ...PLACED])
      .where(isIn(this.#store, 'source_id', sources))
      .orderBy('source_id')
      .orderBy('ordinal')
      .execute();
  }

  #rows({ source, title, from, chunks }: SourceChunks): Insertable<ChunkRow>[] {
    return chunks.map((chunk, index) => ({
      ...{ project: this.#project, source_id: source, text: storable(chunk.text) },
      ...{ text_sha: sha256(searchableText(chunk, title)), heading: JSON.stringify(chunk.heading) },
      ...position(chunk, from + index),
      metadata: metadataOf(chunk),
    }));
  }

  /** @returns the ids. */
  async #insert(rows: readonly Insertable<ChunkRow>[]): Promise<number[]> {
    const ids: number[] = [];
    for (const some of inBatches(rows)) {
      const inserted = await this.#store.db.insertInto('chunks').values(some).returning('id').execute();
      for (const { id } of inserted) ids.push(id);
    }
    return ids;
  }

  /** The text is the same, its place may not be. */
  async #move(old: OldChunk, wanted: Insertable<ChunkRow>): Promise<void> {
    if (PLACED.every((column) => old[column] === wanted[column])) return;
    const { ordinal, place, page_from, page_to, line_from, line_to, metadata } = wanted;
    const to = { ordinal, place, page_from, page_to, line_from, line_to, metadata };
    await this.#store.db.updateTable('chunks').set(to).where('id', '=', old.id).execute();
  }
}

function position({ place, pages, lines }: Chunk, ordinal: number): ChunkPosition {
  return {
    ...{ ordinal, place: place === undefined ? null : storable(place) },
    ...{ page_from: pages?.[0] ?? null, page_to: pages?.[1] ?? null },
    ...{ line_from: lines?.[0] ?? null, line_to: lines?.[1] ?? null },
  };
}

function metadataOf({ metadata, seen }: Chunk): string | null {
  return metadata || seen ? JSON.stringify({ ...metadata, ...(seen && { [SEEN]: seen }) }) : null;
}

/** PostgreSQL's texts cannot contain the character 0. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', ' ');
}
