import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { ChannelStateRow, Database, OutboxRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { OutgoingFile } from './channel.ts';
import { isSentAs } from './choices.ts';

export type StoredPart = Selectable<OutboxRow>;
export type NewPart = Omit<
  StoredPart,
  'attempts' | 'repeats' | 'owner' | 'lease_until' | 'remote_id' | 'last_error' | 'recipients' | Optional
> &
  Partial<Pick<StoredPart, Optional>>;
type Optional = 'chat' | 'choices' | 'file' | 'reply_to';

/** Before a text that may have arrived already. */
export const REPEATED = '(may be repeated) ';

/** How often to check whether a sender is gone. */
const WATCH_MS = 5000;

/**
 * The table of outgoing messages, and the state of each channel. Every method is one statement; the caller opens the
 * transaction. The parts of a message share a dedupe key: `<key>:1`, `<key>:2` and so on.
 */
export class Outbox {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Store a part unless its dedupe key exists. @returns whether it is new. */
  async enter(part: NewPart): Promise<boolean> {
    const entered = await this.#store.db
      .insertInto('outbox')
      .values(part)
      .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
      .executeTakeFirst();
    return (entered.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Store a file that a part of a message is. */
  async keepFile(id: string, { name, bytes }: OutgoingFile): Promise<void> {
    await this.#store.db.insertInto('outgoing_files').values({ id, name, bytes }).execute();
  }

  async file(id: string): Promise<OutgoingFile | undefined> {
    const rows = this.#store.db.selectFrom('outgoing_files').select(['name', 'bytes']);
    return rows.where('id', '=', id).executeTakeFirst();
  }

  /** Files are kept as long as they may be sent. */
  async dropFiles(): Promise<void> {
    const any = this.#store.read.selectFrom('outgoing_files').select('id').limit(1);
    if (!(await any.executeTakeFirst())) return;
    await this.#store.db
      .deleteFrom('outgoing_files')
      .where(({ not, exists, selectFrom }) => {
        const needed = selectFrom('outbox').select('outbox.id').whereRef('outbox.file', '=', 'outgoing_files.id');
        return not(exists(needed.where('outbox.state', 'in', ['pending', 'sending'])));
      })
      .execute();
  }

  /** The parts of one message, in order. */
  async message(dedupeKey: string): Promise<StoredPart[]> {
    const [first, end] = keysOf(dedupeKey);
    const parts = this.#select().where('dedupe_key', '>=', first).where('dedupe_key', '<', end);
    return parts.orderBy('part').execute();
  }

  async find(id: string): Promise<StoredPart | undefined> {
    return this.#select().where('id', '=', id).executeTakeFirst();
  }

  #select() {
    return this.#store.db.selectFrom('outbox').selectAll();
  }

  /** Parts that are due, whose channel is not on hold, and whose earlier parts are sent; oldest first. */
  async due(now: string, limit: number): Promise<StoredPart[]> {
    return this.#store.db
      .selectFrom('outbox as o')
      .selectAll()
      .where('o.state', '=', 'pending')
      .where('o.due_at', '<=', now)
      .where((part) => part.not(part.exists(holds(part, now))))
      .where((part) => part.or([part('o.part', '=', 1), part.not(part.exists(unsentBefore(part)))]))
      .orderBy('o.created_at')
      .orderBy('o.part')
      .limit(limit)
      .execute();
  }

  /** Reserve a part for one sender. @returns the part afterwards; undefined when another sender has it. */
  async claim(id: string, owner: string, leaseUntil: string): Promise<StoredPart | undefined> {
    return this.#store.db
      .updateTable('outbox')
      .set((part) => ({ state: 'sending', owner, lease_until: leaseUntil, attempts: part('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
  }

  /** Give up a part that can no longer be sent. @returns false when somebody is sending it. */
  async giveUp(id: string, why: string): Promise<boolean> {
    const given = await this.#store.db
      .updateTable('outbox')
      .set({ state: 'failed', last_error: why })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    return given !== undefined;
  }

  async set(id: string, changes: Partial<StoredPart>): Promise<void> {
    await this.#store.db.updateTable('outbox').set(changes).where('id', '=', id).execute();
  }

  /** When a part has failed, the parts after it are not sent either. */
  async stopAfter(part: StoredPart): Promise<void> {
    const [first, end] = keysOf(messageKey(part.dedupe_key));
    await this.#store.db
      .updateTable('outbox')
      .set({ state: 'suppressed', last_error: 'an earlier part was not sent' })
      .where('state', '=', 'pending')
      .where('part', '>', part.part)
      .where('dedupe_key', '>=', first)
      .where('dedupe_key', '<', end)
      .execute();
  }

  /** Parts that a program is sending, or was sending when it ended. */
  async sending(): Promise<StoredPart[]> {
    return this.#select().where('state', '=', 'sending').execute();
  }

  /** Whatever waits of a message is not sent any more. */
  async withdraw(message: string): Promise<void> {
    const [first, end] = keysOf(message);
    await this.#store.db
      .updateTable('outbox')
      .set({ state: 'suppressed', last_error: 'the owner was reached another way' })
      .where('state', '=', 'pending')
      .where('dedupe_key', '>=', first)
      .where('dedupe_key', '<', end)
      .execute();
  }

  /** Expire old messages. @returns their keys, by channel. */
  async expire(now: string): Promise<{ channel: string; messages: readonly string[] }[]> {
    const expired = await this.#store.db
      .updateTable('outbox')
      .set({ state: 'expired' })
      .where('state', '=', 'pending')
      .where('expires_at', '<=', now)
      .returning(['channel', 'dedupe_key'])
      .execute();
    const byChannel = Map.groupBy(expired, ({ channel }) => channel);
    return [...byChannel].map(([channel, parts]) => {
      const messages = new Set(parts.map(({ dedupe_key }) => messageKey(dedupe_key)));
      return { channel, messages: [...messages] };
    });
  }

  /** When there is something to send next, as far as is known now. Parts of a channel on hold wait until it ends. */
  async nextFlush(flushedAt: Date): Promise<Date | undefined> {
    const { rows } = await sql<{ due: string | null; sending: number | null }>`
      select
        min(case when o.state <> 'pending' then null when c.hold_until > o.due_at then c.hold_until else o.due_at end)
          as due,
        sum(case when o.state = 'sending' then 1 else 0 end) as sending
      from outbox o left join channel_states c on c.channel = o.channel and c.address_hash = o.recipient
      where o.state in ('pending', 'sending')`.execute(this.#store.read);
    const { due, sending } = rows[0] ?? { due: null, sending: 0 };
    const times = due === null ? [] : [Date.parse(due)];
    if (sending) times.push(flushedAt.getTime() + WATCH_MS);
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  }

  /**
   * Whether a text that came in on a channel is one of ours that it gave back: by its id at the service, or, where
   * that is not known yet or never will be, as it stands.
   *
   * @param since  what is older is not looked at.
   */
  async wasSent(
    channel: string,
    { remoteId, text }: { readonly remoteId: string; readonly text: string },
    since: Date,
  ): Promise<boolean> {
    const parts = this.#store.db.selectFrom('outbox').select(['body', 'remote_id']).where('channel', '=', channel);
    const unsure = (part: ExpressionBuilder<Database, 'outbox'>) => [
      part('remote_id', '=', remoteId),
      part('state', 'in', ['sending', 'unknown']),
      part.and([part('state', '=', 'pending'), part('attempts', '>', 0)]),
    ];
    const recent = parts.where('created_at', '>', since.toISOString());
    const found = await recent.where((part) => part.or(unsure(part))).execute();
    return found.some(({ body, remote_id }) => remote_id === remoteId || isSentAs(plain(text), body));
  }

  /** Newest first. */
  async recent(limit: number): Promise<StoredPart[]> {
    return this.#select().orderBy('created_at', 'desc').orderBy('part').limit(limit).execute();
  }

  /** Whether a channel is off or on hold for this recipient; undefined when it has never failed. */
  async channelState(channel: string, address: string): Promise<Selectable<ChannelStateRow> | undefined> {
    const states = this.#store.db.selectFrom('channel_states').selectAll().where('channel', '=', channel);
    return states.where('address_hash', '=', address).executeTakeFirst();
  }

  /** Somebody was heard from there: what had switched the channel off for this recipient is over. */
  async reopen(channel: string, address: string): Promise<void> {
    const states = this.#store.db.updateTable('channel_states').set({ off_because: null });
    await states.where('channel', '=', channel).where('address_hash', '=', address).execute();
  }

  async setChannelState(state: ChannelStateRow): Promise<void> {
    const { off_because, hold_until, failures } = state;
    await this.#store.db
      .insertInto('channel_states')
      .values(state)
      .onConflict((conflict) =>
        conflict.columns(['channel', 'address_hash']).doUpdateSet({ off_because, hold_until, failures }),
      )
      .execute();
  }
}

/** Without the mark of a repetition. */
function plain(text: string): string {
  return text.startsWith(REPEATED) ? text.slice(REPEATED.length) : text;
}

/** The key of the message to which the part with this key belongs. */
export function messageKey(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** The keys of a message's parts lie between these two in byte order, the second exclusive. */
function keysOf(message: string): [string, string] {
  return [`${message}:`, `${message};`];
}

type OnePart = ExpressionBuilder<Database & { o: OutboxRow }, 'o'>;

/** The hold on the channel of the part `o`, if any. */
function holds(part: OnePart, now: string) {
  return part
    .selectFrom('channel_states as c')
    .select('c.channel')
    .whereRef('c.channel', '=', 'o.channel')
    .whereRef('c.address_hash', '=', 'o.recipient')
    .where('c.hold_until', '>', now);
}

/** The parts of the same message as `o` that come before it and are not sent; `keysOf` in SQL. */
function unsentBefore(part: OnePart) {
  const end = sql<number>`length(o.dedupe_key) - length(cast(o.part as text))`;
  return part
    .selectFrom('outbox as e')
    .select('e.id')
    .whereRef('e.part', '<', 'o.part')
    .where('e.state', '<>', 'sent')
    .where(sql<SqlBool>`e.dedupe_key >= substr(o.dedupe_key, 1, ${end})`)
    .where(sql<SqlBool>`e.dedupe_key < substr(o.dedupe_key, 1, ${end} - 1) || ';'`);
}
