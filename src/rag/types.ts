import type { Turn } from '../base/turn.ts';
import type { Taken } from './read/parsed.ts';
import type { ParsedQuery } from './search/query.ts';

/** Where a chunk is in its file. Lines and pages count from 1. */
export interface Locator {
  /** The path shown to the person: `/`-separated, relative to the ingested folder. */
  readonly file: string;
  readonly heading: readonly string[];
  readonly pages?: readonly [number, number] | undefined;
  readonly lines?: readonly [number, number] | undefined;
  /** The place in a format without pages or lines: `slide 3`, `Budget, row 4-9`, `message <id>`. */
  readonly place?: string | undefined;
  /** It was read from a picture, and figures in it may not be what stands there. */
  readonly uncertain?: boolean | undefined;
}

/**
 * A chunk that a search found, with its score: higher is better, comparable within one query only.
 *
 * A chunk is a piece of a document as it is stored and indexed; people are shown it as a "passage".
 */
export interface Hit extends Locator {
  readonly chunkId: number;
  /** The file's path without its last extension, which is kept when two ids would be equal. */
  readonly documentId: string;
  readonly text: string;
  readonly score: number;
  /** Ready to be shown: `[notes/oslo.md, Hotels, lines 3-9]`. */
  readonly citation: string;
  /** `2026-11-26`: of the heading above it, of its file's name, or the day on which the file was changed. */
  readonly day?: string;
  /** Its neighbours, when they were asked for. */
  readonly context?: HitContext;
  /**
   * The metadata it had in the store that it was imported from; how it was read from a picture (`seen`); what a model
   * quoted from the document that it begins (`fields`).
   */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Lower-ranked chunks that say nearly the same, which are no hits of their own. */
  readonly copies?: readonly Copy[];
}

/** A chunk that says nearly the same as a better one. */
export interface Copy {
  readonly chunkId: number;
  readonly citation: string;
  readonly score: number;
}

/** The neighbours of a hit in its file. The location and the citation cover them and the hit. */
export interface HitContext extends Locator {
  readonly before: string;
  readonly after: string;
  readonly citation: string;
}

export interface SearchOptions {
  readonly k: number;
  readonly signal?: AbortSignal;
  /** Return each document once, by its best chunk. */
  readonly documents?: boolean;
  /** How many chunks before and after each hit to return as its `context`; 0 by default. */
  readonly neighbours?: number;
  /** False keeps the order of retrieval, whatever the `rerank` option says. */
  readonly reranked?: boolean;
  /** The turn that asks, which pays for model calls. */
  readonly turn?: Turn;
}

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly file: string;
  readonly stage?: 'read' | 'embed' | 'index' | 'fields';
}

export interface FileNote {
  readonly file: string;
  readonly why: string;
}

export interface IngestReport {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly renamed: number;
  readonly empty: readonly string[];
  readonly skipped: readonly FileNote[];
  readonly failed: readonly FileNote[];
  readonly missing: readonly string[];
  /** Chunks that the project's store now has. */
  readonly chunks: number;
  /** Stopped by the person. What was done is kept; the next ingest continues. */
  readonly aborted: boolean;
  /** The rebuilt index was not accepted; the former one stays in use. */
  readonly refused?: boolean;
  /** The embedding model that is set but was not used, because this project must stay on the machine. */
  readonly withheldFrom?: string;
}

export interface IngestOptions {
  readonly onProgress?: (progress: IngestProgress) => void;
  readonly signal: AbortSignal;
  /** Read every file again and rebuild the index, with the current models and settings. */
  readonly rebuild?: boolean;
  /**
   * Decide whether a rebuilt index replaces the old one.
   *
   * @param trial the project name to search the new index by.
   */
  readonly accept?: (trial: string) => Promise<boolean>;
}

export interface ImportOptions extends Pick<IngestOptions, 'onProgress' | 'signal'> {
  /** The embedding model that made the store's vectors, to keep them. It must be the one that is set. */
  readonly vectors?: string | undefined;
}

