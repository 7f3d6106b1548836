import { AssistantError, messageOf } from '../base/errors.ts';
import { crashText } from '../base/secret-variables.ts';
import type { TurnEvent } from '../base/turn.ts';
import { writeFailure } from '../store/write-failure.ts';

/** Any error as a frontend shows it: message and hint, without stack trace or secrets from the environment. */
export function errorEvent(thrown: unknown): TurnEvent & { type: 'error' } {
  const error = writeFailure(thrown) ?? thrown;
  if (error instanceof AssistantError) {
    return { type: 'error', code: error.code, message: crashText(error.message), hint: crashText(error.hint) };
  }
  const message = `Internal error: ${crashText(messageOf(error))}`;
  return { type: 'error', code: 'internal', message, hint: 'Details are in logs/; please report it.' };
}

/** The exit code of an error: 2 for wrong usage, 1 otherwise. */
export function exitCodeOfError(error: unknown): number {
  return error instanceof AssistantError && (error.code === 'bad_usage' || error.code === 'unknown_command') ? 2 : 1;
}
