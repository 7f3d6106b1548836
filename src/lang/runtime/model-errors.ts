import { AssistantError } from '../../base/errors.ts';
import { isTimeout } from '../../models/failure.ts';
import { ModelUnavailable, ThinkError, Timeout, TokenBudgetExceeded } from './errors.ts';

/** The failure of a model call as a `ThinkError`; any other error is returned unchanged. */
export function asThinkError(error: unknown, { model, ms }: { model?: string | undefined; ms: number }): unknown {
  if (error instanceof ThinkError || !(error instanceof AssistantError)) return error;
  if (error.code === 'context_overflow') return new TokenBudgetExceeded(error.message, { cause: error });
  if (isTimeout(error)) return new Timeout(error.message, Math.round(ms), error);
  return new ModelUnavailable(error.message, { model, code: error.code, hint: error.hint, cause: error });
}
