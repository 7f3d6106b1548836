/** Where a passage stands. Lines and pages count from 1. */
export interface Locator {
  /** Path as shown to the person, `/`-separated, under the ingested folder. */
  readonly file: string;
  readonly heading: readonly string[];
  readonly pages?: readonly [number, number];
  readonly lines?: readonly [number, number];
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
}

export interface SearchOptions {
  readonly k: number;
  /** Earlier questions of the conversation, oldest first, to resolve "and its author?". */
  readonly history?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly file: string;
}

export interface IngestReport {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly empty: readonly string[];
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
  readonly failed: readonly { readonly file: string; readonly why: string }[];
  readonly missing: readonly string[];
  readonly chunks: number;
}

/** An answer made of the documents' own sentences, without a model. */
export interface ExtractiveAnswer {
  /** Empty when nothing fits. */
  readonly answer: string;
  readonly passages: readonly { readonly text: string; readonly citation: string; readonly score: number }[];
}

/** The documents of all projects. */
export interface Documents {
  ingest(
    project: string,
    paths: readonly string[],
    options: { readonly onProgress?: (progress: IngestProgress) => void; readonly signal: AbortSignal },
  ): Promise<IngestReport>;
  search(project: string, query: string, options: SearchOptions): Promise<readonly Hit[]>;
  answer(project: string, question: string, options: SearchOptions): Promise<ExtractiveAnswer>;
  close(): Promise<void>;
}
