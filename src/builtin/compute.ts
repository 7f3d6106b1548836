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
export type Computation = (input: Readonly<Record<string, unknown>>, asked: Asked) => Computed | undefined;

/** Where a computation is asked for. */
export interface Asked extends Reader {
  /** What the owner has told about themselves, as far as the prompt says it. */
  readonly facts?: readonly string[] | undefined;
  /** What the request before this one was understood as: what "that" and "and in pounds?" mean. */
  before(): Before | undefined;
}

/** An earlier request: the tool or computation that it named, its input, and what was worked out. */
export interface Before {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly computed?: Computed | undefined;
}

/** By name. `say` has nothing to work out: the reply is the answer; `beyond` says what we cannot do. */
export const COMPUTATIONS: Readonly<Partial<Record<string, Computation>>> = {
  say: () => ({ code: '' }),
  beyond: () => ({ code: '' }),
};

/** The examples that stand in this folder: of computations, and of what the program's own words can do. */
export function ownExamples(): readonly Taught[] {
  const files = globSync('*.examples.jsonl', { cwd: import.meta.dirname }).toSorted();
  return files.flatMap((file) =>
    readExamples(readFileSync(join(import.meta.dirname, file), 'utf8'), file).flatMap((each) => taught(each)),
  );
}
