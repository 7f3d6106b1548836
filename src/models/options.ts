import type { Budgets } from './budget.ts';
import type { RetryLimits } from './call.ts';
import type { LocalOptions } from './local/options.ts';

/** What the router may prefer. A value here, not only a type, so that the settings can list it. */
export const STRATEGIES = ['speed', 'quality', 'cost', 'privacy', 'availability'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** When models are held to the schemas of their tools. */
export const CONSTRAINED_CALLS = ['auto', 'always', 'never'] as const;
export type ConstrainedCalls = (typeof CONSTRAINED_CALLS)[number];

/** Who gets the pictures that come with a request; all others get the text in them. */
export const PICTURES_FOR = ['seeing', 'local', 'none'] as const;
export type PicturesFor = (typeof PICTURES_FOR)[number];

/** What the settings say about one provider; each provider has only some of these. */
export interface ProviderSettings {
  /** False leaves the provider out although it is set up. */
  readonly enabled?: boolean | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly embeddingModel?: string | undefined;
}

/** A local server for one kind of task. */
interface TierSettings {
  readonly url: string | undefined;
  readonly model: string | undefined;
}

/** `fast`, `thinking` or `provider:model` for each kind of task; undefined leaves it to the strategy. */
export interface RuleSettings {
  readonly codeAgent: string | undefined;
  readonly multiToolCall: string | undefined;
  readonly planning: string | undefined;
  readonly creative: string | undefined;
  readonly singleToolCall: string | undefined;
  readonly ragQuery: string | undefined;
  readonly factExtraction: string | undefined;
  readonly default: string | undefined;
}

/** What the settings say about models. Times in ms, money in USD. */
export interface ModelsOptions {
  /** `provider:model`, ahead of everything that is detected. */
  readonly use: string | undefined;
  /** More candidates, `provider:model` each. */
  readonly more: readonly string[];
  /** Providers whose packages may open their own connections, past the gateway. */
  readonly uncheckedProviders: readonly string[];
  /** By provider id. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly localServerUrl: string | undefined;
  readonly tiers: { readonly fast: TierSettings; readonly thinking: TierSettings };
  /** Look for a model server on this machine when nothing is configured. */
  readonly localEnabled: boolean;
  readonly localOnly: boolean;
  /** Models of our own process, and where those of the catalogue are fetched from. */
  readonly local: LocalOptions & { readonly hubUrl: string };
  readonly constrainedCalls: ConstrainedCalls;
  readonly pictures: PicturesFor;
  readonly strategy: Strategy;
  /** Off: every task gets the first configured model; the others are only used when it fails. */
  readonly routingEnabled: boolean;
  readonly rules: RuleSettings;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly codeMaxTokens: number;
  readonly codeModel: string | undefined;
  readonly toolsModel: string | undefined;
  readonly limits: RetryLimits;
  /** Cooldown of a model that failed, and the deadline for a server that is asked for its models. */
  readonly health: { readonly intervalMs: number; readonly timeoutMs: number };
  readonly logDecisions: boolean;
  readonly budget: Budgets;
  /** Hears recordings; nothing is sent anywhere without a model's name. */
  readonly transcription: {
    readonly model: string | undefined;
    readonly url: string | undefined;
    readonly apiKey: string | undefined;
    readonly usdPerMinute: number | undefined;
  };
  readonly mlxEmbeddings: { readonly enabled: boolean; readonly url: string; readonly model: string };
  /** Overrides the known window of every model, in tokens. */
  readonly contextWindowTokens?: number | undefined;
}
