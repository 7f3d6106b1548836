import type { Selectable } from 'kysely';
import { isAlive, processIdentity } from '../base/process-identity.ts';
import { preview } from '../base/text.ts';
import type { Answer, StopReason, Turn } from '../base/turn.ts';
import type { ConversationRow as ConversationTable, TurnRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { Labels } from '../tools/gate/labels.ts';
import { insertStep, OpenConversation } from './open-conversation.ts';
import type { Step } from './types.ts';

export type ConversationRow = Selectable<ConversationTable>;

const TITLE_CHARS = 60;

/** How many of the person's requests the gate may look back at. */
const MAX_SAID = 200;

/** Starts and finishes turns in the store. Each is owned by the process that runs it. */
export class Conversations {
  readonly #store: Store;
  readonly #owner = processIdentity();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Start a turn, and its conversation if that is new. An interrupted turn with the same id is continued where it
   * stopped.
   */
  begin(turn: Turn, now: () => Date): OpenConversation {
    const continued = this.#store.transaction(() => {
      const at = now().toISOString();
      this.#ensureConversation(turn, at);
      return this.#turn(turn.id) ? this.#continueTurn(turn) : this.#startTurn(turn, at);
    });
    return new OpenConversation({ store: this.#store, turn, now, continued });
  }

  /** A conversation as it stands, without starting a turn; `turn` only names it. */
  look(turn: Turn, now: () => Date): OpenConversation {
    return new OpenConversation({ store: this.#store, turn, now, continued: false });
  }

  /** Save the answer, the end of the turn and the conversation's status in one transaction. */
  finish(turn: Turn, answer: Pick<Answer, 'text' | 'stop'>, now: Date): void {
    const at = now.toISOString();
    this.#store.transaction(() => {
      if (answer.text !== '') {
        const step: Step = { role: 'assistant', kind: 'answer', content: answer.text };
        insertStep(this.#store, { step, conversationId: turn.conversationId, turnId: turn.id, at });
      }
      this.#store.sql
        .prepare('UPDATE turns SET status = ?, owner = NULL, finished_at = ? WHERE id = ?')
        .run(answer.stop, at, turn.id);
      this.#store.sql.prepare('DELETE FROM turn_memory WHERE turn_id = ?').run(turn.id);
      this.#setStatus(turn.conversationId, statusAfter(answer.stop), at);
    });
  }

  /** What kinds of text the conversation has read. A change is saved before a model sees the text that caused it. */
  labels(conversationId: string): Labels {
    const row = this.find(conversationId);
    const start = {
      untrusted: row?.read_untrusted === 1,
      private: row?.read_private === 1,
      sources: JSON.parse(row?.label_sources ?? '[]') as string[],
    };
    return new Labels(start, (labels) => {
      this.#store.sql
        .prepare('UPDATE conversations SET read_untrusted = ?, read_private = ?, label_sources = ? WHERE id = ?')
        .run(Number(labels.untrusted), Number(labels.private), JSON.stringify(labels.sources), conversationId);
    });
  }

  /** The requests made in a conversation, oldest first; the newest 200 at most. */
  said(conversationId: string): string[] {
    const rows = this.#store.sql
      .prepare('SELECT text FROM turns WHERE conversation_id = ? ORDER BY started_at DESC, rowid DESC LIMIT ?')
      .all(conversationId, MAX_SAID);
    return rows.map((row) => String(row.text)).reverse();
  }

  find(id: string): ConversationRow | undefined {
    return this.#store.sql.prepare('SELECT * FROM conversations WHERE id = ?').get(id) as ConversationRow | undefined;
  }

  #ensureConversation(turn: Turn, at: string): void {
    this.#store.sql
      .prepare(
        `INSERT INTO conversations (id, title, project, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = 'active', updated_at = excluded.updated_at,
           title = coalesce(title, excluded.title)`,
      )
      .run(turn.conversationId, preview(turn.text, TITLE_CHARS), turn.project, at, at);
  }

  #turn(id: string): TurnRow | undefined {
    return this.#store.sql.prepare('SELECT * FROM turns WHERE id = ?').get(id) as TurnRow | undefined;
  }

  #startTurn(turn: Turn, at: string): false {
    this.#store.sql
      .prepare(
        `INSERT INTO turns (id, conversation_id, mode, origin, text, status, owner, started_at)
         VALUES (?, ?, ?, ?, ?, 'running', ?, ?)`,
      )
      .run(turn.id, turn.conversationId, turn.mode, turn.origin, turn.text, this.#owner, at);
    const step: Step = { role: 'user', kind: 'text', content: turn.text };
    insertStep(this.#store, { step, conversationId: turn.conversationId, turnId: turn.id, at });
    return false;
  }

  #continueTurn(turn: Turn): true {
    this.#store.sql
      .prepare("UPDATE turns SET status = 'running', owner = ?, finished_at = NULL WHERE id = ?")
      .run(this.#owner, turn.id);
    return true;
  }

  #setStatus(id: string, status: ConversationRow['status'], at: string): void {
    this.#store.sql.prepare('UPDATE conversations SET status = ?, updated_at = ? WHERE id = ?').run(status, at, id);
  }
}

function statusAfter(stop: StopReason): ConversationRow['status'] {
  if (stop === 'answered') return 'completed';
  return stop === 'aborted' ? 'interrupted' : 'failed';
}

/**
 * Mark running turns whose process is gone as `interrupted`, and their conversations with them.
 *
 * @returns those turns, oldest first.
 */
export function recoverTurns(store: Store): TurnRow[] {
  return store.transaction(() => {
    const running = store.sql
      .prepare("SELECT * FROM turns WHERE status = 'running' ORDER BY started_at")
      .all() as unknown as TurnRow[];
    const lost = running.filter((turn) => !isAlive(turn.owner));
    for (const { id, conversation_id } of lost) {
      store.sql.prepare("UPDATE turns SET status = 'interrupted', owner = NULL WHERE id = ?").run(id);
      store.sql.prepare("UPDATE conversations SET status = 'interrupted' WHERE id = ?").run(conversation_id);
    }
    return lost;
  });
}
