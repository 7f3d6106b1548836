import { blob, integer, nullable, oneOf, serial, table, text, withDefault } from './table.ts';

/** Owned by `rag/`: the documents, and the search indexes that one worker publishes for the others. */
export const ragTables = {
  /** A project's documents as a whole; `revision` rises with every change. */
  corpora: table({
    columns: { project: text, revision: withDefault(0, integer) },
    key: ['project'],
  }),
  /** A folder or file that was ingested. */
  roots: table({
    columns: { project: text, path: text, added_at: text },
    key: ['project', 'path'],
    sortedByKey: true,
  }),
  /** One document and the result of reading it. */
  sources: table({
    columns: {
      id: serial,
      project: text,
      root: text,
      path: text,
      document_id: text,
      kind: text,
      title: nullable(text),
      size: integer,
      mtime_us: integer,
      sha256: text,
      version: text,
      state: oneOf('indexed', 'empty', 'failed', 'skipped'),
      error: nullable(text),
      chunks: withDefault(0, integer),
      indexed_at: text,
      /** As JSON: when and where a picture was taken, for owners who asked for it. */
      taken: nullable(text),
    },
    key: ['id'],
    unique: [['project', 'root', 'path']],
    neverReused: true,
  }),
  /** One passage of a document. */
  chunks: table({
    columns: {
      id: serial,
      project: text,
      source_id: integer,
      /** Its position in the document. */
      ordinal: integer,
      text,
      text_sha: text,
      heading: text,
      place: nullable(text),
      page_from: nullable(integer),
      page_to: nullable(integer),
      line_from: nullable(integer),
      line_to: nullable(integer),
      /** As JSON: what a LangChain store had on a passage that was imported, or how it was read from a picture. */
      metadata: nullable(text),
    },
    key: ['id'],
    partOf: { column: 'source_id', table: 'sources', key: 'id' },
    indexes: [
      { name: 'chunks_by_source', on: ['source_id', 'ordinal'] },
      { name: 'chunks_by_project', on: ['project', 'id'] },
    ],
    neverReused: true,
  }),
  /** A page that was read from its picture, as blocks in JSON; `version` says how. */
  seen_pages: table({
    columns: { project: text, sha256: text, page: integer, version: text, found: text },
    key: ['project', 'sha256', 'page', 'version'],
    sortedByKey: true,
  }),
  /** The embedding of a text, by its hash and model; shared by all projects. */
  vectors: table({
    columns: { text_sha: text, model: text, dimensions: integer, vector: blob },
    key: ['text_sha', 'model'],
    sortedByKey: true,
  }),
  /** A question with the document that should answer it, to watch the quality of the search. */
  rag_checks: table({
    columns: { project: text, question: text, document_id: text, rank: nullable(integer), checked_at: nullable(text) },
    key: ['project', 'question', 'document_id'],
    sortedByKey: true,
  }),
  /** One change of a project's chunks, in the order of `revision`, for workers to bring an older index up to date. */
  chunk_changes: table({
    columns: {
      project: text,
      revision: integer,
      chunk_id: integer,
      /** 1: the chunk was deleted. */
      gone: withDefault(0, integer),
    },
    key: ['project', 'revision', 'chunk_id'],
    sortedByKey: true,
  }),
  /** A part of a file of a project's published index, from 0; `crc` is the CRC-32 of the whole file. */
  index_files: table({
    columns: { project: text, name: text, part: integer, crc: integer, bytes: blob },
    key: ['project', 'name', 'part'],
    pageRows: 4,
  }),
  /** A published index: its files, as JSON, and the revision of the corpus that it contains. */
  index_manifests: table({
    columns: { project: text, revision: integer, manifest: text },
    key: ['project', 'revision'],
  }),
};
