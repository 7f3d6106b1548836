import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAICompletions } from '@langchain/openai';
import { openAiFields } from './openai.ts';
import type { ProviderOptions } from './provider.ts';

type Piece = Parameters<ChatOpenAICompletions['_convertCompletionsDeltaToBaseMessageChunk']>;

/** Some servers omit the role in their chunks, and LangChain only reads tool calls from an assistant's. */
class CompatibleCompletions extends ChatOpenAICompletions {
  protected override _convertCompletionsDeltaToBaseMessageChunk(...[delta, raw, role = 'assistant']: Piece) {
    return super._convertCompletionsDeltaToBaseMessageChunk(delta, raw, role);
  }
}

export function openCompatible(options: ProviderOptions): BaseChatModel {
  return new CompatibleCompletions(openAiFields(options));
}
