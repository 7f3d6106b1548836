import type { Turn } from '../base/turn.ts';

/** Where a passage stands. Lines and pages count from 1. */
export interface Locator {
  /** Path as shown to the person, `/`-separated, under the ingested folder. */
  readonly file: string;
  readonly heading: readonly string[];
  readonly pages?: readonly [number, number] | undefined;
  readonly lines?: readonly [number, number] | undefined;
  /** Where neither pages nor lines mean anything: `slide 3`, `Budget, row 4-9`, `message <id>`. */
  readonly place?: string | undefined;
}

/** One passage found. `score`: higher is better, comparable within one query only. */
export interface Hit extends Locator {
  readonly chunkId: number;
  /** The file's path without its last extension (kept where two would be equal). */
  readonly documentId: string;
  readonly text: string;
  readonly score: number;
  /** `[notes/oslo.md, lines 3-9]`, ready to be shown. */
  readonly citation: string;
  /** Its neighbours, when they were asked for. */
  readonly context?: HitContext;
  /** What it carried along in the store that it was imported from. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What stands around a passage in its file. Its place is that of all three: before, the passage, after. */
export interface HitContext extends Locator {
  readonly before: string;
  readonly after: string;
  readonly citation: string;
}

export interface SearchOptions {
  readonly k: number;
  /** Earlier questions of the conversation, oldest first, to resolve "and its author?". */
  readonly history?: readonly string[];
  readonly signal?: AbortSignal;
  /** Give each document once, by its best passage. */
  readonly documents?: boolean;
  /** How many passages before and after each hit come along as its `context`; none unless given. */
  readonly neighbours?: number;
  /** False: in the order of the retrieval, whatever `rerank` says. */
  readonly reranked?: boolean;
  /** The turn that asks: what a model costs is booked to it. */
  readonly turn?: Turn;
}

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly file: string;
  readonly stage?: 'read' | 'embed' | 'index';
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
  /** Stopped by the person; what was done stays, the next ingest goes on. */
  readonly aborted: boolean;
  /** A rebuilt index was not taken into use; the former one stays. */
  readonly refused?: boolean;
  /** The embedding model that is set but was not asked: nothing of this project may leave the machine. */
  readonly withheldFrom?: string;
}

export interface IngestOptions {
  readonly onProgress?: (progress: IngestProgress) => void;
  readonly signal: AbortSignal;
  /** Read every file again and build every index anew, with the models and settings of now. */
  readonly rebuild?: boolean;
  /**
   * Judge a rebuilt index before it takes the place of the old one.
   *
   * @param trial search it under this name meanwhile.
   */
  readonly accept?: (trial: string) => Promise<boolean>;
}

export interface ImportOptions extends Pick<IngestOptions, 'onProgress' | 'signal'> {
  /** The embedding model that made the vectors of the store, if they are to be taken over: it must be the one that is set. */
  readonly vectors?: string | undefined;
}

/** What became of the documents of another program's store. */
export interface ImportReport {
  readonly imported: number;
  /** Known with the same content, from this folder or another. */
  readonly unchanged: number;
  /** No longer in the store, or replaced by what is there now. */
  readonly removed: number;
  readonly vectors: number;
  /** Chunks that the project's store now has. */
  readonly chunks: number;
  /** Stopped by the person: nothing was imported. */
  readonly aborted: boolean;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** After each look that changed something. */
  readonly onReport: (report: IngestReport) => void;
}

/** What can become of a file: `empty` has no text, `failed` could not be read, `skipped` is too large or no text. */
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
  readonly indexedAt: string;
}

/** An answer made of the documents' own sentences, without a model. */
export interface ExtractiveAnswer {
  /** Empty when nothing fits. */
  readonly answer: string;
  readonly passages: readonly SupportingHit[];
  /** Every passage stands in the project's journal; true as well when there is none. */
  readonly journalOnly: boolean;
}

export interface SupportingHit {
  readonly text: string;
  readonly citation: string;
  readonly score: number;
  readonly chunkId: number;
  readonly context?: HitContext;
}

/** The documents of all projects. */
export interface Documents {
  /**
   * Bring a project's store up to date with files, folders and globs, which it remembers; with no paths, with all it
   * knows. Never rejects for a bad file: the report has it.
   *
   * @throws AssistantError `index_busy` while another process ingests into the project.
   */
  ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport>;
  /**
   * Take over the texts of a folder that LangChain's `HNSWLib` saved, all of them or none. They stay when folders are
   * ingested; the same folder again brings them up to date.
   *
   * @throws AssistantError `file_not_found`, `index_unavailable` when it is no such folder, damaged, or its vectors are
   * of another model than was said, `index_busy`.
   */
  importStore(project: string, folder: string, options: ImportOptions): Promise<ImportReport>;
  /** Forget what was imported from a folder, which need not be there any more. @returns how many documents. */
  removeImported(project: string, folder: string, options: Pick<IngestOptions, 'signal'>): Promise<number>;
  /** Load a project's index ahead of the first question. */
  open(project: string): Promise<void>;
  /**
   * The passages that fit best. A query may hold conditions: `file:notes/*.md`, `dt>=2024-05`, `+"exact words"`,
   * `-"not this"`.
   */
  search(project: string, query: string, options: SearchOptions): Promise<readonly Hit[]>;
  answer(project: string, question: string, options: SearchOptions): Promise<ExtractiveAnswer>;
  /** Follow the project's folders, remembered ones too, until the signal fires. Does not look at what is there already. */
  watch(project: string, options: WatchOptions): Promise<void>;
  /** Every file the store knows, by path. */
  sources(project: string): Promise<readonly SourceInfo[]>;
  /** The embedding model that is set but may not see this project's documents; they are searched without it. */
  withheldFrom(project: string): string | undefined;
  /** Forget a project's index and what it knows of its files; the files stay. */
  forget(project: string): Promise<void>;
  /**
   * Let all threads end. Searches still running are answered; an ingest stops at its next file and its report says
   * aborted; what cannot be done any more rejects with AssistantError `index_unavailable`.
   */
  close(): Promise<void>;
}

/** Settings of this room. */
export interface RagOptions {
  readonly chunkWords: number;
  readonly maxFileMb: number;
  readonly parseTimeoutMs: number;
  readonly vectorIndex: 'auto' | 'exact' | 'hnsw';
  readonly rerank: 'none' | 'lexical' | 'model';
  /** How long a model may take to order passages, in ms. */
  readonly rerankTimeoutMs: number;
}
