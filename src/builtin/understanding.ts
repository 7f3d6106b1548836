import type { Action, Intent, UserRequest } from './request.ts';
import type { Meaning } from './understand.ts';

/** A request with what it was understood as: all of its slots, and the example. */
export interface Understanding extends UserRequest {
  readonly meaning: Meaning;
  /** What the request before this one was understood as. */
  before(): Meaning | undefined;
  /** The calls that it came to. */
  doneBefore(): readonly Action[];
  /** A call of a tool, told by what its examples say of the result. */
  call(tool: string, input: Action['input']): Action;
}

/**
 * What an example may ask for that is more than one call with its gaps filled: several calls, or one whose result is
 * said by what was asked. Its examples stand in this folder, or beside the tool.
 *
 * @returns undefined where nothing can be made of it: the next best example is looked at.
 */
export type Handler = (input: Readonly<Record<string, unknown>>, request: Understanding) => Intent | undefined;
