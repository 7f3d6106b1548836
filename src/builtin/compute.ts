import { join } from 'node:path';
import { type Taught, taughtIn } from '../base/examples.ts';
import type { Quantity } from '../quantities/quantity.ts';
import { CLOCK } from './compute/clock.ts';
import { DATES } from './compute/dates.ts';
import { MONEY } from './compute/money.ts';
import { SUMS } from './compute/sums.ts';
import { UNITS } from './compute/units.ts';
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

/** By name. `say` has nothing to work out: the reply is the answer; `beyond` says what we cannot do. */
export const COMPUTATIONS: Readonly<Partial<Record<string, Computation>>> = {
  say: () => ({ code: '' }),
  beyond: () => ({ code: '' }),
  ...SUMS,
  ...MONEY,
  ...UNITS,
  ...DATES,
  ...CLOCK,
};

/** The examples that stand in this folder: of computations, and of what the program's own words can do. */
export function ownExamples(): readonly Taught[] {
  own ??= taughtIn(import.meta.dirname);
  return own;
}

let own: readonly Taught[] | undefined;

/** The examples of the tools of the program, for whoever offers them without saying what people say for them. */
export function examplesOfTools(): readonly Taught[] {
  ofTools ??= taughtIn(join(import.meta.dirname, '../tools/builtin'));
  return ofTools;
}

let ofTools: readonly Taught[] | undefined;
