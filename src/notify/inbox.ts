import type { Selectable } from 'kysely';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { ChatEvent } from './inbound.ts';
import { OverheardTalk } from './overheard.ts';
import type { AskedIn } from './types.ts';

/** Something that the owner wrote or pressed, kept until it is answered. */
export interface InboxItem {
  readonly channel: string;
  readonly event: ChatEvent;
  /** The turn that answers it, once one has begun. */
  readonly turnId: string | undefined;
  /** What was done without a turn, which is still to be said. */
  readonly answer?: string | undefined;
}

/** Which item. */
export type ItemKey = Pick<InboxItem, 'channel'> & { readonly event: Pick<ChatEvent, 'chat' | 'id'> };

/** How long an answered message is remembered, so that a service that repeats it starts nothing. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The tables of what comes in. Every method is one statement or two; the caller opens the transaction. */
export class Inbox {
  /** What was said where others are. */
  readonly overheard: OverheardTalk;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.overheard = new OverheardTalk(store);
  }

  /** Keep an event. @returns whether it is new; a new version of a message that waits takes its place. */
  async keep(channel: string, event: ChatEvent, now: Date): Promise<boolean> {
    const at = now.toISOString();
    const row = { channel, chat: event.chat, id: event.id, event: JSON.stringify(event), at };
    if (event.kind === 'edit') {
      const old = (await this.get({ channel, event }))?.event;
      const before = old?.kind === 'message' ? old.before : undefined;
      const kept = JSON.stringify({ ...event, kind: 'message', before });
      await this.#items({ channel, event }).set({ event: kept }).where('state', '=', 'new').execute();
      return false;
    }
    const added = await this.#store.db
      .insertInto('chat_messages')
      .values({ ...row, state: 'new', turn_id: null })
      .onConflict((conflict) => conflict.columns(['channel', 'chat', 'id']).doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** What is not answered yet, in the order in which it came. */
  async open(channel: string): Promise<InboxItem[]> {
    const rows = this.#store.db.selectFrom('chat_messages').selectAll().where('channel', '=', channel);
    return (await rows.where('state', '<>', 'done').orderBy('at').orderBy('id').execute()).map(toItem);
  }

  /** The chats in which the owner was heard lately. */
  async chats(channel: string): Promise<readonly string[]> {
    const rows = this.#store.read.selectFrom('chat_messages').select('chat').distinct().where('channel', '=', channel);
    return (await rows.execute()).map(({ chat }) => chat);
  }

  /** Whether the owner was heard in a chat lately. */
  async knows(channel: string, chat: string): Promise<boolean> {
    const rows = this.#store.db.selectFrom('chat_messages').select('id').where('channel', '=', channel);
    return (await rows.where('chat', '=', chat).limit(1).executeTakeFirst()) !== undefined;
  }

  /** The channel on which a turn was asked for; undefined: on another face. */
  async channelOf(turnId: string): Promise<string | undefined> {
    const rows = this.#store.db.selectFrom('chat_messages').select('channel').where('turn_id', '=', turnId);
    return (await rows.limit(1).executeTakeFirst())?.channel;
  }

  /** Where a turn was asked for, in a chat with nobody else. */
  async askedIn(turnId: string): Promise<AskedIn | undefined> {
    const rows = this.#store.db.selectFrom('chat_messages').select(['channel', 'event']).where('turn_id', '=', turnId);
    const row = await rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
    const { alone, account, chat, id: message } = (row ? JSON.parse(row.event) : {}) as Partial<ChatEvent>;
    return row && alone && account && chat && message ? { channel: row.channel, account, chat, message } : undefined;
  }

  /** As it is now: a newer version may have come. */
  async get({ channel, event }: ItemKey): Promise<InboxItem | undefined> {
    const rows = this.#store.db.selectFrom('chat_messages').selectAll().where('channel', '=', channel);
    const row = await rows.where('chat', '=', event.chat).where('id', '=', event.id).executeTakeFirst();
    return row && toItem(row);
  }

  /** A turn answers them from now on. */
  async take(items: readonly ItemKey[], turnId: string): Promise<void> {
    for (const item of items) await this.#items(item).set({ state: 'taken', turn_id: turnId }).execute();
  }

  /** It was done, in the same transaction; after a kill that is only said. */
  async answered(item: InboxItem, answer: string): Promise<void> {
    const event = JSON.stringify({ ...item.event, answer });
    await this.#items(item).set({ event }).execute();
  }

  async finish(items: readonly ItemKey[]): Promise<void> {
    for (const item of items) await this.#items(item).set({ state: 'done' }).execute();
  }

  #items({ channel, event }: ItemKey) {
    const update = this.#store.db.updateTable('chat_messages').where('channel', '=', channel);
    return update.where('chat', '=', event.chat).where('id', '=', event.id);
  }

  /** The mark behind everything that was kept; undefined: nothing yet. */
  async mark(channel: string, account: string): Promise<string | undefined> {
    return (await this.#receiver(channel, account))?.mark ?? undefined;
  }

  /** What keeps the account from receiving, as last seen; undefined: nothing, or it has never tried. */
  async trouble(channel: string, account: string): Promise<string | undefined> {
    return (await this.#receiver(channel, account))?.trouble ?? undefined;
  }

  #receiver(channel: string, account: string) {
    const rows = this.#store.read.selectFrom('chat_receivers').selectAll().where('channel', '=', channel);
    return rows.where('account', '=', account).executeTakeFirst();
  }

  async note(
    { channel, account }: { readonly channel: string; readonly account: string },
    changes: { readonly mark?: string; readonly trouble: string | null },
    now: Date,
  ): Promise<void> {
    const updated = { ...changes, updated_at: now.toISOString() };
    await this.#store.db
      .insertInto('chat_receivers')
      .values({ channel, account, mark: null, ...updated })
      .onConflict((conflict) => conflict.columns(['channel', 'account']).doUpdateSet(updated))
      .execute();
  }

  async forgetOld(now: Date): Promise<void> {
    const before = new Date(now.getTime() - KEPT_MS).toISOString();
    await this.overheard.forgetOld(before);
    await this.#store.db.deleteFrom('chat_messages').where('state', '=', 'done').where('at', '<', before).execute();
  }
}

function toItem(row: Selectable<Database['chat_messages']>): InboxItem {
  const { answer, ...event } = JSON.parse(row.event) as ChatEvent & Pick<InboxItem, 'answer'>;
  return { channel: row.channel, event: event as ChatEvent, turnId: row.turn_id ?? undefined, answer };
}
