import type { Generated } from 'kysely';

/** A project's documents as a whole; `revision` rises with every change. Owned by `rag/`, like the rest. */
export interface CorpusRow {
  project: string;
  revision: Generated<number>;
}

/** A folder or file that was ingested. */
export interface RootRow {
  project: string;
  path: string;
  added_at: string;
}

/** One document and what came of reading it. */
export interface SourceRow {
  id: Generated<number>;
  project: string;
  root: string;
  path: string;
  document_id: string;
  kind: string;
  title: string | null;
  size: number;
  mtime_us: number;
  sha256: string;
  version: string;
  state: 'indexed' | 'empty' | 'failed' | 'skipped';
  error: string | null;
  chunks: Generated<number>;
  indexed_at: string;
}

/** One passage of a document; `ordinal` is its place in it. */
export interface ChunkRow {
  id: Generated<number>;
  project: string;
  source_id: number;
  ordinal: number;
  text: string;
  text_sha: string;
  heading: string;
  place: string | null;
  page_from: number | null;
  page_to: number | null;
  line_from: number | null;
  line_to: number | null;
  metadata: string | null;
}

/** The embedding of a text, by its hash and model; shared by all projects. */
export interface VectorRow {
  text_sha: string;
  model: string;
  dimensions: number;
  vector: Uint8Array;
}

/** A question with the document that should answer it, to watch the quality of the search. */
export interface RagCheckRow {
  project: string;
  question: string;
  document_id: string;
  rank: number | null;
  checked_at: string | null;
}

/** One change of a project's chunks, in the order of `revision`: what workers with an older index have to follow. */
export interface ChunkChangeRow {
  project: string;
  revision: number;
  chunk_id: number;
  /** 1: the chunk was deleted. */
  gone: Generated<number>;
}

/** A part of a file of a project's published index. */
export interface IndexFileRow {
  project: string;
  name: string;
  /** From 0. */
  part: number;
  /** CRC-32 of the whole file. */
  crc: number;
  bytes: Uint8Array;
}

/** A published index: which files make it up, and the revision of the corpus that is in it. */
export interface IndexManifestRow {
  project: string;
  revision: number;
  /** JSON. */
  manifest: string;
}
