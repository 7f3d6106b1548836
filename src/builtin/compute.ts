import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples, type Taught, taught } from '../base/examples.ts';
import type { Reader } from './reply.ts';

/** What was worked out, to be said by the reply for its code. */
export interface Computed {
  readonly code: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * What is answered without any tool: sums, dates, the clock. Its examples name it as their tool, and stand in
 * `src/builtin/`.
 *
 * @returns undefined where nothing can be made of the input: the next best example is looked at.
 */
export type Computation = (input: Readonly<Record<string, unknown>>, reader: Reader) => Computed | undefined;

/** By name. `say` has nothing to work out: the reply is the answer. */
export const COMPUTATIONS: Readonly<Partial<Record<string, Computation>>> = {
  say: () => ({ code: '' }),
};

/** The examples that stand in this folder, by the name of their file: of computations, and of our own words. */
export function ownExamples(name = '*'): readonly Taught[] {
  const files = globSync(`${name}.examples.jsonl`, { cwd: import.meta.dirname }).toSorted();
  return files.flatMap((file) =>
    readExamples(readFileSync(join(import.meta.dirname, file), 'utf8'), file).flatMap((each) => taught(each)),
  );
}
