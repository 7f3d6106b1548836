import type { Position } from './compile/edits.ts';
import type { ScriptFailure, ScriptFailureReason } from './contract.ts';

const FRAME = /agent\.js:(\d+):(\d+)/u;
const MAX_CONTEXT_CHARS = 200;

/** What the guest says about an error: its text and its own stack. */
export interface GuestError {
  readonly text: string;
  readonly stack: string;
}

/** A failure with the place in the author's own text, where the stack has one. */
export function locateFailure(
  reason: ScriptFailureReason,
  error: GuestError,
  about: { readonly source: string; original(position: Position): Position },
): ScriptFailure {
  const found = FRAME.exec(error.stack) ?? FRAME.exec(error.text);
  const message = error.text.replace(/ \[agent\.js:\d+:\d+\]$/u, '');
  if (!found) return { reason, message };
  return failureAt(reason, message, about.original({ line: Number(found[1]), column: Number(found[2]) }), about.source);
}

export function failureAt(
  reason: ScriptFailureReason,
  message: string,
  position: Position,
  source: string,
): ScriptFailure {
  const line = source.split(/\r\n|[\r\n\u2028\u2029]/u)[position.line - 1]?.trim() ?? '';
  return { reason, message, ...position, context: line.slice(0, MAX_CONTEXT_CHARS) };
}
