import type { Selectable } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { nearest, preview } from '../base/text.ts';
import type { ConversationRow, MessageRow, TurnRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { removeArtifacts } from '../tools/builtin/artifacts.ts';
import { effectsOf } from '../tools/gate/effect-ledger.ts';
import { recoverTurns } from './conversations.ts';

/** A conversation as lists show it. Times are ISO 8601. */
export interface ListedConversation {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly status: Selectable<ConversationRow>['status'];
  readonly turns: number;
  readonly updatedAt: string;
}

/** A message that a search found. */
export interface FoundMessage {
  readonly conversationId: string;
  readonly title: string;
  readonly role: string;
  /** The words around the match, with the match in `[` and `]`. */
  readonly excerpt: string;
  readonly at: string;
}

/** What `/undo` did. */
export interface UndoneTurn {
  /** The request of the turn that was undone. */
  readonly text: string;
  /** Effects that remain, such as a message that was sent or a note that was written. */
  readonly remains: readonly string[];
  /** The turn is also part of a summary, which still mentions it. */
  readonly summarised: boolean;
}

/** Value of `messages.compacted` for messages of undone turns; 1 means summarised. */
const UNDONE = 2;

/**
 * The conversations in the store, for the person who had them: list, search, rename, undo, branch, delete. Needs
 * nothing but the store, so commands that only look something up start at once.
 */
export class ConversationArchive {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date = () => new Date()) {
    this.#store = store;
    this.#now = now;
  }

  /** Newest first. Turns of killed processes are marked before, so that every status is true. */
  list(options: { project?: string | undefined; limit?: number } = {}): ListedConversation[] {
    recoverTurns(this.#store);
    const rows = this.#store.sql
      .prepare(
        `SELECT c.id, coalesce(c.title, '') AS title, c.project, c.status, c.updated_at AS updatedAt,
           (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id AND t.status <> 'undone') AS turns
         FROM conversations c WHERE ?1 IS NULL OR c.project = ?1 ORDER BY c.updated_at DESC, c.id DESC LIMIT ?2`,
      )
      .all(options.project ?? null, options.limit ?? 20);
    return rows as unknown as ListedConversation[];
  }

  /** @throws AssistantError `unknown_conversation` with the nearest id. */
  get(id: string): Selectable<ConversationRow> {
    const row = this.#store.sql.prepare('SELECT * FROM conversations WHERE id = ?').get(id);
    if (row) return row as unknown as Selectable<ConversationRow>;
    const guess = nearest(
      id,
      this.list({ limit: 1000 }).map((each) => each.id),
    );
    throw new AssistantError('unknown_conversation', `There is no conversation "${id}".`, {
      hint: guess ? `Did you mean "${guess}"?` : '"sessions" lists them.',
    });
  }

  /** Requests and answers, best match first. All words must occur; each matches from the start of a word. */
  search(words: string, limit = 20): FoundMessage[] {
    const query = words.match(/[\p{L}\p{N}]+/gu)?.map((word) => `"${word}"*`);
    if (!query) return [];
    return this.#store.sql
      .prepare(
        `SELECT m.conversation_id AS conversationId, coalesce(c.title, '') AS title, m.role, m.created_at AS at,
           snippet(messages_found, 0, '[', ']', '…', 16) AS excerpt
         FROM messages_found f JOIN messages m ON m.id = f.rowid JOIN conversations c ON c.id = m.conversation_id
         WHERE messages_found MATCH ? AND m.compacted <> ${UNDONE} ORDER BY rank LIMIT ?`,
      )
      .all(query.join(' '), limit) as unknown as FoundMessage[];
  }

  rename(id: string, title: string): void {
    this.get(id);
    this.#store.sql.prepare('UPDATE conversations SET title = ? WHERE id = ?').run(preview(title, 120), id);
  }

  /** Turns that a killed process left unfinished, newest first; only the last turn of a conversation counts. */
  interrupted(limit = 20): TurnRow[] {
    recoverTurns(this.#store);
    return this.#store.sql
      .prepare(
        `SELECT t.* FROM turns t WHERE t.status = 'interrupted' AND t.origin IN ('repl', 'cli') AND t.rowid =
           (SELECT max(rowid) FROM turns l WHERE l.conversation_id = t.conversation_id AND l.status <> 'undone')
         ORDER BY t.started_at DESC LIMIT ?`,
      )
      .all(limit) as unknown as TurnRow[];
  }

  /** The interrupted turn at the end of a conversation, if there is one. */
  interruptedIn(id: string): TurnRow | undefined {
    return this.interrupted(1000).find((turn) => turn.conversation_id === id);
  }

  /** All messages of a conversation in order, without those of undone turns. */
  messages(id: string): Selectable<MessageRow>[] {
    return this.#store.sql
      .prepare(`SELECT * FROM messages WHERE conversation_id = ? AND compacted <> ${UNDONE} ORDER BY sequence`)
      .all(id) as unknown as Selectable<MessageRow>[];
  }

  /** Hide the last turn from models; undefined when there is none. Nothing is deleted, no effect is reversed. */
  undo(id: string): UndoneTurn | undefined {
    this.get(id);
    return this.#store.transaction(() => {
      const turn = this.#lastTurn(id);
      if (!turn) return undefined;
      const remains = effectsOf(this.#store, turn.id).flatMap(({ tool, input, state }) => {
        const outcome = state === 'intent' ? ' (outcome unknown)' : '';
        return state === 'failed' ? [] : [`${tool} ${preview(input, 100)}${outcome}`];
      });
      const summarised = this.#wasSummarised(id, turn.started_at);
      this.#store.sql.prepare(`UPDATE messages SET compacted = ${UNDONE} WHERE turn_id = ?`).run(turn.id);
      this.#store.sql.prepare("UPDATE turns SET status = 'undone', owner = NULL WHERE id = ?").run(turn.id);
      this.#store.sql.prepare("UPDATE conversations SET status = 'completed', last_data = NULL WHERE id = ?").run(id);
      return { text: turn.text, remains, summarised };
    });
  }

  /** Copy a conversation, with its messages, summaries and labels. @returns the id of the copy. */
  branch(id: string): string {
    const from = this.get(id);
    const to = newId('conv', this.#now());
    this.#store.transaction(() => {
      this.#store.sql
        .prepare(
          `INSERT INTO conversations (id, title, project, status, read_untrusted, read_private, label_sources,
             last_data, created_at, updated_at)
           SELECT ?, ?, project, 'completed', read_untrusted, read_private, label_sources, last_data, created_at, ?
           FROM conversations WHERE id = ?`,
        )
        .run(to, preview(`${from.title ?? from.id} (branch)`, 120), this.#now().toISOString(), id);
      this.#copyInto(to, id);
    });
    return to;
  }

  /** Delete a conversation with its messages, summaries and artifacts. Receipts, effects and usage stay on record. */
  remove(id: string): void {
    this.get(id);
    this.#store.transaction(() => {
      removeArtifacts(this.#store, id);
      this.#store.sql.prepare('DELETE FROM conversations WHERE id = ?').run(id);
    });
  }

  /** Turn ids are unique in the store, so the copy's turns get its id as a prefix. */
  #copyInto(to: string, id: string): void {
    const { sql } = this.#store;
    sql
      .prepare(
        `INSERT INTO turns (id, conversation_id, mode, origin, text, status, owner, started_at, finished_at)
         SELECT ?1 || '.' || id, ?1, mode, origin, text, CASE status WHEN 'running' THEN 'aborted' ELSE status END,
           NULL, started_at, finished_at
         FROM turns WHERE conversation_id = ?2 ORDER BY rowid`,
      )
      .run(to, id);
    sql
      .prepare(
        `INSERT INTO messages (conversation_id, turn_id, sequence, role, kind, content, token_count, compacted,
           created_at)
         SELECT ?1, ?1 || '.' || turn_id, sequence, role, kind, content, token_count, compacted, created_at
         FROM messages WHERE conversation_id = ?2 ORDER BY sequence`,
      )
      .run(to, id);
    sql
      .prepare(
        `INSERT INTO compaction_events (conversation_id, round, tokens_before, tokens_after, summary, created_at)
         SELECT ?, round, tokens_before, tokens_after, summary, created_at
         FROM compaction_events WHERE conversation_id = ?`,
      )
      .run(to, id);
  }

  #lastTurn(id: string): TurnRow | undefined {
    return this.#store.sql
      .prepare(
        `SELECT * FROM turns WHERE conversation_id = ? AND status NOT IN ('undone', 'running')
         ORDER BY rowid DESC LIMIT 1`,
      )
      .get(id) as TurnRow | undefined;
  }

  #wasSummarised(id: string, since: string): boolean {
    const found = this.#store.sql
      .prepare('SELECT 1 FROM compaction_events WHERE conversation_id = ? AND created_at >= ?')
      .get(id, since);
    return found !== undefined;
  }
}
