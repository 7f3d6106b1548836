import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { MessageCounter } from './tokens.ts';

/** Tokens reserved for the answer and for counting errors, where the window is large enough. */
const RESERVE_TOKENS = 11_000;
/** Share of the rest that a request may fill before it is compacted. */
const FILL = 0.8;

/** How many of the last messages stay as they are when the rest is summarised, where they fit. */
export const KEPT_MESSAGES = 10;

const MAX_SUMMARY_TOKENS = 1000;

/** Limits derived from the size of a model's context window, all in tokens. */
export interface Budgets {
  readonly window: number;
  /** Above this a request is compacted. */
  readonly threshold: number;
  /** The longest summary to ask for. */
  readonly summary: number;
}

export function budgetsFor(window: number): Budgets {
  return {
    window,
    threshold: Math.floor(FILL * (window - Math.min(RESERVE_TOKENS, window / 4))),
    summary: Math.min(MAX_SUMMARY_TOKENS, Math.floor(window / 8)),
  };
}

/**
 * Tokens available to the kept messages besides those that cannot be left out (`fixed`). Half the window at most, and
 * less where the result would be so close to the threshold that the next step would have to compact again.
 */
export function keepBudget(budgets: Budgets, fixed: number): number {
  const room = Math.floor(budgets.threshold * 0.85) - fixed - budgets.summary;
  return Math.max(0, Math.min(Math.floor(budgets.window / 2), room));
}

/**
 * Index of the first message to keep. Whole groups are kept from the end, up to `limit` messages and `budget` tokens;
 * the last group is kept even when it is larger.
 */
export function keptFrom(
  messages: readonly BaseMessage[],
  counter: MessageCounter,
  { budget, limit }: { budget: number; limit: number },
): number {
  const starts = groupStarts(messages);
  let from = starts.at(-1) ?? 0;
  let tokens = counter.all(messages.slice(from));
  for (const start of starts.toReversed().slice(1)) {
    tokens += counter.all(messages.slice(start, from));
    if (tokens > budget || messages.length - from >= limit) break;
    from = start;
  }
  return from;
}

/** Where the list may be cut: never between a reply with tool calls and its results, because servers reject that. */
function groupStarts(messages: readonly BaseMessage[]): number[] {
  return messages.flatMap((message, index) => (ToolMessage.isInstance(message) && index > 0 ? [] : [index]));
}

/** A reply with tool calls, or a tool's result. */
export function isToolStep(message: BaseMessage): boolean {
  return ToolMessage.isInstance(message) || (AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0);
}
