import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import type { Cage } from '../../base/cage.ts';
import { AssistantError } from '../../base/errors.ts';
import { eachCaged, runCaged } from '../../net/cage.ts';
import { ReplyError } from '../failure.ts';
import type { ProviderFactory } from './provider.ts';

/**
 * Any other integration that LangChain knows, once its package is installed. Such packages bring their own HTTP client,
 * most without an option to replace it, so they run in a cage where the global `fetch` is the gateway's. A package that
 * opens sockets itself is refused unless MODEL_UNCHECKED_PROVIDERS names it.
 */
export function thirdPartyProvider(name: string): ProviderFactory {
  return async ({ model, temperature, maxTokens, apiKey, fetch, unchecked }) => {
    const open = () => openThirdParty(name, { model, temperature, maxTokens, apiKey });
    if (unchecked) return open();
    const cage = new ProviderCage(name, fetch);
    return new CagedChatModel(await runCaged(cage, open), cage);
  };
}

type ThirdPartyOptions = Readonly<Record<'model', string>> & Readonly<Record<string, unknown>>;

async function openThirdParty(name: string, options: ThirdPartyOptions): Promise<BaseChatModel> {
  const { getChatModelByClassName, MODEL_PROVIDER_CONFIG } = await import('langchain/chat_models/universal');
  const known: Readonly<Record<string, { readonly className: string } | undefined>> = MODEL_PROVIDER_CONFIG;
  const className = known[name]?.className;
  if (className === undefined) throw unknownProvider(name, Object.keys(known));
  const Model: (new (fields: object) => BaseChatModel) | undefined = await getChatModelByClassName(className, name);
  if (!Model) throw unknownProvider(name, Object.keys(known));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return new Model({ ...Object.fromEntries(given), maxRetries: 0 });
}

/** The cage around one model; it remembers what it refused. */
class ProviderCage implements Cage {
  readonly fetch: typeof fetch;
  readonly #provider: string;
  #refused: AssistantError | undefined;

  constructor(provider: string, fetch: Cage['fetch']) {
    this.#provider = provider;
    this.fetch = fetch;
  }

  refusal(): AssistantError {
    this.#refused ??= new AssistantError(
      'egress_refused',
      `The package of ${this.#provider} opens its own connections, which Wooster cannot check.`,
      { hint: `Set MODEL_UNCHECKED_PROVIDERS=${this.#provider} to let it connect anywhere, unchecked.` },
    );
    return this.#refused;
  }

  /** The refusal, whatever the package made of it: packages reword and swallow errors. */
  reason(error: unknown): unknown {
    return this.#refused ?? error;
  }
}

type Bound = Runnable<BaseLanguageModelInput, AIMessageChunk>;
/** A model, or one with its tools. */
type Inner = Bound & Pick<Partial<BaseChatModel>, 'bindTools'>;

/** A third-party model; everything it does happens in the cage. */
class CagedChatModel extends BaseChatModel {
  readonly #inner: Inner;
  readonly #cage: ProviderCage;

  constructor(inner: Inner, cage: ProviderCage) {
    super({});
    this.#inner = inner;
    this.#cage = cage;
  }

  override _llmType(): string {
    return 'caged';
  }

  override bindTools(tools: BindToolsInput[], options?: Partial<BaseChatModelCallOptions>): Bound {
    const bound = runCaged(this.#cage, () => this.#inner.bindTools?.(tools, options));
    if (!bound) throw new ReplyError('unforeseen', 'cannot call tools');
    return new CagedChatModel(bound, this.#cage);
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    try {
      const message = await runCaged(this.#cage, () => this.#inner.invoke(messages, { ...options, callbacks: [] }));
      return { generations: [{ text: message.text, message }] };
    } catch (error) {
      throw this.#cage.reason(error);
    }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): AsyncGenerator<ChatGenerationChunk> {
    try {
      const stream = await runCaged(this.#cage, () => this.#inner.stream(messages, { ...options, callbacks: [] }));
      for await (const message of eachCaged(this.#cage, stream)) {
        yield new ChatGenerationChunk({ text: message.text, message });
      }
    } catch (error) {
      throw this.#cage.reason(error);
    }
  }
}

function unknownProvider(name: string, known: readonly string[]): AssistantError {
  return new AssistantError('model_missing_package', `There is no provider called ${name}.`, {
    hint: `LangChain knows ${known.join(', ')}; others are added by plugins.`,
  });
}
