import { type Selectable, sql } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { nearest, preview } from '../base/text.ts';
import type { Provenance } from '../base/turn.ts';
import type { MessageRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { mustKeep } from '../store/unkept.ts';
import { removeArtifacts } from '../tools/builtin/artifacts.ts';
import type { UndoneTurnEffects } from '../tools/undo/undo.ts';
import { type ConversationRow, recoverTurns, type TurnRow } from './conversations.ts';
import { copyFindable, type FoundMessage, searchMessages } from './message-search.ts';
import { callsOf } from './stored-calls.ts';
import { UNDONE } from './types.ts';

export type { FoundMessage } from './message-search.ts';

/** A conversation as lists show it. Times are ISO 8601. */
export interface ListedConversation {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly status: ConversationRow['status'];
  readonly turns: number;
  /** How its last turn ended; null before the first. */
  readonly lastTurn: TurnRow['status'] | null;
  readonly updatedAt: string;
}

/** What `/undo` did. */
export interface UndoneTurn extends UndoneTurnEffects {
  /** The request of the turn that was undone. */
  readonly text: string;
  /** The turn is also part of a summary, which still mentions it. */
  readonly summarised: boolean;
}

/** An answer as it was given, and what went into it. */
export interface GivenAnswer extends Provenance {
  readonly request: string;
  readonly answer: string;
  /** What was said on the way to it, in order: a client that reads along has that, too. */
  readonly onTheWay: readonly string[];
}

/** How many turns a conversation `c` has. */
const TURNS = sql<number>`(select count(*) from turns t where t.conversation_id = c.id and t.status <> 'undone')`;

/** How the last turn of a conversation `c` ended. */
const LAST_TURN = sql<TurnRow['status'] | null>`(select status from turns t
  where t.conversation_id = c.id and t.status <> 'undone' order by t.started_at desc, t.seq desc limit 1)`;

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

  /** Newest first. Turns of killed processes are marked first, so that every status is correct. */
  async list({
    project,
    limit = 20,
  }: {
    project?: string | undefined;
    limit?: number;
  } = {}): Promise<ListedConversation[]> {
    await recoverTurns(this.#store);
    const all = this.#store.read
      .selectFrom('conversations as c')
      .select(['c.id', 'c.project', 'c.status', 'c.updated_at as updatedAt'])
      .select(sql<string>`coalesce(c.title, '')`.as('title'))
      .select([TURNS.as('turns'), LAST_TURN.as('lastTurn')])
      .where('c.unlisted', '=', 0)
      .orderBy('c.updated_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit);
    return (project === undefined ? all : all.where('c.project', '=', project)).execute();
  }

  /** @throws AssistantError `unknown_conversation` with the nearest id. */
  async get(id: string): Promise<ConversationRow> {
    const known = this.#store.db.selectFrom('conversations');
    const row = await known.selectAll().where('id', '=', id).executeTakeFirst();
    if (row) return row;
    const listed = await this.list({ limit: 1000 });
    const guess = nearest(
      id,
      listed.map((each) => each.id),
    );
    throw new AssistantError('unknown_conversation', `There is no conversation "${id}".`, {
      hint: guess ? `Did you mean "${guess}"?` : '"sessions" lists them.',
    });
  }

  /** Requests and answers, best match first. All words must occur; each matches from the start of a word. */
  async search(words: string, limit = 20): Promise<FoundMessage[]> {
    return searchMessages(this.#store, words, limit);
  }

  async rename(id: string, title: string): Promise<void> {
    mustKeep(this.#store);
    await this.get(id);
    const renamed = this.#store.db.updateTable('conversations').set({ title: preview(title, 120) });
    await renamed.where('id', '=', id).execute();
  }

  /**
   * Turns that a killed process or the step limit left unfinished, newest first; only the last turn of a conversation
   * counts.
   */
  async interrupted(limit = 20): Promise<TurnRow[]> {
    await recoverTurns(this.#store);
    return this.#cutOff().limit(limit).execute();
  }

  /** The turns that any program is running now. */
  async running(): Promise<ReadonlySet<string>> {
    await recoverTurns(this.#store);
    const turns = await this.#store.read.selectFrom('turns').select('id').where('status', '=', 'running').execute();
    return new Set(turns.map(({ id }) => id));
  }

  /** The interrupted turn at the end of a conversation, if there is one. */
  async interruptedIn(id: string): Promise<TurnRow | undefined> {
    await recoverTurns(this.#store);
    return this.#cutOff().where('t.conversation_id', '=', id).executeTakeFirst();
  }

  /** Whether the last answer of a conversation is incomplete. */
  async isCutOff(id: string): Promise<boolean> {
    return (await this.#lastTurn(id))?.status === 'cut_off';
  }

  /** The status of a turn; undefined when there is no such turn. */
  async statusOf(turnId: string): Promise<TurnRow['status'] | undefined> {
    const turn = this.#store.read.selectFrom('turns').select('status').where('id', '=', turnId);
    return (await turn.executeTakeFirst())?.status;
  }

  /** A turn as it is stored; undefined when there is no such turn. */
  async turn(turnId: string): Promise<TurnRow | undefined> {
    return this.#store.read.selectFrom('turns').selectAll().where('id', '=', turnId).executeTakeFirst();
  }

  /** The id of the last turn of a conversation; undefined before the first. */
  async lastTurn(id: string): Promise<string | undefined> {
    return (await this.#lastTurn(id))?.id;
  }

  /** All answers to these requests since a time, with the labels of their conversations. */
  async answersTo(requests: readonly string[], since: Date): Promise<readonly GivenAnswer[]> {
    const rows = await this.#store.read
      .selectFrom('turns as t')
      .innerJoin('messages as m', 'm.turn_id', 't.id')
      .innerJoin('conversations as c', 'c.id', 't.conversation_id')
      .select([
        't.id',
        't.text as request',
        'm.content as answer',
        'c.read_untrusted',
        'c.read_private',
        'c.label_sources',
      ])
      .where('t.status', '=', 'answered')
      .where('t.started_at', '>=', since.toISOString())
      .where('t.text', 'in', [...new Set(requests)])
      .where('m.kind', '=', 'answer')
      .orderBy('t.seq')
      .execute();
    const said = await this.#saidOnTheWay(rows.map(({ id }) => id));
    return rows.map(({ id, request, answer, ...row }) => ({
      ...{
        request,
        answer,
        onTheWay: said.get(id) ?? [],
        untrusted: row.read_untrusted === 1,
        private: row.read_private === 1,
      },
      sources: JSON.parse(row.label_sources) as string[],
    }));
  }

  async #saidOnTheWay(turns: readonly string[]): Promise<ReadonlyMap<string | null, readonly string[]>> {
    if (turns.length === 0) return new Map();
    const steps = await this.#store.read
      .selectFrom('messages')
      .select(['turn_id', 'content'])
      .where('turn_id', 'in', [...turns])
      .where('kind', '=', 'tool_calls')
      .orderBy('sequence')
      .execute();
    const texts = Map.groupBy(steps, ({ turn_id }) => turn_id);
    return new Map([...texts].map(([turn, all]) => [turn, all.map(({ content }) => callsOf(content).text)]));
  }

  /** What a turn answered; undefined when it has not. */
  async answerOf(turnId: string): Promise<string | undefined> {
    const answers = this.#store.read.selectFrom('messages').select('content').where('turn_id', '=', turnId);
    return (await answers.where('kind', '=', 'answer').orderBy('sequence', 'desc').executeTakeFirst())?.content;
  }

  /** The turns of a conversation in order, without undone ones. @throws AssistantError `unknown_conversation`. */
  async turnsOf(id: string): Promise<Pick<TurnRow, 'id' | 'text' | 'status' | 'started_at'>[]> {
    await this.get(id);
    await recoverTurns(this.#store);
    return this.#store.read
      .selectFrom('turns')
      .select(['id', 'text', 'status', 'started_at'])
      .where('conversation_id', '=', id)
      .where('status', '<>', 'undone')
      .orderBy('seq')
      .execute();
  }

  /** All messages of a conversation in order, without those of undone turns. */
  async messages(id: string): Promise<Selectable<MessageRow>[]> {
    return this.#store.read
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', id)
      .where('compacted', '<>', UNDONE)
      .orderBy('sequence')
      .execute();
  }

  /** Whether a tool was called, or a script run, in a turn that was not undone. */
  async hasActed(id: string): Promise<boolean> {
    const rows = this.#store.read.selectFrom('messages').select('id').where('conversation_id', '=', id);
    const calls = rows.where('compacted', '<>', UNDONE).where('kind', 'in', ['tool_calls', 'code']);
    return (await calls.limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Undo what the last turn did, then hide it from models; undefined when there is no turn. No message is deleted.
   *
   * @param effects undoes the effects of a turn. If the program is killed in between, the turn is still the last one.
   */
  async undo(id: string, effects: (turnId: string) => Promise<UndoneTurnEffects>): Promise<UndoneTurn | undefined> {
    mustKeep(this.#store);
    await this.get(id);
    const turn = await this.#lastTurn(id);
    if (!turn) return undefined;
    const undone = await effects(turn.id);
    return this.#store.transaction(async () => {
      const summarised = await this.#wasSummarised(id, turn.started_at);
      await this.#hide(turn);
      return { text: turn.text, ...undone, summarised };
    });
  }

  /** Copy a conversation, with its messages, summaries and labels. @returns the id of the copy. */
  async branch(id: string): Promise<string> {
    mustKeep(this.#store);
    const to = newId('conv', this.#now());
    await this.#store.transaction(async () => {
      const from = await this.get(id);
      const title = preview(`${from.title ?? from.id} (branch)`, 120);
      await sql`
        insert into conversations (id, title, project, status, read_untrusted, read_private, label_sources,
          last_data, created_at, updated_at)
        select ${to}, ${title}, project, 'completed', read_untrusted, read_private, label_sources,
          last_data, created_at, ${this.#now().toISOString()}
        from conversations where id = ${id}`.execute(this.#store.db);
      await this.#copyInto(to, id);
    });
    return to;
  }

  /** Delete a conversation with its messages, summaries and artifacts. Receipts, effects and usage stay on record. */
  async remove(id: string): Promise<void> {
    mustKeep(this.#store);
    await this.get(id);
    await this.#store.transaction(async () => {
      await removeArtifacts(this.#store, id);
      await this.#store.db.deleteFrom('conversations').where('id', '=', id).execute();
    });
  }

  /** Turn ids are unique in the store, so the copy's turns get its id as a prefix. */
  async #copyInto(to: string, id: string): Promise<void> {
    const prefix = `${to}.`;
    await sql`
      insert into turns (id, conversation_id, mode, origin, text, status, owner, started_at, finished_at)
      select ${prefix} || id, ${to}, mode, origin, text,
        case status when 'running' then 'aborted' else status end, null, started_at, finished_at
      from turns where conversation_id = ${id} order by seq`.execute(this.#store.db);
    await sql`
      insert into messages (conversation_id, turn_id, sequence, role, kind, content, token_count, compacted, created_at)
      select ${to}, ${prefix} || turn_id, sequence, role, kind, content, token_count, compacted, created_at
      from messages where conversation_id = ${id} order by sequence`.execute(this.#store.db);
    await copyFindable(this.#store, { from: id, to });
    await sql`
      insert into compaction_events (conversation_id, round, tokens_before, tokens_after, summary, created_at)
      select ${to}, round, tokens_before, tokens_after, summary, created_at
      from compaction_events where conversation_id = ${id}`.execute(this.#store.db);
  }

  #cutOff() {
    return this.#store.read
      .selectFrom('turns as t')
      .selectAll()
      .where('t.status', 'in', ['interrupted', 'step_limit'])
      .where('t.origin', 'in', ['repl', 'cli'])
      .where('t.seq', '=', ({ selectFrom }) =>
        selectFrom('turns as l')
          .select((last) => last.fn.max('l.seq').as('seq'))
          .whereRef('l.conversation_id', '=', 't.conversation_id')
          .where('l.status', '<>', 'undone'),
      )
      .orderBy('t.started_at', 'desc');
  }

  #lastTurn(id: string): Promise<TurnRow | undefined> {
    return this.#store.db
      .selectFrom('turns')
      .selectAll()
      .where('conversation_id', '=', id)
      .where('status', 'not in', ['undone', 'running'])
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async #hide({ id, conversation_id }: TurnRow): Promise<void> {
    const { db } = this.#store;
    await db.updateTable('messages').set({ compacted: UNDONE }).where('turn_id', '=', id).execute();
    await db.updateTable('turns').set({ status: 'undone', owner: null }).where('id', '=', id).execute();
    await db
      .updateTable('conversations')
      .set({ status: 'completed', last_data: null })
      .where('id', '=', conversation_id)
      .execute();
  }

  async #wasSummarised(id: string, since: string): Promise<boolean> {
    const found = await this.#store.db
      .selectFrom('compaction_events')
      .select('id')
      .where('conversation_id', '=', id)
      .where('created_at', '>=', since)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }
}
