import type { DatabaseSync } from 'node:sqlite';
import { citation } from '../citation.ts';
import { searchableText } from '../read/chunk.ts';
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
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

const COLUMNS = `c.id, c.text, c.heading, c.text_sha, c.place, c.page_from, c.page_to, c.line_from, c.line_to,
  c.source_id, c.ordinal, c.metadata, s.title, s.path, s.document_id`;
const CHUNKS_PER_READ = 500;

/** One project's chunks in the database, read only. */
export class Corpus {
  readonly #sql: DatabaseSync;
  readonly #project: string;

  constructor(sql: DatabaseSync, project: string) {
    this.#sql = sql;
    this.#project = project;
  }

  /** Grows with every change of the project's chunks. */
  revision(): number {
    const row = this.#sql.prepare('SELECT revision FROM corpora WHERE project = ?').get(this.#project);
    return Number(row?.revision ?? 0);
  }

  /** Every chunk's id, ascending. */
  ids(): number[] {
    // One row of JSON is read much faster than a row per id.
    const row = this.#sql
      .prepare('SELECT json_group_array(id) AS ids FROM (SELECT id FROM chunks WHERE project = ? ORDER BY id)')
      .get(this.#project);
    return JSON.parse(String(row?.ids ?? '[]')) as number[];
  }

  count(): number {
    return Number(this.#sql.prepare('SELECT count(*) AS n FROM chunks WHERE project = ?').get(this.#project)?.n ?? 0);
  }

  get(id: number): StoredChunk | undefined {
    return this.getMany([id]).get(id);
  }

  getMany(ids: readonly number[]): Map<number, StoredChunk> {
    const found = new Map<number, StoredChunk>();
    for (let at = 0; at < ids.length; at += CHUNKS_PER_READ) {
      const rows = this.#sql
        .prepare(
          `SELECT ${COLUMNS} FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN sources s ON s.id = c.source_id`,
        )
        .all(JSON.stringify(ids.slice(at, at + CHUNKS_PER_READ)));
      for (const row of rows) found.set(Number(row.id), fromRow(row));
    }
    return found;
  }

  /** Ids of the chunks that meet a query's conditions. */
  fitting(conditions: Conditions): Set<number> {
    return fittingChunks(this.#sql, this.#project, conditions);
  }

  /** The length of a model's vectors; 0 when there are none. */
  vectorDimensions(model: string): number {
    const row = this.#sql.prepare('SELECT dimensions FROM vectors WHERE model = ? LIMIT 1').get(model);
    return Number(row?.dimensions ?? 0);
  }

  /** A model's unit vectors of the given chunks, row by row; zeros for a chunk without one. */
  vectors(ids: Uint32Array, model: string, dimensions: number): Float32Array {
    const rows = new Float32Array(ids.length * dimensions);
    const statement = this.#sql.prepare(
      'SELECT v.vector FROM chunks c JOIN vectors v ON v.text_sha = c.text_sha AND v.model = ? WHERE c.id = ?',
    );
    for (const [row, id] of ids.entries()) {
      const bytes = statement.get(model, id)?.vector;
      if (bytes instanceof Uint8Array && bytes.length === dimensions * 4) rows.set(toFloats(bytes), row * dimensions);
    }
    return rows;
  }

  /** The chunk's neighbours in its file, itself included, in order. */
  around(chunk: StoredChunk, distance: number): StoredChunk[] {
    const rows = this.#sql
      .prepare(`SELECT ${COLUMNS} FROM chunks c JOIN sources s ON s.id = c.source_id
        WHERE c.source_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal`)
      .all(chunk.sourceId, chunk.ordinal - distance, chunk.ordinal + distance);
    return rows.map(fromRow);
  }
}

/** The text that a stored chunk is indexed and embedded by. */
export function searchable(chunk: StoredChunk): string {
  return searchableText(chunk, chunk.title);
}

export function toHit(chunk: StoredChunk, score: number): Hit {
  const { id, text, heading, file, documentId, pages, lines, place, metadata } = chunk;
  const where = { file, heading, pages, lines, place };
  return { ...where, chunkId: id, documentId, text, score, citation: citation(where), ...(metadata && { metadata }) };
}

function fromRow(row: Record<string, unknown>): StoredChunk {
  return {
    id: Number(row.id),
    text: String(row.text),
    heading: JSON.parse(String(row.heading)) as string[],
    title: row.title === null ? null : String(row.title),
    file: String(row.path),
    documentId: String(row.document_id),
    sourceId: Number(row.source_id),
    ordinal: Number(row.ordinal),
    sha: String(row.text_sha),
    place: row.place === null ? undefined : String(row.place),
    pages: range(row.page_from, row.page_to),
    lines: range(row.line_from, row.line_to),
    metadata: row.metadata === null ? undefined : (JSON.parse(String(row.metadata)) as Record<string, unknown>),
  };
}

function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function range(from: unknown, to: unknown): readonly [number, number] | undefined {
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : undefined;
}
