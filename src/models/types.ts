import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Mode, Usage } from '../base/turn.ts';

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
  readonly purpose: 'turn' | 'llm' | 'compaction';
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly jsonResponse?: boolean | undefined;
  readonly signal: AbortSignal;
  /** A call is waiting before it is tried again; partial tokens shown so far must be discarded. */
  readonly onRetry?: (retry: { reason: string; waitMs: number }) => void;
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
}

export interface Models {
  /** @throws AssistantError `local_only`, `budget_reached`, `model_unreachable`, `model_missing_package`. */
  pick(request: ModelRequest): Promise<ModelChoice>;
  /** Every candidate in the order in which it would be tried now. */
  candidates(): Promise<readonly CandidateStatus[]>;
  close(): Promise<void>;
}
