import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Mode, Usage } from '../base/turn.ts';
import type { Price } from './catalog.ts';
import type { HealthReport } from './health.ts';
import type { ProviderFactory } from './providers.ts';
import type { UsageGroup, UsageSum } from './usage-book.ts';

export const TASK_PROFILES = [
  'TOOL_EXECUTION',
  'CODE_ASSISTANCE',
  'COMPLEX_REASONING',
  'CREATIVE_WRITING',
  'BACKGROUND_TASK',
  'RAG_PROCESSING',
] as const;
export type TaskProfile = (typeof TASK_PROFILES)[number];

/** What a turn needs a model for; also says whom its cost is booked to. */
export interface ModelRequest {
  readonly profile: TaskProfile;
  readonly mode: Mode;
  readonly project: string;
  readonly turnId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly jobId?: string | undefined;
  /** What this job may cost in all, in USD. */
  readonly jobBudgetUsd?: number | undefined;
  readonly purpose: 'turn' | 'llm' | 'compaction' | 'rerank';
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly jsonResponse?: boolean | undefined;
  /** The request names several things to do, one after the other. */
  readonly severalSteps?: boolean | undefined;
  readonly signal: AbortSignal;
  /** A call is waiting before it is tried again; partial tokens shown so far must be discarded. */
  readonly onRetry?: (retry: { reason: string; waitMs: number }) => void;
  /** Something the person should know although the call goes on, like a budget that is used up. */
  readonly onNotice?: (text: string) => void;
  readonly onUsage?: (usage: Usage & { readonly model: string }) => void;
}

/**
 * A model, chosen. `model` is a LangChain chat model that already retries, falls over to the next candidate, counts
 * usage and enforces deadlines: callers only invoke or stream it.
 */
export interface ModelChoice {
  readonly model: BaseChatModel;
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  /** One line per consideration, for `/routing why`. */
  readonly why: readonly string[];
}

export interface CandidateStatus {
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  readonly state: 'ready' | 'down' | 'not_configured' | 'missing_package' | 'unknown';
  readonly detail: string;
  /** The variable that set it up, or how it was found. */
  readonly source: string;
  readonly health: HealthReport;
  readonly price: Price | undefined;
  readonly contextWindow: number;
}

export interface Models {
  /** @throws AssistantError `local_only`, `budget_reached`, `model_unreachable`, `model_missing_package`. */
  pick(request: ModelRequest): Promise<ModelChoice>;
  /** Every candidate in the order in which it would be tried now. */
  candidates(): Promise<readonly CandidateStatus[]>;
  close(): Promise<void>;
}

/** The whole of the room: what commands and plugins use beside `pick`. */
export interface ModelControl extends Models {
  /** Add a provider under a name; `name:model` then works wherever a model is named. */
  registerProvider(name: string, factory: ProviderFactory): void;
  registerPricing(model: string, price: Price): void;
  /**
   * Ask this model first from now on, until the program ends.
   *
   * @param name `model` or `provider:model`; undefined gives the choice back to the router.
   * @throws AssistantError `bad_usage` for a provider that is not set up.
   */
  select(name: string | undefined): Promise<void>;
  /** The reasons of the newest decision. */
  why(): readonly string[];
  usage(group: UsageGroup, since?: Date): readonly UsageSum[];
  /** What the budgets say now; empty without budgets. */
  budgets(): readonly BudgetState[];
  /** Neural embeddings, only where an embedding model was configured; a key alone sends no document anywhere. */
  embedding(): EmbeddingsChoice | undefined;
  /** Nothing of the project may leave this machine, as its wooster.config.json or the settings say. */
  isLocalOnly(project: string): boolean;
}

export interface BudgetState {
  readonly what: string;
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/** Embeddings, chosen; the same `name` means vectors that can be compared. */
export interface EmbeddingsChoice {
  readonly embeddings: EmbeddingsInterface;
  readonly name: string;
  readonly local: boolean;
  /** False for a project whose documents may not leave the machine while the model is elsewhere. */
  allows(project: string): boolean;
}
