import type { BaseMessage } from '@langchain/core/messages';
import type { ModelChoice } from '../models/types.ts';
import type { MessageKind, MessageRole } from '../store/schema.ts';

/** One saved step of a turn. `content` is plain text, or JSON for tool calls and tool results (see messages.ts). */
export interface Step {
  readonly role: MessageRole;
  readonly kind: MessageKind;
  readonly content: string;
}

/** The stored side of one conversation, as an engine needs it. */
export interface Conversation {
  readonly id: string;
  /**
   * Earlier turns as a model should see them, summary included, oldest first; this turn's steps are not in it.
   * Both views have the answers; `code` also has the code of the last two turns.
   */
  history(view: 'classic' | 'code'): BaseMessage[];
  /** Save a step of the running turn; on return it is in the database. */
  append(step: Step): void;
  /** Steps that this turn had saved before the program was killed; empty for a fresh turn. */
  resumed(): readonly Step[];
  /** Ids of tool calls that this turn has used before the kill, summarised ones included. */
  usedCallIds(): readonly string[];
  /** Write down what a script stored; on return it is in the database. */
  store(key: string, value: unknown): void;
  /** What this turn had stored before the program was killed. */
  stored(): ReadonlyMap<string, unknown>;
  /** `complete({ data })` of the previous turn. */
  lastData(): unknown;
  setLastData(value: unknown): void;
}

export interface CompactOptions {
  /** Tokens that the request carries besides its messages, such as declarations of tools. */
  readonly overheadTokens?: number;
  /** The server said that the last request was too long: shorten whatever the count says. */
  readonly force?: boolean;
}

/**
 * Brings messages under the model's window before a call; the same array when nothing has to be done. Hand in either
 * the whole list as it has grown since the turn began, or what this function returned plus what came after it.
 */
export type Compact = (
  messages: readonly BaseMessage[],
  choice: ModelChoice,
  options?: CompactOptions,
) => Promise<BaseMessage[]>;
