import type { Strategy } from './strategies.ts';

/** What the settings say about models. Times in ms, money in USD. */
export interface ModelsOptions {
  /** `provider:model`, before everything that is detected. */
  readonly use: string | undefined;
  /** More candidates, `provider:model` each. */
  readonly more: readonly string[];
  /** Providers whose packages may open connections of their own, past the gateway. */
  readonly uncheckedProviders: readonly string[];
  readonly openaiApiKey: string | undefined;
  readonly openaiBaseUrl: string | undefined;
  readonly openaiModelName: string | undefined;
  readonly openaiEnabled: boolean;
  readonly anthropicApiKey: string | undefined;
  readonly anthropicBaseUrl: string | undefined;
  readonly anthropicModelName: string | undefined;
  readonly geminiApiKey: string | undefined;
  readonly geminiBaseUrl: string | undefined;
  readonly geminiModelName: string | undefined;
  readonly ollamaBaseUrl: string | undefined;
  readonly ollamaModelName: string | undefined;
  readonly localServerUrl: string | undefined;
  readonly fastUrl: string | undefined;
  readonly fastModel: string | undefined;
  readonly thinkingUrl: string | undefined;
  readonly thinkingModel: string | undefined;
  readonly localEnabled: boolean;
  readonly localOnly: boolean;
  readonly strategy: Strategy;
  /** Off: every task gets the first model that is set up, the others only when it fails. */
  readonly routingEnabled: boolean;
  /** `fast`, `thinking` or `provider:model` for one kind of task each; undefined: what `rules.ts` takes as usual. */
  readonly ruleCodeAgent: string | undefined;
  readonly ruleMultiTool: string | undefined;
  readonly rulePlanning: string | undefined;
  readonly ruleCreative: string | undefined;
  readonly ruleSingleTool: string | undefined;
  readonly ruleRagQuery: string | undefined;
  readonly ruleFactExtraction: string | undefined;
  readonly ruleDefault: string | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly codeMaxTokens: number;
  readonly codeModel: string | undefined;
  readonly toolsModel: string | undefined;
  readonly timeoutMs: number;
  readonly firstTokenTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxRetryWaitMs: number;
  readonly healthIntervalMs: number;
  readonly healthTimeoutMs: number;
  readonly logDecisions: boolean;
  readonly budgetTurnUsd: number | undefined;
  readonly budgetDayUsd: number | undefined;
  readonly budgetMonthUsd: number | undefined;
  readonly budgetAction: 'warn' | 'cheaper' | 'stop';
  readonly openaiEmbeddingModel: string | undefined;
  readonly ollamaEmbeddingModel: string | undefined;
  readonly mlxEmbeddingsEnabled: boolean;
  readonly mlxEmbeddingsUrl: string;
  readonly mlxEmbeddingsModel: string;
  /** Overrides the known window of every model, in tokens. */
  readonly contextWindowTokens?: number | undefined;
}
