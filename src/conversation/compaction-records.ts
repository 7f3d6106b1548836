import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { Store } from '../store/store.ts';
import { isToolStep } from './window.ts';

/**
 * An assistant message that stands for the messages it summarises. It is recognised by its field, not by its text,
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
  async rounds(): Promise<number> {
    const { store, conversationId } = this.#deps;
    const row = await store.db
      .selectFrom('compaction_events')
      .select((eb) => eb.fn.max('round').as('round'))
      .where('conversation_id', '=', conversationId)
      .executeTakeFirst();
    return row?.round ?? 0;
  }

  /** The summary of the last round. */
  async latest(): Promise<string | undefined> {
    return latestSummary(this.#deps.store, this.#deps.conversationId);
  }

  /**
   * Record the round and flag the rows it covers, in one transaction. Flagged rows stay in the store but are no longer
   * part of the history that models see.
   *
   * @returns the number of the round, from 1.
   */
  async save(round: Round): Promise<number> {
    const { store, conversationId } = this.#deps;
    return store.transaction(async () => {
      const number = (await this.rounds()) + 1;
      await store.db
        .insertInto('compaction_events')
        .values({
          conversation_id: conversationId,
          round: number,
          tokens_before: round.before,
          tokens_after: round.after,
          summary: round.summary.summary,
          created_at: round.at.toISOString(),
        })
        .execute();
      await this.#flagHistory(round.covered);
      await this.#flagSteps(round.covered);
      return number;
    });
  }

  /** Flag earlier turns up to their last covered message. */
  async #flagHistory(covered: readonly BaseMessage[]): Promise<void> {
    const { store, conversationId, turnId, rows } = this.#deps;
    const last = Math.max(0, ...covered.map((message) => rows.get(message) ?? 0));
    await store.db
      .updateTable('messages')
      .set({ compacted: 1 })
      .where('conversation_id', '=', conversationId)
      .where('compacted', '=', 0)
      .where('sequence', '<=', last)
      .where('turn_id', 'is distinct from', turnId)
      .execute();
  }

  /** Flag this turn's steps. Covered messages are whole groups at the front, and so are their rows. */
  async #flagSteps(covered: readonly BaseMessage[]): Promise<void> {
    const { store, turnId } = this.#deps;
    const front = store.db
      .selectFrom('messages')
      .select('id')
      .where('turn_id', '=', turnId)
      .where('compacted', '=', 0)
      .where('kind', 'in', ['tool_calls', 'tool_result'])
      .orderBy('sequence')
      .limit(covered.filter(isToolStep).length);
    await store.db.updateTable('messages').set({ compacted: 1 }).where('id', 'in', front).execute();
  }
}

/** The summary that opens a conversation's history after the first round. */
export async function latestSummary(store: Store, conversationId: string): Promise<string | undefined> {
  const row = await store.read
    .selectFrom('compaction_events')
    .select('summary')
    .where('conversation_id', '=', conversationId)
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.summary || undefined;
}
