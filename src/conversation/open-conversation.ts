import type { BaseMessage } from '@langchain/core/messages';
import type { Selectable } from 'kysely';
import type { Redactor } from '../base/redact.ts';
import { requestOf, type Turn } from '../base/turn.ts';
import type { MessageRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { CompactionRecords, latestSummary, SummaryMessage } from './compaction-records.ts';
import { insertStep } from './insert-step.ts';
import { requestMessage, toMessage } from './messages.ts';
import { callsOf } from './stored-calls.ts';
import { rememberEstimate } from './tokens.ts';
import { type NumberedStep, noAnswer, stepsInOrder, stepsInWords } from './turn-steps.ts';
import type { Conversation, Said, Step } from './types.ts';

/** For how many past turns a model sees the calls, in the form of its mode. */
const TURNS_IN_FORM = 2;

/** For how many past turns it sees the results. */
const TURNS_WITH_RESULTS = 4;

/** More than any model's window holds: keeps a years-long conversation from filling memory. */
const MAX_HISTORY_TOKENS = 1_000_000;

/** The kind of step that only this mode has. */
const FORMS = { classic: 'tool_calls', code: 'code' } as const;

/** Rows of history that are read at first, and at a time after that. */
const [FIRST_PAGE, PAGE] = [100, 500];

/** The sequence number of the row that a message was made from; compaction flags rows by it. */
export type RowOf = WeakMap<BaseMessage, number>;

export interface OpenConversationDeps {
  readonly store: Store;
  readonly turn: Turn;
  readonly now: () => Date;
  /** The turn was started by a process that is gone. */
  readonly continued: boolean;
}

type HistoryRow = Pick<Selectable<MessageRow>, 'sequence' | 'turn_id' | 'role' | 'kind' | 'content' | 'token_count'>;

/** One conversation as one running turn sees it. A change is committed when its promise is fulfilled. */
export class OpenConversation implements Conversation {
  readonly id: string;
  /** Rows of the messages that `history` returned. Keyed by message, so it ends with the turn that holds them. */
  readonly rows: RowOf = new WeakMap();
  readonly #deps: OpenConversationDeps;
  /** Engines save several steps at once, and connections do not keep their order. */
  readonly #saving = new InOrder();

  constructor(deps: OpenConversationDeps) {
    this.id = deps.turn.conversationId;
    this.#deps = deps;
  }

  async history(view: 'classic' | 'code', lookBackTokens = MAX_HISTORY_TOKENS): Promise<BaseMessage[]> {
    const rows = withWholeAnswers(await this.#activeRows(lookBackTokens));
    const steps = await this.#steps(lastTurns(rows, TURNS_WITH_RESULTS));
    // After the rows, so that a round that another process ends in between is seen twice rather than missed.
    const summary = await latestSummary(this.#deps.store, this.id);
    const inForm = new Set(lastTurns(rows, TURNS_IN_FORM));
    const messages = rows.flatMap((row, index) => {
      const next = rows[index + 1];
      const own = row.kind === 'text' ? (steps.get(row.turn_id ?? '') ?? []) : [];
      const answer = next?.kind === 'answer' ? next.content : undefined;
      const isForm =
        inForm.has(row.turn_id ?? '') && own.some(({ kind }) => kind === FORMS[view]) && answer !== undefined;
      return [
        ...this.#request(row, isForm ? undefined : stepsInWords(own, answer)),
        ...(isForm ? stepsInOrder(own, answer).map(({ message, sequence }) => this.#from(message, sequence)) : []),
        ...(row.kind === 'text' && answer === undefined ? [this.#from(noAnswer(), row.sequence)] : []),
      ];
    });
    return summary === undefined ? messages : [new SummaryMessage(summary), ...messages];
  }

  #request(row: HistoryRow, results: string | undefined): BaseMessage[] {
    const message = results === undefined ? toMessage(row) : requestMessage(row.content, results);
    if (results === undefined) rememberEstimate(message, row.token_count);
    return [this.#from(message, row.sequence)];
  }

  #from(message: BaseMessage, sequence: number): BaseMessage {
    this.rows.set(message, sequence);
    return message;
  }

  async request(): Promise<string> {
    const { store, turn, continued } = this.#deps;
    if (!continued) return requestOf(turn);
    // Whoever continues a turn knows the request, but not its attachments.
    const saved = store.read
      .selectFrom('messages')
      .select('content')
      .where('turn_id', '=', turn.id)
      .where('role', '=', 'user')
      .where('kind', '=', 'text')
      .orderBy('sequence');
    return (await saved.executeTakeFirst())?.content ?? requestOf(turn);
  }

  async append(step: Step): Promise<void> {
    const { store, turn, now } = this.#deps;
    const row = { step, conversationId: this.id, turnId: turn.id, at: now().toISOString() };
    // The effect ledger waits for the disk when something was done; steps in between need not.
    await this.#saving.run(() => store.relaxed(() => insertStep(store, row)));
  }

  async resumed(): Promise<readonly Step[]> {
    const { store, turn, continued } = this.#deps;
    if (!continued) return [];
    return store.read
      .selectFrom('messages')
      .select(['role', 'kind', 'content'])
      .where('turn_id', '=', turn.id)
      .where('compacted', '=', 0)
      .where('kind', 'not in', ['text', 'answer'])
      .orderBy('sequence')
      .execute();
  }

  async usedCallIds(): Promise<readonly string[]> {
    const { store, turn, continued } = this.#deps;
    if (!continued) return [];
    const rows = await store.read
      .selectFrom('messages')
      .select('content')
      .where('turn_id', '=', turn.id)
      .where('kind', '=', 'tool_calls')
      .execute();
    return rows.flatMap((row) => callsOf(row.content).calls.map((call) => call.id));
  }

  async store(key: string, value: unknown): Promise<void> {
    const { store, turn } = this.#deps;
    const row = { turn_id: turn.id, key, value: JSON.stringify(value) ?? 'null' };
    await this.#saving.run(() =>
      store.relaxed(() =>
        store.db
          .insertInto('turn_memory')
          .values(row)
          .onConflict((c) => c.columns(['turn_id', 'key']).doUpdateSet({ value: row.value }))
          .execute(),
      ),
    );
  }

  async stored(): Promise<ReadonlyMap<string, unknown>> {
    const { store, turn, continued } = this.#deps;
    if (!continued) return new Map();
    const memory = store.read.selectFrom('turn_memory').select(['key', 'value']);
    const rows = await memory.where('turn_id', '=', turn.id).execute();
    return new Map(rows.map(({ key, value }) => [key, JSON.parse(value)]));
  }

  async lastData(): Promise<unknown> {
    const data = this.#deps.store.read.selectFrom('conversations').select('last_data');
    const row = await data.where('id', '=', this.id).executeTakeFirst();
    return typeof row?.last_data === 'string' ? JSON.parse(row.last_data) : undefined;
  }

  async setLastData(value: unknown): Promise<void> {
    const last_data = value === undefined ? null : JSON.stringify(value);
    await this.#saving.run(() =>
      this.#deps.store.db.updateTable('conversations').set({ last_data }).where('id', '=', this.id).execute(),
    );
  }

  /** The rounds of this conversation, for the turn's compactor. */
  compactions(): CompactionRecords {
    const { store, turn } = this.#deps;
    return new CompactionRecords({ store, conversationId: this.id, turnId: turn.id, rows: this.rows });
  }

  /** Reads backwards from the newest and stops at what fits a model, so that a long history costs nothing. */
  async #activeRows(maxTokens: number): Promise<HistoryRow[]> {
    const rows: HistoryRow[] = [];
    let tokens = 0;
    for (let size = FIRST_PAGE; ; size = PAGE) {
      const page = await this.#page(size, rows.at(-1)?.sequence);
      for (const row of page) {
        tokens += row.token_count;
        if (tokens > maxTokens) return rows.reverse();
        rows.push(row);
      }
      if (page.length < size) return rows.reverse();
    }
  }

  /** The calls of these turns and their results, by turn and in order. */
  async #steps(turns: readonly string[]): Promise<ReadonlyMap<string, readonly NumberedStep[]>> {
    if (turns.length === 0) return new Map();
    const rows = await this.#deps.store.read
      .selectFrom('messages')
      .select(['sequence', 'turn_id', 'role', 'kind', 'content'])
      .where('conversation_id', '=', this.id)
      .where('turn_id', 'in', turns)
      .where('compacted', '=', 0)
      .where('kind', 'not in', ['text', 'answer'])
      .orderBy('sequence')
      .execute();
    return Map.groupBy(rows, (row) => row.turn_id ?? '');
  }

  /** Rows of earlier turns, newest first. @param before only rows with a lower sequence number. */
  #page(size: number, before: number | undefined): Promise<HistoryRow[]> {
    const rows = this.#deps.store.read
      .selectFrom('messages')
      .select(['sequence', 'turn_id', 'role', 'kind', 'content', 'token_count'])
      .where('conversation_id', '=', this.id)
      .where('compacted', '=', 0)
      .where('kind', 'in', ['text', 'answer'])
      .where('turn_id', 'is distinct from', this.#deps.turn.id)
      .orderBy('sequence', 'desc')
      .limit(size);
    return (before === undefined ? rows : rows.where('sequence', '<', before)).execute();
  }
}

/** A turn that went on after its answer has two, and many servers insist on alternating roles. */
function withWholeAnswers(rows: readonly HistoryRow[]): HistoryRow[] {
  const whole: HistoryRow[] = [];
  for (const row of rows) {
    const before = whole.at(-1);
    const isMore = row.kind === 'answer' && before?.kind === 'answer' && before.turn_id === row.turn_id;
    if (!isMore) whole.push(row);
    else
      whole[whole.length - 1] = {
        ...row,
        content: `${before.content}\n\n${row.content}`,
        token_count: before.token_count + row.token_count,
      };
  }
  return whole;
}

function lastTurns(rows: readonly HistoryRow[], count: number): string[] {
  return [...new Set(rows.flatMap((row) => row.turn_id ?? []))].slice(-count);
}

/**
 * The same conversation, but no secret is written to it: what a model says may quote one.
 *
 * @param before what was said elsewhere, before all that the store has.
 */
export function redactedConversation(
  conversation: Conversation,
  redactor: Redactor,
  before: readonly Said[] = [],
): Conversation {
  return {
    id: conversation.id,
    history: async (view, lookBackTokens) => {
      const said = before.map(({ role, text }) => toMessage({ role, kind: 'text', content: redactor.redact(text) }));
      return [...said, ...(await conversation.history(view, lookBackTokens))];
    },
    request: () => conversation.request(),
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

/** Runs tasks one after the other. A failure does not stop those that follow. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