/** What an import did. Counts are documents, except `vectors` and `chunks`. */
export interface ImportReport {
  readonly imported: number;
  /** Already known with the same content, from this folder or another. */
  readonly unchanged: number;
  /** No longer in the store, or replaced by a newer version. */
  readonly removed: number;
  readonly vectors: number;
  /** Chunks that the project's store now has. */
  readonly chunks: number;
  /** Stopped by the person: nothing was imported. */
  readonly aborted: boolean;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Called after each ingest that changed something. */
  readonly onReport: (report: IngestReport) => void;
}

/**
 * The state of a file: `empty` has no text, `failed` could not be read, `skipped` is too large or not a text format.
 */
export const SOURCE_STATES = ['indexed', 'empty', 'failed', 'skipped'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** One file of a project as `wooster sources` shows it. */
export interface SourceInfo {
  readonly file: string;
  readonly root: string;
  readonly documentId: string;
  readonly kind: string;
  readonly state: SourceState;
  readonly chunks: number;
  readonly bytes: number;
  readonly error: string | null;
  /** Of its content; empty when it was not read. */
  readonly sha256: string;
  readonly indexedAt: string;
  /** Only with the setting `rag.exif`. Not for models or anybody else. */
  readonly taken?: Taken;
}

export interface SourcesOptions {
  /** Only files in one of these; all unless given. */
  readonly states?: readonly SourceState[] | undefined;
  /** Only what was imported, or only what was not; both unless given. */
  readonly imported?: boolean | undefined;
  /** Only the files with exactly this path, below whatever folder. */
  readonly path?: string | undefined;
}

export interface SourceRange extends SourcesOptions {
  /** How many files come before the first. */
  readonly from: number;
  readonly most: number;
}

/** What was imported from one folder. */
export interface ImportedFolder {
  readonly folder: string;
  readonly files: number;
  readonly passages: number;
}

/** How many files and passages a project has. */
export interface SourceCounts {
  readonly files: number;
  readonly passages: number;
  /** Files in each state, in the order of `SOURCE_STATES`. */
  readonly byState: readonly number[];
}

/** A document that passages come from. */
export interface PassageSource {
  /** Absolute; undefined if it was imported from another program or deleted after it was found. */
  readonly path: string | undefined;
  /** Hash of its content when it was read; empty if unknown. */
  readonly sha256: string;
}

export interface PassageSources {
  /** Each document once, and one without a path for a chunk that was deleted after it was found. */
  readonly sources: readonly PassageSource[];
  /** Whether the project's journal is the only one of them; also true when there are none. */
  readonly journalOnly: boolean;
}

/** A chunk by its id, and the file that it belongs to. */
export type FileChunk = Pick<Hit, 'chunkId' | 'file'>;

/** A passage that was read from a picture. */
export type PicturePassage = Pick<Hit, 'chunkId' | 'file' | 'text' | 'citation' | 'uncertain' | 'pages' | 'metadata'>;

/** The passages of a document that is as short as a letter, a bill or a receipt, in order; at least one. */
export type Paper = readonly Pick<
  Hit,
  'chunkId' | 'file' | 'heading' | 'text' | 'citation' | 'uncertain' | 'metadata'
>[];

/** The short documents of a project. */
export interface Papers {
  readonly all: readonly Paper[];
  /** There are more than these. */
  readonly isCut: boolean;
}

/** A whole document as it was ingested. */
export interface DocumentText {
  /** As it is shown: `/`-separated, relative to the ingested folder. */
  readonly file: string;
  readonly text: string;
  readonly source: PassageSource;
}

/** The documents of all projects. */
export interface Documents {
  /**
   * Bring a project up to date with files, folders and globs, which it remembers; without paths, with everything it
   * knows. Never rejects because of a bad file: the report names it.
   *
   * @throws AssistantError `index_busy` while another process ingests into the project.
   */
  ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport>;
  /**
   * Import the texts of a folder that LangChain's `HNSWLib` saved, all of them or none. Later ingests keep them;
   * importing the same folder again brings them up to date.
   *
   * @throws AssistantError `file_not_found`; `index_unavailable` when it is no such folder, damaged, or its vectors
   *   were made by another model than given; `index_busy`.
   */
  importStore(project: string, folder: string, options: ImportOptions): Promise<ImportReport>;
  /** Remove what was imported from a folder, which need not exist any more. @returns the number of documents. */
  removeImported(project: string, folder: string, options: Pick<IngestOptions, 'signal'>): Promise<number>;
  /** Load a project's index ahead of the first search. */
  open(project: string): Promise<void>;
  /**
   * Find the best chunks. A query may contain conditions: `file:notes/*.md`, `dt>=2024-05`, `+"exact words"`,
   * `-"not this"`.
   */
  search(project: string, query: string | ParsedQuery, options: SearchOptions): Promise<readonly Hit[]>;
  /** Ingest whenever a file in the project's folders changes, until the signal fires. Does not ingest at the start. */
  watch(project: string, options: WatchOptions): Promise<void>;
  /** Whether the project knows any file. */
  any(project: string): Promise<boolean>;
  /** The texts of the documents that a path or a citation means: several where folders have files of one name. */
  texts(project: string, name: string): Promise<readonly DocumentText[]>;
  /** The files whose shown path matches, each represented by its first chunk. */
  filesNamed(project: string, fits: (path: string) => boolean): Promise<readonly FileChunk[]>;
  /** The texts of the first chunks, in order, of the document that a chunk belongs to. */
  chunksBeside(chunkId: number, most: number): Promise<readonly string[]>;
  /** The first passage below the heading of a number, such as "12. Notice", in the document of a chunk. */
  section(project: string, chunkId: number, number: string): Promise<Hit | undefined>;
  /** All passages that were read from pictures, in the order of their files, the first thousands of them. */
  picturePassages(project: string): Promise<readonly PicturePassage[]>;
  /** Short documents of the kinds that letters, bills and receipts are kept in, the first thousands of them. */
  papers(project: string): Promise<Papers>;
  /** The documents that chunks belong to. */
  sourcesOf(project: string, chunkIds: readonly number[]): Promise<PassageSources>;
  /** Every file the project knows, sorted by path. */
  sources(project: string): Promise<readonly SourceInfo[]>;
  /** The same one page at a time, for projects with very many files. */
  sourcePages(project: string, options?: SourcesOptions): AsyncIterable<readonly SourceInfo[]>;
  /** Some of them. */
  sourceRange(project: string, range: SourceRange): Promise<readonly SourceInfo[]>;
  /** What was imported, by folder. */
  imports(project: string): Promise<readonly ImportedFolder[]>;
  sourceCounts(project: string): Promise<SourceCounts>;
  /** What its folders hold that is not looked at, since it is hidden, temporary or made by a program. Scans them. */
  passedOver(project: string, signal: AbortSignal): Promise<readonly FileNote[]>;
  /** The embedding model that is set but may not see this project's documents. They are searched without it. */
  withheldFrom(project: string): string | undefined;
  /** Delete a project's index and all it knows about its files. The files stay. */
  forget(project: string): Promise<void>;
  /**
   * End all threads. Running searches are answered; an ingest stops at its next file and reports itself aborted; later
   * calls reject with AssistantError `index_unavailable`.
   */
  close(): Promise<void>;
}

/** The settings of `rag.*`. */
export interface RagOptions {
  /** The most words of a chunk. */
  readonly chunkWords: number;
  readonly maxFileMb: number;
  readonly parseTimeoutMs: number;
  /** Languages of the text in pictures, as Tesseract calls them, joined by `+`. */
  readonly pictureLanguages: string;
  /** Whether to keep when and where pictures were taken. */
  readonly exif: boolean;
  /** Who reads the fields of letters and bills: the rules of their form, or a model first. */
  readonly fields: 'form' | 'model';
  readonly vectorIndex: 'auto' | 'exact' | 'hnsw';
  /** Whether vectors are in this program's own index files, or in PostgreSQL, where pgvector searches them. */
  readonly vectors: 'own' | 'pgvector';
  readonly rerank: 'none' | 'lexical' | 'model';
  /** How long a model may take to rerank, in ms. */
  readonly rerankTimeoutMs: number;
}
