import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { MessageCounter } from './tokens.ts';

/** Room that is kept for the answer and for what the count misses, where the window is large enough. */
const RESERVE_TOKENS = 11_000;
const FILL = 0.8;

/** Messages that stay as they are when the rest is summarised, where they fit. */
export const KEPT_MESSAGES = 10;

const MAX_SUMMARY_TOKENS = 1000;

/** The budgets that follow from a model's window; all in tokens. */
export interface Budgets {
  readonly window: number;
  /** Above this a request is compacted. */
  readonly threshold: number;
  /** Longest summary. */
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
 * What the kept messages may take, given what cannot be left out (`fixed`): half the window, less where the request
 * would come out so close to the threshold that the next step had to compact again.
 */
export function keepBudget(budgets: Budgets, fixed: number): number {
  const room = Math.floor(budgets.threshold * 0.85) - fixed - budgets.summary;
  return Math.max(0, Math.min(Math.floor(budgets.window / 2), room));
}

/**
 * Where the kept end of `messages` begins: whole groups from the end, at most `limit` messages where a group allows
 * it, within `budget` tokens. The last group stays even when it is too large.
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

/** Indexes at which the list may be cut: never between a reply with tool calls and its results. */
export function groupStarts(messages: readonly BaseMessage[]): number[] {
  return messages.flatMap((message, index) => (ToolMessage.isInstance(message) && index > 0 ? [] : [index]));
}

export function isToolStep(message: BaseMessage): boolean {
  return ToolMessage.isInstance(message) || (AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0);
}
