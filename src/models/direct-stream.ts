import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { type Runnable, RunnableBinding } from '@langchain/core/runnables';

/** A chat model, and the options that were bound to it. */
interface Unwrapped {
  readonly chat: BaseChatModel;
  readonly options: object;
}

/**
 * The reply of a model of ours piece by piece, without the callbacks, traces and two web streams that LangChain puts
 * around it: the model in front of it has all of these already.
 *
 * @param model  keeps no callbacks, cache or other settings that `stream` would look at.
 */
export async function* directStream(
  model: Runnable<BaseLanguageModelInput, AIMessageChunk>,
  messages: BaseMessage[],
  given: { readonly signal?: AbortSignal },
): AsyncGenerator<AIMessageChunk> {
  const { chat, options } = unwrapped(model);
  for await (const { message, generationInfo } of chat._streamResponseChunks(messages, { ...options, ...given })) {
    given.signal?.throwIfAborted();
    message.response_metadata = { ...generationInfo, ...message.response_metadata };
    yield message as AIMessageChunk;
  }
}

/** @throws TypeError when it is no chat model. */
function unwrapped(model: object): Unwrapped {
  if (model instanceof BaseChatModel) return { chat: model, options: {} };
  if (!(model instanceof RunnableBinding)) throw new TypeError('only a chat model is streamed directly');
  const { chat, options } = unwrapped(model.bound);
  return { chat, options: { ...options, ...model.kwargs, ...model.config } };
}
