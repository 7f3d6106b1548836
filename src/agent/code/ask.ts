import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ModelChoice } from '../../models/types.ts';
import { isOverflow } from '../overflow.ts';
import type { EngineRun } from '../types.ts';

/** One model call, streamed so that an abort ends it at once: compacted before it, once more when it was too long. */
export async function ask(
  run: EngineRun,
  choice: ModelChoice,
  messages: readonly BaseMessage[],
  onText: (part: string) => void,
): Promise<AIMessageChunk> {
  const fitting = await run.compact(messages, choice);
  try {
    return await stream(run, choice, { messages: fitting, onText });
  } catch (error) {
    if (!isOverflow(error)) throw error;
    return stream(run, choice, { messages: await run.compact(fitting, choice, { force: true }), onText });
  }
}

async function stream(
  run: EngineRun,
  choice: ModelChoice,
  { messages, onText }: { messages: BaseMessage[]; onText: (part: string) => void },
): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await choice.model.stream(messages, { signal: run.context.signal })) {
    whole = whole?.concat(chunk) ?? chunk;
    onText(chunk.text);
  }
  run.context.signal.throwIfAborted();
  if (!whole) throw new Error('the model sent nothing');
  return whole;
}
