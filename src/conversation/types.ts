import type { BaseMessage } from '@langchain/core/messages';
import type { ModelChoice } from '../models/types.ts';
import type { MessageKind, MessageRole } from '../store/schema.ts';

/** One saved step of a turn. `content` is plain text, or JSON for tool calls and tool results (see messages.ts). */
export interface Step {
  readonly role: MessageRole;
  readonly kind: MessageKind;
  readonly content: string;
}

/** A message of a conversation that somebody else keeps. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Value of `messages.compacted` for messages of undone turns; 1 means summarised. */
export const UNDONE = 2;

/** One conversation as an engine uses it, for one turn. Saves happen in the order of the calls. */
export interface Conversation {
  readonly id: string;
  /**
   * Earlier turns as a model should see them, oldest first, with the summary in front; without this turn's steps.
   * Both views have requests and answers, each once, and what the last turns called, with compact results: in the
   * form of the view for the last two, in words for those before and for turns of the other mode.
   *
   * @param lookBackTokens read only about this many tokens of it; absent: all.
   */
  history(view: 'classic' | 'code', lookBackTokens?: number): Promise<BaseMessage[]>;
  /** The request of this turn, with its attachments. */
  request(): Promise<string>;
  /** Save a step of the running turn; once the promise is fulfilled it is in the database. */
  append(step: Step): Promise<void>;
  /** Steps that this turn saved before the program was killed; empty for a new turn. */
  resumed(): Promise<readonly Step[]>;
  /** Ids of the tool calls made before the kill, including those that have been summarised since. */
  usedCallIds(): Promise<readonly string[]>;
  /** Save a value that a script stored; once the promise is fulfilled it is in the database. */
  store(key: string, value: unknown): Promise<void>;
  /** Values that this turn stored before the program was killed. */
  stored(): Promise<ReadonlyMap<string, unknown>>;
  /** What the previous turn stored with `complete({ data })`; undefined when nothing. */
  lastData(): Promise<unknown>;
  setLastData(value: unknown): Promise<void>;
}

export interface CompactOptions {
  /** Tokens of the request besides its messages, such as tool declarations. */
  readonly overheadTokens?: number;
  /** The server rejected the last request as too long: shorten it regardless of the count. */
  readonly force?: boolean;
}

/**
 * Make messages fit the model's context window before a call. Pass either the whole list as it has grown since the
 * turn started, or what the last call returned plus what came after it.
 *
 * @returns the messages to send; unchanged when they fit.
 */
export type Compact = (
  messages: readonly BaseMessage[],
  choice: ModelChoice,
  options?: CompactOptions,
) => Promise<BaseMessage[]>;
