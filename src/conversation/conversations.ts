import type { Selectable } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import { once } from '../base/once.ts';
import { processIdentity } from '../base/process-identity.ts';
import { preview } from '../base/text.ts';
import { type Answer, type Origin, type Provenance, requestOf, type StopReason, type Turn } from '../base/turn.ts';
import { isIn } from '../store/portable.ts';
import type { ConversationRow as ConversationTable, TurnRow as TurnTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { goneOwners } from '../store/workers.ts';
import { Labels, mergeSources } from '../tools/gate/labels.ts';
import { insertStep } from './insert-step.ts';
import type { OpenConversation, OpenConversationDeps } from './open-conversation.ts';
import type { Step } from './types.ts';

export type ConversationRow = Selectable<ConversationTable>;
export type TurnRow = Selectable<TurnTable>;

const TITLE_CHARS = 60;

/** How many of the person's past requests the gate may consult. */
const MAX_SAID = 200;
/** Where a person speaks, who is the owner. */
const SPOKEN: readonly Origin[] = ['repl', 'cli', 'chat', 'http', 'editor', 'embed'];

/** Starts and finishes turns in the store. Each is owned by the process that runs it. */
export class Conversations {
  readonly #store: Store;
  readonly #owner = processIdentity();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Start a turn, and its conversation if that is new. An interrupted turn with the same id is continued where it
   * stopped. This need not reach the disk at once: every effect of the turn waits for it to.
   */
  async begin(turn: Turn, now: () => Date): Promise<OpenConversation> {
    const at = now().toISOString();
    const continued = await this.#store.relaxed(async () => {
      await this.#ensureConversation(turn, at);
      if (await this.#continueTurn(turn)) return true;
      await this.#startTurn(turn, at);
      return false;
    });
    return opened({ store: this.#store, turn, now, continued });
  }

  /** A conversation as it stands, without starting a turn; `turn` only names it. */
  look(turn: Turn, now: () => Date): Promise<OpenConversation> {
    return opened({ store: this.#store, turn, now, continued: false });
  }

  /** The turn at the end of a conversation, if it reached its limit or was killed, and so can go on. */
  async unfinished(conversationId: string): Promise<TurnRow | undefined> {
    const turns = this.#store.read.selectFrom('turns').selectAll().where('conversation_id', '=', conversationId);
    const last = await turns.where('status', '<>', 'undone').orderBy('seq', 'desc').limit(1).executeTakeFirst();
    return last?.status === 'step_limit' || last?.status === 'interrupted' ? last : undefined;
  }

  /** The ids of the turns of its conversation before this one, the newest first. */
  async turnsBefore({ id, conversationId }: Pick<Turn, 'id' | 'conversationId'>, most: number): Promise<string[]> {
    const turns = this.#store.read.selectFrom('turns').select('id').where('conversation_id', '=', conversationId);
    const rows = await turns.where('id', '<>', id).orderBy('seq', 'desc').limit(most).execute();
    return rows.map((row) => row.id);
  }

  /**
   * Save the answer, the end of the turn and the conversation's status in one transaction. The answer is safe from a
   * kill at once, from a power cut a moment later.
   *
   * @throws AssistantError `bad_usage` when another program has continued the turn because this one seemed gone (it may
   *   have slept). Then the other program's answer counts.
   */
  async finish(turn: Turn, answer: Pick<Answer, 'text' | 'stop'>, now: Date): Promise<void> {
    const at = now.toISOString();
    await this.#store.relaxed(async () => {
      await this.#mustBeOurs(turn.id);
      if (answer.text !== '') {
        const step: Step = { role: 'assistant', kind: 'answer', content: answer.text };
        await insertStep(this.#store, { step, conversationId: turn.conversationId, turnId: turn.id, at });
      }
      const { db } = this.#store;
      const end = { status: answer.stop, owner: null, finished_at: at } as const;
      await db.updateTable('turns').set(end).where('id', '=', turn.id).execute();
      await db.deleteFrom('turn_memory').where('turn_id', '=', turn.id).execute();
      const after = { status: statusAfter(answer.stop), updated_at: at };
      await db.updateTable('conversations').set(after).where('id', '=', turn.conversationId).execute();
    });
  }

  /** A turn that was marked as interrupted but not continued can still be finished. */
  async #mustBeOurs(turnId: string): Promise<void> {
    const turns = this.#store.db.selectFrom('turns').select(['owner', 'status']).where('id', '=', turnId);
    const row = await turns.executeTakeFirst();
    if (row?.owner === this.#owner || (row?.owner === null && row.status === 'interrupted')) return;
    throw new AssistantError('bad_usage', 'This request was continued by another program.', {
      hint: 'Its answer is, or soon will be, in the conversation.',
    });
  }

  /** What kinds of text the conversation has read. A change is saved before a model sees the text that caused it. */
  async labels(conversationId: string): Promise<Labels> {
    const row = await this.find(conversationId);
    const start = {
      untrusted: row?.read_untrusted === 1,
      private: row?.read_private === 1,
      sources: JSON.parse(row?.label_sources ?? '[]') as string[],
    };
    return new Labels(start, (labels) => this.#saveLabels(conversationId, labels));
  }

  /**
   * What the owner said in a conversation, oldest first; the newest 200 requests at most. Texts of jobs, programs and
   * channels are not theirs, even when they go on with one.
   *
   * @param own a turn whose text is theirs all the same: that of their own job, while it runs.
   */
  async said(conversationId: string, own = ''): Promise<string[]> {
    const rows = await this.#store.read
      .selectFrom('turns')
      .select('text')
      .where('conversation_id', '=', conversationId)
      .where(({ or, eb }) => or([eb('origin', 'in', [...SPOKEN]), eb('id', '=', own)]))
      .orderBy('started_at', 'desc')
      .orderBy('seq', 'desc')
      .limit(MAX_SAID)
      .execute();
    return rows.map((row) => row.text).reverse();
  }

  async find(id: string): Promise<ConversationRow | undefined> {
    return this.#store.db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async #ensureConversation(turn: Turn, at: string): Promise<void> {
    const title = preview(turn.text, TITLE_CHARS);
    const unlisted = turn.unlisted === true ? 1 : 0;
    await this.#store.db
      .insertInto('conversations')
      .values({
        ...{ id: turn.conversationId, title, project: turn.project, unlisted },
        created_at: at,
        updated_at: at,
      })
      .onConflict((c) =>
        c.column('id').doUpdateSet((eb) => ({
          status: 'active',
          ...(unlisted === 0 && { unlisted }),
          updated_at: eb.ref('excluded.updated_at'),
          title: eb.fn.coalesce('conversations.title', 'excluded.title'),
        })),
      )
      .execute();
  }

  async #startTurn(turn: Turn, at: string): Promise<void> {
    const { id, conversationId, mode, origin, text } = turn;
    const row = { id, conversation_id: conversationId, mode, origin, text, owner: this.#owner, started_at: at };
    await this.#store.db
      .insertInto('turns')
      .values({ ...row, status: 'running' })
      .execute();
    const step: Step = { role: 'user', kind: 'text', content: requestOf(turn) };
    await insertStep(this.#store, { step, conversationId, turnId: id, at });
  }

  /**
   * Take over a turn that nobody is running.
   *
   * @returns whether there was such a turn.
   * @throws AssistantError `bad_usage` when it is running, here or in another program.
   */
  async #continueTurn(turn: Turn): Promise<boolean> {
    const turns = this.#store.db.selectFrom('turns').select('owner').where('id', '=', turn.id);
    const known = await turns.executeTakeFirst();
    if (!known) return false;
    const { owner } = known;
    const gone = await goneOwners(this.#store, owner === null ? [] : [owner]);
    const taken =
      (owner === null || gone.has(owner)) &&
      (await this.#store.db
        .updateTable('turns')
        .set({ status: 'running', owner: this.#owner, finished_at: null })
        .where('id', '=', turn.id)
        .where('owner', owner === null ? 'is' : '=', owner)
        .executeTakeFirst());
    if (taken && taken.numUpdatedRows > 0n) return true;
    throw new AssistantError('bad_usage', 'This request is already being continued, here or in another program.', {
      hint: 'Wait until it has ended there; its answer is in the conversation then.',
    });
  }

  /** Labels are only ever added: a turn elsewhere may have read something that this one does not know of. */
  async #saveLabels(conversationId: string, labels: Provenance): Promise<void> {
    const flags = {
      ...(labels.untrusted ? { read_untrusted: 1 } : {}),
      ...(labels.private ? { read_private: 1 } : {}),
    };
    await this.#store.transaction(async () => {
      const saved = JSON.parse((await this.find(conversationId))?.label_sources ?? '[]') as string[];
      await this.#store.db
        .updateTable('conversations')
        .set({ ...flags, label_sources: JSON.stringify(mergeSources(saved, labels.sources)) })
        .where('id', '=', conversationId)
        .execute();
    });
  }
}

/** LangChain's messages are loaded when the first conversation is opened. */
const openConversation = once(() => import('./open-conversation.ts'));

async function opened(deps: OpenConversationDeps): Promise<OpenConversation> {
  const { OpenConversation } = await openConversation();
  return new OpenConversation(deps);
}

function statusAfter(stop: StopReason): ConversationRow['status'] {
  if (stop === 'answered' || stop === 'cut_off') return 'completed';
  return stop === 'aborted' || stop === 'step_limit' ? 'interrupted' : 'failed';
}

/**
 * Mark running turns whose process is gone as `interrupted`, and their conversations with them.
 *
 * @returns those turns as they were before, oldest first.
 */
export async function recoverTurns(store: Store): Promise<TurnRow[]> {
  // There is hardly ever one, so check before waiting for the write lock.
  if ((await lostTurns(store)).length === 0) return [];
  return store.transaction(async () => {
    const lost = await lostTurns(store);
    const turns = lost.map(({ id }) => id);
    const conversations = lost.map(({ conversation_id }) => conversation_id);
    const interrupted = { status: 'interrupted' } as const;
    await store.db
      .updateTable('turns')
      .set({ ...interrupted, owner: null })
      .where(isIn(store, 'id', turns))
      .execute();
    await store.db
      .updateTable('conversations')
      .set(interrupted)
      .where(isIn(store, 'id', conversations))
      .execute();
    return lost;
  });
}

async function lostTurns(store: Store): Promise<TurnRow[]> {
  const running = await store.read
    .selectFrom('turns')
    .selectAll()
    .where('status', '=', 'running')
    .orderBy('started_at')
    .execute();
  const gone = await goneOwners(
    store,
    running.flatMap(({ owner }) => owner ?? []),
  );
  return running.filter(({ owner }) => owner === null || gone.has(owner));
}
