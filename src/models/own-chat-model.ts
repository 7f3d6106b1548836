import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';

export interface OwnCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/** A chat model that is not a client of LangChain's: its tools come with each request. */
export abstract class OwnChatModel<
  Parts,
  Options extends OwnCallOptions = OwnCallOptions,
> extends BaseChatModel<Options> {
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    super({});
    this.parts = parts;
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<Options>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, Options> {
    return this.withConfig({ ...options, tools } as Partial<Options>);
  }
}
