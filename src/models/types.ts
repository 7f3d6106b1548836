import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Mode, Usage } from '../base/turn.ts';
import type { BudgetState } from './budget.ts';
import type { CallRecord, CallSource } from './constrained/call-records.ts';
import type { HealthReport } from './health.ts';
import type { AnswerForm, Price, ProviderFactory } from './providers/provider.ts';
import type { ModeUsage, TurnCost, UsageGroup, UsageSum } from './usage-table.ts';

export const TASK_PROFILES = [
  'TOOL_EXECUTION',
  'CODE_ASSISTANCE',
  'COMPLEX_REASONING',
  'CREATIVE_WRITING',
  'BACKGROUND_TASK',
  'RAG_PROCESSING',
] as const;
export type TaskProfile = (typeof TASK_PROFILES)[number];

/** What a call is for, as the usage table groups it; from `think` on, calls of programs. */
export type Purpose =
  | 'turn'
  | 'llm'
  | 'compaction'
  | 'rerank'
  | 'fields'
  | 'think'
  | 'infer'
  | 'reason'
  | 'agent'
  | 'map_think'
  | 'reduce_think'
  | 'semantic_assert';

/** What a model call says of itself, for models of ours: providers' clients pass no option on that they do not know. */
export interface CallPurpose {
  readonly purpose?: Purpose;
  /** A scheduled job asks: nobody waits for the answer. */
  readonly due?: boolean;
}

/** What a model is needed for; also says whom its cost is charged to. */
export interface ModelRequest {
  readonly profile: TaskProfile;
  readonly mode: Mode;
  readonly project: string;
  readonly turnId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly jobId?: string | undefined;
  /** What this job may cost in total, in USD. */
  readonly jobBudgetUsd?: number | undefined;
  readonly purpose: Purpose;
  /** `model` or `provider:model`, asked before any other. */
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly jsonResponse?: boolean | undefined;
  /** The answer is one JSON value of this form; `answerIn` reads it from the reply. */
  readonly answer?: AnswerForm | undefined;
  /** The request names several things to do, one after the other. */
  readonly severalSteps?: boolean | undefined;
  readonly signal: AbortSignal;
  /** A call will be retried after a wait; tokens shown so far must be discarded. */
  readonly onRetry?: (retry: { reason: string; waitMs: number }) => void;
  /** Something the person should know although the call continues, such as a budget that is used up. */
  readonly onNotice?: (text: string) => void;
  readonly onUsage?: (usage: Usage & { readonly model: string }) => void;
}

/**
 * A chosen model. `model` is an ordinary LangChain `BaseChatModel` that already retries, falls back to the next
 * candidate, counts usage and enforces deadlines: callers only invoke or stream it. It belongs to one request and stops
 * with that request's signal, so do not keep it.
 */
export interface ModelChoice {
  readonly model: BaseChatModel;
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens of the conversation that it uses; absent: as many as its window holds. */
  readonly looksBackTokens?: number | undefined;
  /** A small model, or one that is no better: shorter instructions work better for it. */
  readonly small?: boolean;
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
  /** Saves the usage that is not saved yet, so it comes before the store is closed. */
  close(): Promise<void>;
}

/** All of `models/`: what commands and plugins use besides `pick`. */
export interface ModelControl extends Models {
  /** Add a provider under a name; `name:model` then works wherever a model is named. */
  registerProvider(name: string, factory: ProviderFactory): void;
  registerPricing(model: string, price: Price): void;
  /**
   * Prefer this model until the program ends.
   *
   * @param name `model` or `provider:model`; undefined hands the choice back to the router.
   * @throws AssistantError `bad_usage` for a provider that is not set up.
   */
  select(name: string | undefined): Promise<void>;
  /** Why the most recently used model was chosen. */
  why(): readonly string[];
  usage(group: UsageGroup, since?: Date): Promise<readonly UsageSum[]>;
  /** Turns, tokens and latency per model and mode, most turns first. */
  usageByMode(since?: Date): Promise<readonly ModeUsage[]>;
  /** What the calls of one turn took. */
  costOf(turnId: string): Promise<TurnCost>;
  /** How models have kept to the form of calls, by model. */
  calls(): Promise<readonly (CallSource & CallRecord)[]>;
  /** The budgets of the day and month, and what is spent of each; empty without budgets. */
  budgets(): Promise<readonly BudgetState[]>;
  /** The configured embedding model, if any; an API key alone never sends documents anywhere. */
  embedding(): EmbeddingsChoice | undefined;
  /** The configured service that hears recordings, if any; an API key alone never sends one anywhere. */
  transcription(): Transcriber | undefined;
  /** Nothing of the project may leave this machine, by its wooster.config.json or the settings. */
  isLocalOnly(project: string): boolean;
}

/** Something that was spoken, and whom its cost is charged to. */
export interface Recording {
  readonly bytes: Uint8Array;
  /** A file name; services tell the format by its ending. */
  readonly name: string;
  readonly project: string;
  readonly turnId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly signal: AbortSignal;
}

/** What was understood; it may be wrong. */
export interface Heard {
  readonly text: string;
}

/** Writes down what is spoken. */
export interface Transcriber {
  readonly name: string;
  /** @throws AssistantError `local_only`, `budget_reached`, `model_unreachable`, `model_rejected`. */
  hear(recording: Recording): Promise<Heard>;
}

/** A chosen embedding model. Vectors are comparable only under the same `name`. */
export interface EmbeddingsChoice {
  readonly embeddings: EmbeddingsInterface;
  readonly name: string;
  readonly local: boolean;
  /** False when the model is elsewhere and the project's documents may not leave this machine. */
  allows(project: string): boolean;
}
