import { beginning } from '../base/text.ts';
import type { Position } from './compile/edits.ts';
import type { ScriptFailure, ScriptFailureReason } from './contract.ts';

/** A stack frame of the script. */
const FRAME = /agent\.js:(\d+):(\d+)/u;
const MAX_CONTEXT_CHARS = 200;

/** An error as the isolate reports it. */
export interface GuestError {
  readonly text: string;
  readonly stack: string;
  readonly id?: string;
}

/** A failure with its place in the source that the author wrote, if the stack names one. */
export function locateFailure(
  reason: ScriptFailureReason,
  error: GuestError,
  about: { readonly source: string; original(position: Position): Position },
): ScriptFailure {
  const found = FRAME.exec(error.stack) ?? FRAME.exec(error.text);
  const message = error.text.replace(/ \[agent\.js:\d+:\d+\]$/u, '');
  const known = error.id === undefined ? {} : { id: error.id };
  if (!found) return { reason, message, ...known };
  const position = about.original({ line: Number(found[1]), column: Number(found[2]) });
  return { ...failureAt(reason, message, position, about.source), ...known };
}

/** A failure at a known place, with the source line there. */
export function failureAt(
  reason: ScriptFailureReason,
  message: string,
  position: Position,
  source: string,
): ScriptFailure {
  const line = source.split(/\r\n|[\r\n\u2028\u2029]/u)[position.line - 1]?.trim() ?? '';
  return { reason, message, ...position, context: beginning(line, MAX_CONTEXT_CHARS) };
}
