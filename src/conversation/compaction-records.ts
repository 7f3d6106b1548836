import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { Store } from '../store/store.ts';
import { isToolStep } from './window.ts';

/** Messages that stand for others; kept apart from their text, which a model might imitate. */
const SUMMARIES = new WeakSet<BaseMessage>();

export function summaryMessage(summary: string): AIMessage {
  const message = new AIMessage(`Summary of what came before:\n\n${summary}`);
  SUMMARIES.add(message);
  return message;
}

export function isSummary(message: BaseMessage): boolean {
  return SUMMARIES.has(message);
}

const HEADING = /^Summary of what came before:\n\n/u;

export interface Round {
  readonly covered: readonly BaseMessage[];
  readonly summary: BaseMessage;
  /** Tokens. */
  readonly before: number;
  readonly after: number;
  readonly at: Date;
}

export interface RecordsDeps {
  readonly store: Store;
  readonly conversationId: string;
  readonly turnId: string;
  /** The rows that history messages came from. */
  readonly rows: WeakMap<BaseMessage, number>;
}

/** The rounds of one conversation in the store. */
export class CompactionRecords {
  readonly #deps: RecordsDeps;

  constructor(deps: RecordsDeps) {
    this.#deps = deps;
  }

  rounds(): number {
    const { store, conversationId } = this.#deps;
    const row = store.sql
      .prepare('SELECT coalesce(max(round), 0) AS round FROM compaction_events WHERE conversation_id = ?')
      .get(conversationId);
    return Number(row?.round ?? 0);
  }

  latest(): string | undefined {
    return latestSummary(this.#deps.store, this.#deps.conversationId);
  }

  /** Event, flags and summary in one transaction. Flagged rows stay in the store; history leaves them out. @returns the round's number. */
  save(round: Round): number {
    const { store, conversationId } = this.#deps;
    return store.transaction(() => {
      const number = this.rounds() + 1;
      const summary = round.summary.text.replace(HEADING, '');
      store.sql
        .prepare(
          `INSERT INTO compaction_events (conversation_id, round, tokens_before, tokens_after, summary, created_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(conversationId, number, round.before, round.after, summary, round.at.toISOString());
      this.#flagHistory(round.covered);
      this.#flagSteps(round.covered);
      return number;
    });
  }

  /** Everything up to the last covered message of earlier turns. */
  #flagHistory(covered: readonly BaseMessage[]): void {
    const { store, conversationId, turnId, rows } = this.#deps;
    const last = Math.max(0, ...covered.map((message) => rows.get(message) ?? 0));
    store.sql
      .prepare(
        'UPDATE messages SET compacted = 1 WHERE conversation_id = ? AND compacted = 0 AND sequence <= ? AND turn_id IS NOT ?',
      )
      .run(conversationId, last, turnId);
  }

  /** This turn's steps: covered messages are whole groups from the front, so as many rows from the front. */
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

export function latestSummary(store: Store, conversationId: string): string | undefined {
  const row = store.sql
    .prepare('SELECT summary FROM compaction_events WHERE conversation_id = ? ORDER BY round DESC LIMIT 1')
    .get(conversationId);
  return typeof row?.summary === 'string' && row.summary !== '' ? row.summary : undefined;
}
