import { join } from 'node:path';
import { type Taught, taughtIn } from '../base/examples.ts';
import type { Computation } from './computation.ts';
import { CLOCK } from './compute/clock.ts';
import { DATES } from './compute/dates.ts';
import { MONEY } from './compute/money.ts';
import { SUMS } from './compute/sums.ts';
import { UNITS } from './compute/units.ts';

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
