import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { sha256 } from '../../base/json.ts';
import { type Chunk, searchableText } from '../read/chunk.ts';
import type { SourceInfo } from '../types.ts';
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
}

const SOURCE_COLUMNS =
  'root, path, document_id, kind, title, size, mtime_us, sha256, version, state, error, chunks, indexed_at';
const CHUNK_COLUMNS = 'ordinal, text, text_sha, heading, place, page_from, page_to, line_from, line_to, metadata';
const KNOWN_COLUMNS = 'id, root, path, size, mtime_us AS mtimeUs, sha256, version, state, error';

/** Writes one project's rows: sources, chunks, roots and the revision. Callers supply the transactions. */
export class ProjectRows {
  readonly #sql: DatabaseSync;
  readonly #project: string;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(sql: DatabaseSync, project: string) {
    this.#sql = sql;
    this.#project = project;
  }

  /** Every file. Imported documents have none. */
  known(): KnownSource[] {
    return this.#sources('kind <> ?');
  }

  /** Every imported document. */
  imported(): KnownSource[] {
    return this.#sources('kind = ?');
  }

  #sources(condition: string): KnownSource[] {
    const sql = `SELECT ${KNOWN_COLUMNS} FROM sources WHERE project = ? AND ${condition}`;
    return this.#statement(sql).all(this.#project, IMPORTED_KIND) as unknown as KnownSource[];
  }

  /** The files, folders and globs that the project remembers. */
  roots(): string[] {
    const rows = this.#statement('SELECT path FROM roots WHERE project = ? ORDER BY path').all(this.#project);
    return rows.map((row) => String(row.path));
  }

  addRoot(path: string, at: string): void {
    this.#statement('INSERT OR IGNORE INTO roots (project, path, added_at) VALUES (?, ?, ?)').run(
      this.#project,
      path,
      at,
    );
  }

  chunkCount(): number {
    const row = this.#statement('SELECT count(*) AS n FROM chunks WHERE project = ?').get(this.#project);
    return Number(row?.n ?? 0);
  }

  /** Replace what is known of a file. Chunks with unchanged text keep their ids. @returns the source's id. */
  save(outcome: Outcome, at: string): number {
    const { file } = outcome;
    const row = this.#statement(
      `INSERT INTO sources (project, ${SOURCE_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project, root, path) DO UPDATE SET kind = excluded.kind, title = excluded.title,
         size = excluded.size, mtime_us = excluded.mtime_us,
         sha256 = excluded.sha256, version = excluded.version, state = excluded.state,
         error = excluded.error, chunks = excluded.chunks, indexed_at = excluded.indexed_at
       RETURNING id`,
    ).get(
      ...[this.#project, file.root, file.path, file.path, outcome.kind, outcome.title, file.size, file.mtimeUs],
      ...[outcome.sha256, outcome.version, outcome.state, outcome.error, outcome.chunks.length, at],
    );
    const id = Number(row?.id);
    this.#saveChunks(id, outcome);
    return id;
  }

  /** Append chunks to a source under construction that has `from` of them. */
  append(id: number, from: number, { chunks, title }: Pick<Outcome, 'chunks' | 'title'>): void {
    for (const [index, chunk] of chunks.entries())
      this.#insertChunk(id, from + index, { chunk, sha: sha256(searchableText(chunk, title)) });
    this.#statement('UPDATE sources SET chunks = ? WHERE id = ?').run(from + chunks.length, id);
  }

  /** Move all sources of another project name to this one. */
  takeFrom(project: string): void {
    for (const table of ['sources', 'chunks'])
      this.#statement(`UPDATE ${table} SET project = ? WHERE project = ?`).run(this.#project, project);
  }

  /** Copy another project's source with its chunks. */
  copy(id: number): void {
    const source = this.#statement(
      `INSERT INTO sources (project, ${SOURCE_COLUMNS})
       SELECT ?, ${SOURCE_COLUMNS} FROM sources WHERE id = ? RETURNING id`,
    ).get(this.#project, id);
    this.#statement(
      `INSERT INTO chunks (project, source_id, ${CHUNK_COLUMNS})
       SELECT ?, ?, ${CHUNK_COLUMNS} FROM chunks WHERE source_id = ? ORDER BY ordinal`,
    ).run(this.#project, Number(source?.id), id);
  }

  touch(id: number, file: FoundFile): void {
    this.#statement('UPDATE sources SET size = ?, mtime_us = ? WHERE id = ?').run(file.size, file.mtimeUs, id);
  }

  move(id: number, file: FoundFile): void {
    this.#statement('UPDATE sources SET root = ?, path = ?, size = ?, mtime_us = ? WHERE id = ?').run(
      ...[file.root, file.path, file.size, file.mtimeUs, id],
    );
  }

  remove(id: number): void {
    this.#statement('DELETE FROM sources WHERE id = ?').run(id);
  }

  /** Mark every index built so far as out of date. */
  bumpRevision(): void {
    this.#statement(
      `INSERT INTO corpora (project, revision) VALUES (?, 1)
       ON CONFLICT (project) DO UPDATE SET revision = revision + 1`,
    ).run(this.#project);
  }

  /** Give every source the shortest unique document id: path without extension, path, or folder and path. */
  nameDocuments(): void {
    const rows = this.#statement('SELECT id, root, path, document_id AS name FROM sources WHERE project = ?').all(
      this.#project,
    );
    const sources = rows.map((row) => ({
      id: Number(row.id),
      root: String(row.root),
      path: String(row.path),
      name: String(row.name),
    }));
    const stems = tally(sources.map(({ path }) => withoutExtension(path)));
    const paths = tally(sources.map(({ path }) => path));
    const update = this.#statement('UPDATE sources SET document_id = ? WHERE id = ?');
    for (const { id, root, path, name } of sources) {
      const own = (paths.get(path) ?? 0) > 1 ? `${root.split('/').at(-1)}/${path}` : path;
      const wanted = (stems.get(withoutExtension(path)) ?? 0) > 1 ? own : withoutExtension(path);
      if (wanted !== name) update.run(wanted, id);
    }
  }

  #saveChunks(source: number, outcome: Outcome): void {
    const old = this.#statement('SELECT id, text_sha FROM chunks WHERE source_id = ? ORDER BY ordinal').all(source);
    const reusable = new Map<string, number[]>();
    for (const row of old) {
      const sha = String(row.text_sha);
      reusable.set(sha, [...(reusable.get(sha) ?? []), Number(row.id)]);
    }
    for (const [ordinal, chunk] of outcome.chunks.entries()) {
      const sha = sha256(searchableText(chunk, outcome.title));
      const kept = reusable.get(sha)?.shift();
      if (kept === undefined) this.#insertChunk(source, ordinal, { chunk, sha });
      else this.#moveChunk(kept, ordinal, chunk);
    }
    const drop = this.#statement('DELETE FROM chunks WHERE id = ?');
    for (const ids of reusable.values()) for (const id of ids) drop.run(id);
  }

  #insertChunk(source: number, ordinal: number, { chunk, sha }: { chunk: Chunk; sha: string }): void {
    this.#statement(
      `INSERT INTO chunks (project, source_id, ${CHUNK_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...[this.#project, source, ordinal, chunk.text, sha, JSON.stringify(chunk.heading), ...position(chunk)],
      chunk.metadata ? JSON.stringify(chunk.metadata) : null,
    );
  }

  /** The text is the same, its place may not be. */
  #moveChunk(id: number, ordinal: number, chunk: Chunk): void {
    this.#statement(
      'UPDATE chunks SET ordinal = ?, place = ?, page_from = ?, page_to = ?, line_from = ?, line_to = ? WHERE id = ?',
    ).run(ordinal, ...position(chunk), id);
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = this.#sql.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function position(chunk: Chunk): (string | number | null)[] {
  const { place, pages, lines } = chunk;
  return [place ?? null, pages?.[0] ?? null, pages?.[1] ?? null, lines?.[0] ?? null, lines?.[1] ?? null];
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/u, '');
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
