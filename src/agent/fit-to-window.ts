import { ContextOverflowError } from '@langchain/core/errors';
import type { BaseMessage } from '@langchain/core/messages';
import { AssistantError } from '../base/errors.ts';
import type { ModelChoice } from '../models/types.ts';
import type { EngineRun } from './types.ts';

/**
 * Compact the messages, then make one model call with them. If the server rejects the request as too long, compact
 * further and call once more.
 *
 * @param overheadTokens tokens of the request besides its messages, such as tool declarations.
 */
export async function callWithinWindow<Reply>(
  run: Pick<EngineRun, 'compact'>,
  request: { choice: ModelChoice; messages: readonly BaseMessage[]; overheadTokens?: number },
  call: (messages: BaseMessage[]) => Promise<Reply>,
): Promise<Reply> {
  const { choice, messages, overheadTokens = 0 } = request;
  const fitting = await run.compact(messages, choice, { overheadTokens });
  try {
    return await call(fitting);
  } catch (error) {
    if (!isOverflow(error)) throw error;
    return call(await run.compact(fitting, choice, { overheadTokens, force: true }));
  }
}

/** Whether the server said that the request does not fit the model's window. */
function isOverflow(error: unknown): boolean {
  if (ContextOverflowError.isInstance(error)) return true;
  if (error instanceof AssistantError) return error.code === 'context_overflow' || isOverflow(error.cause);
  return false;
}
