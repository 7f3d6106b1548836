import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ModelsOptions, ProviderSettings } from '../options.ts';

/** Everything Wooster knows about one provider. To add one, write such an object and list it in `list.ts`. */
export interface Provider {
  /** The part before the colon in `provider:model`. */
  readonly id: string;
  /** Other names for `id`, lower case. */
  readonly aliases?: readonly string[];
  /** Its name in docs. */
  readonly label: string;
  /** npm package that holds its client; undefined when none is needed. */
  readonly package?: string;
  /** Which settings it has. The settings table, config files and docs are made from these, in this order. */
  readonly settings: Readonly<Partial<Record<keyof ProviderSettings, SettingText>>>;
  /** Variable of the key without which no request can succeed. */
  readonly needsKey?: string;
  /** Variable of the address without which no request can succeed. */
  readonly needsUrl?: string;
  /** Where requests go when no address is set. */
  readonly defaultUrl?: string;
  /** Asked when no model is named; undefined: the server is asked which models it has. */
  readonly defaultModel?: string;
  /** The model runs inside this process, so nothing ever leaves the machine. */
  readonly inProcess?: boolean;
  /** The model runs on this machine without a server of somebody else, so nothing ever leaves it. */
  readonly onMachine?: boolean;
  /** Tokens of the conversation that its models use, if that is far less than their window. */
  readonly looksBackTokens?: number;
  /** Takes the JSON Schema of an answer with the request; others get one tool that they must call. */
  readonly structured?: boolean;
  /** How its servers can hold a model to the schema of a call, mildest first; absent: calls are not checked here. */
  readonly constraints?: readonly Constraint[];
  /** Another provider whose name its models also answer to: `openai:qwen3` finds `compatible:qwen3`. */
  readonly standsInFor?: string;
  /** What the settings set up. Left out: a provider is set up as soon as its key is set. */
  detect?(settings: ProviderSettings): DetectedEndpoint | undefined;
  /** The address for a model named without a provider section of its own, from settings of other kinds. */
  urlFrom?(options: ModelsOptions): string | undefined;
  /** Requests that may reveal a model's context window, tried in order until one does. */
  windowQuestions?(baseUrl: string, model: string): readonly WindowQuestion[];
  /** The address that lists a server's models; undefined when it cannot be asked. */
  modelsUrl?(baseUrl: string): string;
  /** Facts about its well-known models; the first matching row wins, so longer names come first. */
  readonly models?: readonly ModelRow[];
  readonly embeddings?: EmbeddingsSupport;
  /** Models from `open` keep no state or callbacks of a request, so they can be reused. */
  readonly lasting?: boolean;
  /** Left out: it lives above this room, and the program hands it over. */
  readonly open?: ProviderFactory;
}

/**
 * A way to hold a model to the schemas of its tools: `strict` on every tool, `strict-closed` only where OpenAI takes
 * it,
 * `union` a reply that is JSON, with the tools told of in words.
 */
export type Constraint = 'strict' | 'strict-closed' | 'union';

/** One setting of a provider, as `settings/` describes it; see `Setting` there. */
export interface SettingText {
  readonly key: string;
  readonly env: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly without: string;
}

/** What `detect` found; `detect.ts` completes it. */
export interface DetectedEndpoint {
  /** The provider's own id unless given. */
  readonly provider?: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey?: string | undefined;
  /** The variable that set it up. */
  readonly source: string;
}

/** A request whose answer may contain a model's context window. */
export interface WindowQuestion {
  readonly url: string;
  /** The body, sent as JSON; absent: no body. */
  readonly body?: unknown;
  read(answer: unknown): number | undefined;
}

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input tokens that the provider had cached; the full input price unless given. */
  readonly cachedInput?: number | undefined;
}

/** One row of the catalogue: window in tokens, quality and speed from 1 to 5, prices in USD per million tokens. */
export type ModelRow = readonly [
  name: RegExp,
  contextWindow: number,
  quality: number,
  speed: number,
  prices?: readonly [input: number, cachedInput: number, output: number],
];

/** How a provider embeds documents. */
export interface EmbeddingsSupport {
  /** Undefined unless an embedding model is set: a key alone must never send documents anywhere. */
  target(options: ModelsOptions): EmbeddingTarget | undefined;
  open(target: EmbeddingTarget, fetch: typeof globalThis.fetch): Promise<EmbeddingsInterface>;
}

export interface EmbeddingTarget {
  /** Part of the name that is stored with each vector: changing it makes old vectors useless. */
  readonly provider: string;
  readonly model: string;
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** The form of an answer that is one JSON value. */
export interface AnswerForm {
  /** Of the type, for the model: letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON Schema of an object: no provider takes a list or a number at the top. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Ask by a tool although the provider takes schemas: its server refused one. */
  readonly byTool?: boolean;
}

/** What a provider needs to open one model. */
export interface ProviderOptions {
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Tokens the model is assumed to hold; needed by servers that otherwise truncate silently. */
  readonly contextWindow: number;
  /** The answer is one JSON value. */
  readonly jsonResponse?: boolean | undefined;
  /** The answer is one JSON value of this form; set for providers that are `structured`. */
  readonly answer?: AnswerForm | undefined;
  /** Use it for every request: it enforces deadlines, size limits and the network policy. */
  readonly fetch: typeof fetch;
  /** Called by a model that is not reached by `fetch` whenever it has done something. */
  readonly onActivity?: (() => void) | undefined;
  /** The person lets this provider's package open its own connections. */
  readonly unchecked?: boolean | undefined;
  readonly now: () => Date;
  /** The owner's IANA zone. */
  readonly timeZone: string;
}

/** Opens a chat model that tries each request once: retries happen above it, in `Call`. */
export type ProviderFactory = (options: ProviderOptions) => Promise<BaseChatModel>;
