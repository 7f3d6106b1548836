import type { Quantity } from '../quantities/quantity.ts';
import type { Reader } from './reply.ts';

/** What "that" means behind an answer. */
export interface Came {
  readonly amount?: Quantity;
  /** What the amount is less than what it is a part of. */
  readonly rest?: Quantity;
  readonly day?: Date;
}

/** What was worked out, to be said by the reply for its code. */
export interface Computed {
  readonly code: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly came?: Came;
}

/** Who asks, and what was answered before. */
export interface Asker extends Reader {
  /** What the owner has told of themselves. */
  readonly facts?: readonly string[] | undefined;
  /** What the request before this one came to, worked out anew, or what its answer says. */
  readonly before: () => Came;
}

/**
 * What is answered without any tool: sums, dates, the clock. Its examples name it as their tool, and stand in
 * `src/builtin/`.
 *
 * @returns undefined where nothing can be made of the input: the next best example is looked at.
 */
export type Computation = (input: Readonly<Record<string, unknown>>, asker: Asker) => Computed | undefined;
