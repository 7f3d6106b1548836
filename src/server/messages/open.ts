import { AssistantError, messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { App } from '../../face/app.ts';
import type { ChatDoor } from '../../face/doors.ts';
import type { Account } from '../../notify/accounts.ts';
import type { ChatMessage } from '../../notify/inbound.ts';
import type { InboxItem } from '../../notify/inbox.ts';
import { Receiver } from '../../notify/receiver.ts';
import { withTables } from '../../notify/tables.ts';
import type { ReceivingChannel } from '../../notify/types.ts';
import { PROPOSALS_TOPIC } from '../../tools/gate/proposals.ts';
import { Chat } from './chat.ts';
import { ChatFace } from './chat-face.ts';
import { ChatSettings } from './chat-settings.ts';
import { Questions } from './questions.ts';
import type { Room } from './room.ts';
import type { Say } from './say.ts';

/** How often questions that are over are looked for, and those of which another program's word was lost. */
const LOOK_MS = 3000;

/** From the settings. */
export interface ChatOptions {
  /** Whether a stranger may be told once an hour how the owner is paired. */
  readonly hintsStrangers: boolean;
}

const HOUR_MS = 3_600_000;
/** A program that has said more since it gave the last hint may give one too many. */
const LOOKED_AT = 500;

/** Receive on every channel that can, while no other program does, until it is closed. */
export function openChats(app: App, door: ChatDoor, options: ChatOptions): { close(): Promise<void> } {
  const { notifier } = app.schedule;
  const rooms = notifier.receiving().map((channel) => new ChannelRoom(app, channel, { ...door, ...options }));
  return { close: async () => void (await Promise.all(rooms.map((room) => room.close()))) };
}

/** A channel whose messages become turns while this program receives on it. */
class ChannelRoom {
  readonly #app: App;
  readonly #channel: ReceivingChannel;
  readonly #door: ChatDoor & ChatOptions;
  readonly #receiver: Receiver;
  #open: { readonly room: Room; readonly chats: Map<string, Chat>; readonly over: AbortController } | undefined;
  #hintedAt = 0;

  constructor(app: App, channel: ReceivingChannel, door: ChatDoor & ChatOptions) {
    this.#app = app;
    this.#channel = channel;
    this.#door = door;
    const { accounts, inbox } = app.schedule.notifier;
    this.#receiver = new Receiver({
      ...{ channel, inbound: channel.inbound, accounts, inbox, store: app.store, log: app.home.log },
      now: () => new Date(),
      heard: (items) => this.#heard(items),
      paired: (account) => this.#paired(account),
      ...(door.hintsStrangers && { strange: (message: ChatMessage) => void this.#hint(message) }),
      let: () => this.#let(),
    });
    this.#receiver.start();
  }

  async close(): Promise<void> {
    await this.#receiver.close();
    await this.#let();
  }

  get #hearsWords(): boolean {
    return this.#channel.receives?.words !== false;
  }

  #heard(items: readonly InboxItem[]): void {
    const { room, chats } = this.#opened();
    for (const item of items) {
      const { chat, alone } = item.event;
      const known = chats.get(chat) ?? new Chat(room, chat, alone);
      chats.set(chat, known);
      if (alone && this.#channel.receives?.live)
        room.face.active(chat).catch((error: unknown) => this.#warn('no face was opened', error));
      known.take(item);
    }
  }

  #paired({ chat }: Account): void {
    const text = 'Paired: from now on I know you here. Write what you need, or send a file.';
    void this.#opened().room.say(chat, text);
  }

  /** How the owner makes themselves known, for whoever asks first in an hour. */
  async #hint({ chat }: ChatMessage): Promise<void> {
    const how = `run "wooster channel pair ${this.#channel.id}" and send the code`;
    const text = `I answer one person. If that is you, ${how}.`;
    const since = Date.now() - HOUR_MS;
    if (this.#hintedAt > since) return;
    this.#hintedAt = Date.now();
    try {
      const recent = await this.#app.schedule.notifier.recent(LOOKED_AT);
      if (!recent.some((each) => each.text === text && each.at.getTime() > since))
        await this.#opened().room.say(chat, text);
    } catch (error) {
      this.#warn('a stranger was not told how to pair', error);
    }
  }

  #opened() {
    this.#open ??= this.#begin();
    return this.#open;
  }

  #begin() {
    const [app, channel] = [this.#app, this.#channel];
    const over = new AbortController();
    const { notifier } = app.schedule;
    const settings = new ChatSettings(app.store, this.#door);
    const say: Say = async (chat, text, { key = newId('say'), ...more } = {}) => {
      // Who only presses buttons reads no answers.
      if (this.#hearsWords) await this.#say(chat, text, { key, ...more });
    };
    const questions = new Questions({ app, channel, settings, say });
    const face = new ChatFace({ notifier, channel: channel.id, timeZone: app.home.timeZone, now: () => new Date() });
    const { commands } = this.#door;
    const room: Room = {
      app,
      channel,
      commands,
      place: this.#door,
      settings,
      questions,
      face,
      say,
      signal: over.signal,
    };
    const timer = setInterval(() => void questions.look(), LOOK_MS).unref();
    const unlisten = app.store.wake.on(PROPOSALS_TOPIC, () => void questions.look());
    over.signal.addEventListener('abort', () => {
      clearInterval(timer);
      unlisten();
    });
    return { room, chats: new Map<string, Chat>(), over };
  }

  async #say(chat: string, text: string, { key, ...more }: Parameters<Say>[2] & { readonly key: string }) {
    const message = { to: this.#channel.id, chat, text: withTables(text), idempotencyKey: key, ...more };
    try {
      await this.#app.schedule.notifier.send(message, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      this.#warn('a chat was not answered', error);
    }
  }

  /** What is under way ends, and goes on where somebody receives next. */
  async #let(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    open.over.abort(new Error('the program is ending'));
    await open.room.face.close();
    await Promise.all([...open.chats.values()].map((chat) => chat.close()));
  }

  #warn(what: string, error: unknown): void {
    this.#app.home.log.warn(what, { channel: this.#channel.id, error: messageOf(error) });
  }
}
