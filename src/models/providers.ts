import { createRequire } from 'node:module';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AssistantError, messageOf } from '../base/errors.ts';
import { strangeProvider } from './strange-provider.ts';
import { acceptWholeReplies } from './whole-reply.ts';

/** What a provider needs to open one model. */
export interface ProviderOptions {
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Tokens that the model is taken to hold; servers that cut silently are told. */
  readonly contextWindow: number;
  /** The answer is one JSON value. */
  readonly jsonResponse?: boolean | undefined;
  /** Tells silence from progress and error pages from answers; use it for every request. */
  readonly fetch: typeof fetch;
  /** The person lets this provider's package open connections of its own. */
  readonly unchecked?: boolean | undefined;
  readonly now: () => Date;
}

/** Opens a chat model that tries each request once. */
export type ProviderFactory = (options: ProviderOptions) => Promise<BaseChatModel>;

/** Where requests go when no base URL is set; nothing for providers that need one or none. */
export const DEFAULT_URLS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
  ollama: 'http://127.0.0.1:11434',
};

/** Reasoning models of OpenAI answer 400 to any temperature. */
const FIXED_TEMPERATURE = /^(?:o\d|gpt-5)/u;

const ALIASES: Readonly<Record<string, string>> = {
  gemini: 'google',
  'google-genai': 'google',
  claude: 'anthropic',
  'openai-compatible': 'compatible',
  local: 'compatible',
  custom: 'compatible',
  lmstudio: 'compatible',
  llamacpp: 'compatible',
  vllm: 'compatible',
  mlx: 'compatible',
};

/** Package of a provider, for the install hint. */
const PACKAGES: Readonly<Record<string, string>> = {
  openai: '@langchain/openai',
  compatible: '@langchain/openai',
  anthropic: '@langchain/anthropic',
  google: '@langchain/google',
  ollama: '@langchain/ollama',
};

const RESOLVE = createRequire(import.meta.url).resolve;

/** A map of imports that are written out: bundlers can follow them, and nothing loads before it is used. */
const FACTORIES: Readonly<Record<string, ProviderFactory>> = {
  async openai(options) {
    const { ChatOpenAI } = await import('@langchain/openai');
    return new ChatOpenAI(openAiFields(options));
  },
  // Never ChatOpenAI here: it sends some model names to /responses, which such servers do not have.
  async compatible(options) {
    const { ChatOpenAICompletions } = await import('@langchain/openai');
    return new ChatOpenAICompletions(openAiFields({ ...options, apiKey: options.apiKey ?? 'none' }));
  },
  async anthropic(options) {
    const { ChatAnthropic } = await import('@langchain/anthropic');
    return new ChatAnthropic({
      ...common(options),
      ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
      ...(options.baseUrl === undefined ? {} : { anthropicApiUrl: options.baseUrl }),
      clientOptions: { fetch: acceptWholeReplies(options.fetch), maxRetries: 0, logLevel: 'off' },
    });
  },
  async ollama(options) {
    const { ChatOllama } = await import('@langchain/ollama');
    return new ChatOllama({
      ...defined({ temperature: options.temperature, numPredict: options.maxTokens }),
      // Its own default is 4096 tokens, and what does not fit is dropped without a word.
      numCtx: options.contextWindow,
      ...(options.jsonResponse ? { format: 'json' as const } : {}),
      model: options.model,
      baseUrl: options.baseUrl ?? 'http://127.0.0.1:11434',
      maxRetries: 0,
      fetch: options.fetch,
    });
  },
  async google(options) {
    const { openGoogle } = await import('./google.ts');
    return openGoogle(options);
  },
  async builtin({ now }) {
    const { BuiltinChatModel } = await import('./builtin/builtin-model.ts');
    return new BuiltinChatModel({ now });
  },
};

/** Every provider by name: ours, and those that plugins and users add. */
export class Providers {
  readonly #added = new Map<string, ProviderFactory>();

  /** Add a provider, or replace one of ours. Every other name is one that LangChain knows. */
  register(name: string, factory: ProviderFactory): void {
    this.#added.set(name.toLowerCase(), factory);
  }

  /** The package that a provider of ours would need, when it is not installed. */
  missingPackage(name: string): string | undefined {
    const wanted = this.#added.has(name.toLowerCase()) ? undefined : PACKAGES[providerId(name)];
    if (wanted === undefined) return undefined;
    try {
      RESOLVE(wanted);
      return undefined;
    } catch {
      return wanted;
    }
  }

  /** @throws AssistantError `model_missing_package` naming the package and how to install it. */
  async open(name: string, options: ProviderOptions): Promise<BaseChatModel> {
    const factory =
      this.#added.get(name.toLowerCase()) ?? FACTORIES[providerId(name)] ?? strangeProvider(providerId(name));
    try {
      return await factory(options);
    } catch (error) {
      throw isMissingModule(error) ? missingPackage(name, error) : error;
    }
  }
}

/** `gemini` is `google`, `lmstudio` is `compatible`, and so on. */
export function providerId(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES[lower] ?? lower;
}

function openAiFields(options: ProviderOptions) {
  return {
    ...common(FIXED_TEMPERATURE.test(options.model) ? { ...options, temperature: undefined } : options),
    apiKey: options.apiKey ?? 'none',
    streamUsage: true,
    configuration: {
      baseURL: options.baseUrl ?? DEFAULT_URLS.openai ?? '',
      fetch: acceptWholeReplies(options.fetch),
      maxRetries: 0,
      // It would write broken chunks to the terminal.
      logLevel: 'off' as const,
    },
    ...(options.jsonResponse ? { modelKwargs: { response_format: { type: 'json_object' } } } : {}),
  };
}

function common({ model, temperature, maxTokens }: ProviderOptions) {
  return { model, maxRetries: 0, ...defined({ temperature, maxTokens }) };
}

function defined<T extends Record<string, unknown>>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

function isMissingModule(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'ERR_MODULE_NOT_FOUND' ||
    code === 'MODULE_NOT_FOUND' ||
    /Unable to import|Please install/u.test(messageOf(error))
  );
}

function missingPackage(name: string, cause: unknown): AssistantError {
  const named = /Unable to import (@langchain\/[\w-]+)/u.exec(messageOf(cause))?.[1];
  const packageName = PACKAGES[providerId(name)] ?? named ?? `@langchain/${providerId(name)}`;
  return new AssistantError(
    'model_missing_package',
    `The provider ${name} needs the package ${packageName}, which is not installed.`,
    {
      hint: `Install it with: npm install ${packageName}`,
      cause,
    },
  );
}
