import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { Store } from '../store/store.ts';
import { isToolStep } from './window.ts';

/**
 * An assistant message that stands for the messages it summarises. It is told apart by its field, not by its text,
 * which a model could imitate.
 */
export class SummaryMessage extends AIMessage {
  readonly summary: string;

  constructor(summary: string) {
    super(`Summary of what came before:\n\n${summary}`);
    this.summary = summary;
  }
}

// LangChain's message classes redefine `instanceof`: for it, every AIMessage is an instance of a subclass too.
export function isSummary(message: BaseMessage): message is SummaryMessage {
  return 'summary' in message;
}

/** One round of compaction, as it is recorded. */
export interface Round {
  /** The messages that the summary replaces: the oldest ones, without gaps. */
  readonly covered: readonly BaseMessage[];
  readonly summary: SummaryMessage;
  /** Tokens of the request before and after. */
  readonly before: number;
  readonly after: number;
  readonly at: Date;
}

export interface RecordsDeps {
  readonly store: Store;
  readonly conversationId: string;
  readonly turnId: string;
  /** Sequence numbers of the rows that the turn's history messages were made from. */
  readonly rows: WeakMap<BaseMessage, number>;
}

/** The compaction rounds of one conversation in the store. */
export class CompactionRecords {
  readonly #deps: RecordsDeps;

  constructor(deps: RecordsDeps) {
    this.#deps = deps;
  }

  /** How many rounds there have been. */
  rounds(): number {
    const { store, conversationId } = this.#deps;
    const row = store.sql
      .prepare('SELECT coalesce(max(round), 0) AS round FROM compaction_events WHERE conversation_id = ?')
      .get(conversationId);
    return Number(row?.round ?? 0);
  }

  /** The summary of the last round. */
  latest(): string | undefined {
    return latestSummary(this.#deps.store, this.#deps.conversationId);
  }

  /**
   * Record the round and flag the rows it covers, in one transaction. Flagged rows stay in the store but are no longer
   * part of the history that models see.
   *
   * @returns the number of the round, from 1.
   */
  save(round: Round): number {
    const { store, conversationId } = this.#deps;
    return store.transaction(() => {
      const number = this.rounds() + 1;
      store.sql
        .prepare(
          `INSERT INTO compaction_events (conversation_id, round, tokens_before, tokens_after, summary, created_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(conversationId, number, round.before, round.after, round.summary.summary, round.at.toISOString());
      this.#flagHistory(round.covered);
      this.#flagSteps(round.covered);
      return number;
    });
  }

  /** Flag earlier turns up to their last covered message. */
  #flagHistory(covered: readonly BaseMessage[]): void {
    const { store, conversationId, turnId, rows } = this.#deps;
    const last = Math.max(0, ...covered.map((message) => rows.get(message) ?? 0));
    store.sql
      .prepare(
        `UPDATE messages SET compacted = 1
         WHERE conversation_id = ? AND compacted = 0 AND sequence <= ? AND turn_id IS NOT ?`,
      )
      .run(conversationId, last, turnId);
  }

  /** Flag this turn's steps. Covered messages are whole groups from the front, so it is as many rows from the front. */
  #flagSteps(covered: readonly BaseMessage[]): void {
    const { store, turnId } = this.#deps;
    store.sql
      .prepare(
        `UPDATE messages SET compacted = 1 WHERE id IN (
           SELECT id FROM messages WHERE turn_id = ? AND compacted = 0 AND kind IN ('tool_calls', 'tool_result')
           ORDER BY sequence LIMIT ?)`,
      )
      .run(turnId, covered.filter(isToolStep).length);
  }
}

/** The summary that opens a conversation's history, once there was a round. */
export function latestSummary(store: Store, conversationId: string): string | undefined {
  const row = store.sql
    .prepare('SELECT summary FROM compaction_events WHERE conversation_id = ? ORDER BY round DESC LIMIT 1')
    .get(conversationId);
  return typeof row?.summary === 'string' && row.summary !== '' ? row.summary : undefined;
}
