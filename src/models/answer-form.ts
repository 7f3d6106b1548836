import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { parseJson } from '../base/json.ts';
import { ReplyError } from './failure.ts';
import { providerOf } from './providers/list.ts';
import type { AnswerForm } from './providers/provider.ts';

/** The name of every answer form, so that it cannot be confused with a tool of the same name. */
export const ANSWER_TOOL = 'answer';

/** Whether the provider is sent the schema itself. */
export function isNative({ byTool }: AnswerForm, provider: string): boolean {
  return byTool !== true && providerOf(provider)?.structured === true;
}

/** A model that must call the one tool it has, with its answer as the input. */
export function forcedToAnswer(model: BaseChatModel, { schema }: AnswerForm) {
  if (!model.bindTools) throw new ReplyError('unforeseen', 'cannot call tools');
  const description = 'Give the answer. Call it once, with the whole answer.';
  const tool = { type: 'function' as const, function: { name: ANSWER_TOOL, description, parameters: schema } };
  return model.bindTools([tool], { tool_choice: ANSWER_TOOL });
}

/** The JSON value in a reply to a request with an `AnswerForm`; undefined if there is none. */
export function answerIn(reply: AIMessage | AIMessageChunk): unknown {
  const call = reply.tool_calls?.find(({ name }) => name === ANSWER_TOOL);
  if (call) return call.args;
  const text = reply.text.trim();
  return parseJson(/^```(?:json)?\s*([\s\S]*?)\s*```$/u.exec(text)?.[1] ?? text);
}
