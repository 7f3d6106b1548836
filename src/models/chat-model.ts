import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import type { ModelRequest, Models } from './types.ts';

interface RoutedCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/** What stays the same for every call; the signal comes with each call. */
export type ChatModelDefaults = Omit<ModelRequest, 'signal'>;

/**
 * The router as one lasting LangChain chat model: each call picks a model anew, with the retries, fallbacks, budgets
 * and usage records of any other call. For LangChain chains and agents that outlive one turn.
 *
 * @param defaults what the model is used for; its `profile` and `project` decide which model may answer.
 * @param lifetime ends running calls and refuses new ones.
 */
export function chatModel(
  models: Pick<Models, 'pick'>,
  defaults: ChatModelDefaults,
  lifetime: AbortSignal = new AbortController().signal,
): BaseChatModel<RoutedCallOptions> {
  return new RoutedChatModel(models, defaults, lifetime);
}

class RoutedChatModel extends BaseChatModel<RoutedCallOptions> {
  readonly #models: Pick<Models, 'pick'>;
  readonly #defaults: ChatModelDefaults;
  readonly #lifetime: AbortSignal;

  constructor(models: Pick<Models, 'pick'>, defaults: ChatModelDefaults, lifetime: AbortSignal) {
    super({});
    this.#models = models;
    this.#defaults = defaults;
    this.#lifetime = lifetime;
  }

  override _llmType(): string {
    return 'wooster';
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<RoutedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, RoutedCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const message = await (await this.#pick(options)).invoke(messages, withoutCallbacks(options));
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const message of await (await this.#pick(options)).stream(messages, withoutCallbacks(options))) {
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  async #pick({ signal, tools }: RoutedCallOptions): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>> {
    const request = { ...this.#defaults, signal: signal ? AbortSignal.any([signal, this.#lifetime]) : this.#lifetime };
    const { model } = await this.#models.pick(request);
    return tools && model.bindTools ? model.bindTools(tools) : model;
  }
}

/** The inner model must not report tokens to the same callbacks a second time. */
function withoutCallbacks({ tools: _tools, callbacks: _callbacks, ...rest }: RoutedCallOptions) {
  return { ...rest, callbacks: [] };
}
