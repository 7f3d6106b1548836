import { ContextOverflowError } from '@langchain/core/errors';
import { AssistantError } from '../base/errors.ts';

/** The server's way of saying that a request does not fit the model's window. */
export function isOverflow(error: unknown): boolean {
  if (ContextOverflowError.isInstance(error)) return true;
  if (error instanceof AssistantError) return error.code === 'context_overflow' || isOverflow(error.cause);
  return false;
}
