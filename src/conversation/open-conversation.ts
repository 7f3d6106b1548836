import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { Selectable } from 'kysely';
import type { Redactor } from '../base/redact.ts';
import type { Turn } from '../base/turn.ts';
import type { MessageRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { CompactionRecords, latestSummary, SummaryMessage } from './compaction-records.ts';
import { callsOf, toMessage } from './messages.ts';
import { estimateTokens } from './tokens.ts';
import type { Conversation, Step } from './types.ts';

/** How many turns back code mode still sees the scripts. */
const CODE_TURNS = 2;

/** More than any model's window holds: keeps a years-long conversation from filling memory. */
const MAX_HISTORY_TOKENS = 1_000_000;

/** Many servers insist on alternating roles, so a request that was stopped or failed gets this as its answer. */
const NO_ANSWER = '(This request was not answered.)';

const WORDS = new Set(['text', 'answer']);

/** The sequence number of the row that a message was made from; compaction flags rows by it. */
export type RowOf = WeakMap<BaseMessage, number>;

export interface OpenConversationDeps {
  readonly store: Store;
  readonly turn: Turn;
  readonly now: () => Date;
  /** The turn was started by a process that no longer runs. */
  readonly continued: boolean;
}

type HistoryRow = Pick<Selectable<MessageRow>, 'sequence' | 'turn_id' | 'role' | 'kind' | 'content' | 'token_count'>;

/** One conversation as one running turn sees it. Every change is committed when the call returns. */
export class OpenConversation implements Conversation {
  readonly id: string;
  /** Rows of the messages that `history` returned. Keyed by message, so it ends with the turn that holds them. */
  readonly rows: RowOf = new WeakMap();
  readonly #deps: OpenConversationDeps;

  constructor(deps: OpenConversationDeps) {
    this.id = deps.turn.conversationId;
    this.#deps = deps;
  }

  history(view: 'classic' | 'code'): BaseMessage[] {
    const rows = this.#activeRows(view);
    const withCode = view === 'code' ? new Set(lastTurns(rows, CODE_TURNS)) : new Set<string>();
    const shown = rows.filter((row) => WORDS.has(row.kind) || withCode.has(row.turn_id ?? ''));
    const messages = shown.flatMap((row, index) => {
      const lonely = row.kind === 'text' && (shown[index + 1]?.kind ?? 'text') === 'text';
      return [toMessage(row), ...(lonely ? [new AIMessage(NO_ANSWER)] : [])].map((message) => {
        this.rows.set(message, row.sequence);
        return message;
      });
    });
    const summary = latestSummary(this.#deps.store, this.id);
    return summary === undefined ? messages : [new SummaryMessage(summary), ...messages];
  }

  append(step: Step): void {
    const { store, turn, now } = this.#deps;
    const row = { step, conversationId: this.id, turnId: turn.id, at: now().toISOString() };
    // The effect ledger waits for the disk when something was done; a step in between need not.
    store.relaxed(() => insertStep(store, row));
  }

  resumed(): readonly Step[] {
    const { store, turn, continued } = this.#deps;
    if (!continued) return [];
    return store.sql
      .prepare(
        `SELECT role, kind, content FROM messages
         WHERE turn_id = ? AND compacted = 0 AND kind NOT IN ('text', 'answer') ORDER BY sequence`,
      )
      .all(turn.id) as unknown as Step[];
  }

  usedCallIds(): readonly string[] {
    const { store, turn, continued } = this.#deps;
    if (!continued) return [];
    const rows = store.sql
      .prepare("SELECT content FROM messages WHERE turn_id = ? AND kind = 'tool_calls'")
      .all(turn.id);
    return rows.flatMap((row) => callsOf(String(row.content)).calls.map((call) => call.id));
  }

  store(key: string, value: unknown): void {
    const { store, turn } = this.#deps;
    const json = JSON.stringify(value) ?? 'null';
    store.relaxed(() =>
      store.sql
        .prepare('INSERT INTO turn_memory VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
        .run(turn.id, key, json),
    );
  }

  stored(): ReadonlyMap<string, unknown> {
    const { store, turn, continued } = this.#deps;
    if (!continued) return new Map();
    const rows = store.sql.prepare('SELECT key, value FROM turn_memory WHERE turn_id = ?').all(turn.id);
    return new Map(rows.map((row) => [String(row.key), JSON.parse(String(row.value))]));
  }

  lastData(): unknown {
    const row = this.#deps.store.sql.prepare('SELECT last_data FROM conversations WHERE id = ?').get(this.id);
    return typeof row?.last_data === 'string' ? JSON.parse(row.last_data) : undefined;
  }

  setLastData(value: unknown): void {
    const json = value === undefined ? null : JSON.stringify(value);
    this.#deps.store.sql.prepare('UPDATE conversations SET last_data = ? WHERE id = ?').run(json, this.id);
  }

  /** The rounds of this conversation, for the turn's compactor. */
  compactions(): CompactionRecords {
    const { store, turn } = this.#deps;
    return new CompactionRecords({ store, conversationId: this.id, turnId: turn.id, rows: this.rows });
  }

  /** Reads from the newest back and stops at what a model could take, so that a long history costs nothing. */
  #activeRows(view: 'classic' | 'code'): HistoryRow[] {
    const kinds = view === 'code' ? "('text', 'answer', 'code')" : "('text', 'answer')";
    const statement = this.#deps.store.sql.prepare(
      `SELECT sequence, turn_id, role, kind, content, token_count FROM messages
       WHERE conversation_id = ? AND compacted = 0 AND kind IN ${kinds} AND turn_id IS NOT ? ORDER BY sequence DESC`,
    );
    const rows: HistoryRow[] = [];
    let tokens = 0;
    for (const row of statement.iterate(this.id, this.#deps.turn.id) as Iterable<unknown>) {
      const next = row as HistoryRow;
      tokens += next.token_count;
      if (tokens > MAX_HISTORY_TOKENS) break;
      rows.push(next);
    }
    return rows.reverse();
  }
}

/** Insert a message with its conversation's next number, in one statement: no reader sees a gap or a duplicate. */
export function insertStep(
  store: Store,
  row: { step: Step; conversationId: string; turnId: string | null; at: string },
): void {
  const { step, conversationId, turnId, at } = row;
  store.sql
    .prepare(
      `INSERT INTO messages (conversation_id, turn_id, sequence, role, kind, content, token_count, created_at)
       SELECT ?, ?, coalesce(max(sequence), 0) + 1, ?, ?, ?, ?, ? FROM messages WHERE conversation_id = ?`,
    )
    .run(conversationId, turnId, step.role, step.kind, step.content, estimateTokens(step.content), at, conversationId);
}

function lastTurns(rows: readonly HistoryRow[], count: number): string[] {
  return [...new Set(rows.map((row) => row.turn_id ?? ''))].slice(-count);
}

/** The same conversation, but no secret is written to it: what a model says may quote one. */
export function redactedConversation(conversation: Conversation, redactor: Redactor): Conversation {
  return {
    id: conversation.id,
    history: (view) => conversation.history(view),
    append: (step) => conversation.append({ ...step, content: cleanContent(step, redactor) }),
    resumed: () => conversation.resumed(),
    usedCallIds: () => conversation.usedCallIds(),
    store: (key, value) => conversation.store(key, redactor.redactValue(value)),
    stored: () => conversation.stored(),
    lastData: () => conversation.lastData(),
    setLastData: (value) => conversation.setLastData(redactor.redactValue(value)),
  };
}

/** Tool calls and results are JSON: redacting their text could break it, so their values are redacted. */
function cleanContent({ kind, content }: Step, redactor: Redactor): string {
  if (kind !== 'tool_calls' && kind !== 'tool_result') return redactor.redact(content);
  return JSON.stringify(redactor.redactValue(JSON.parse(content)));
}
