import type { Store } from '../../store/store.ts';
import type { Places } from '../places.ts';
import type { Parsed, SeenPage } from '../read/parsed.ts';
import type { IngestProgress, RagOptions } from '../types.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The line on which the bytes begin, when they are a later part of the file. */
  readonly from?: number | undefined;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly pages: readonly number[];
}

/** Reads files, in production in a child process. May throw anything once the signal fires. */
export interface FileReader {
  /** @throws Unreadable */
  read(bytes: Uint8Array, path: string, options: ReadOptions): Promise<Parsed>;
  /** Some of the pages that are pictures. @throws Unreadable */
  look(bytes: Uint8Array, path: string, options: LookOptions): Promise<readonly SeenPage[]>;
  /** Let go of what reading pictures takes. */
  rest(): Promise<void>;
}

export interface IngestDeps {
  readonly store: Store;
  readonly options: RagOptions;
  readonly reader: FileReader;
}

export interface IngestRequest {
  readonly project: string;
  readonly places: Places;
  /** The project's own folder, which always belongs to its documents. */
  readonly folder: string;
  /** Absolute files, folders, globs. Empty: everything the project knows. */
  readonly paths: readonly string[];
  /** Folders and globs outside the project's folder that belong to it. */
  readonly attached: readonly string[];
  /** Those of them that only the project's configuration names, which others may have written. */
  readonly named?: readonly string[];
  /** Look at the project's own folder only. */
  readonly ownOnly?: boolean;
  /** Copy what was imported into this project, since it cannot be read again. */
  readonly importedOf?: string;
  readonly rebuild?: boolean;
}

export interface IngestContext {
  readonly signal: AbortSignal;
  readonly progress: (progress: IngestProgress) => void;
}
