import type { Position } from './edits.ts';

/** What a script may call and import. */
export interface CompileWorld {
  /** Global functions whose result the script waits for. */
  readonly functions: ReadonlySet<string>;
  /** Keys of `tools`. */
  readonly tools: ReadonlySet<string>;
  readonly modules: readonly string[];
}

/** A script that is ready to run, or why it cannot be. */
export type Compiled =
  | {
      readonly ok: true;
      /** An expression whose value is `async (hidden) => …`; compile it with line offset -1. */
      readonly code: string;
      readonly imports: readonly string[];
      /** Traces a position in `code`, not counting its first line, back to the author's text. */
      original(position: Position): Position;
    }
  | { readonly ok: false; readonly message: string; readonly position?: Position };
