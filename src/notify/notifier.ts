import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { sha256 } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { nearest, preview } from '../base/text.ts';
import { STRANGER } from '../base/turn.ts';
import type { Gateway } from '../net/types.ts';
import type { Store } from '../store/store.ts';
import { ACCOUNTS_TOPIC, Accounts } from './accounts.ts';
import type { Channel, OutgoingFile } from './channel.ts';
import { type ChannelOptions, connectChannels } from './channels.ts';
import { choicesInWords } from './choices.ts';
import type { Notifier } from './contract.ts';
import { Inbox } from './inbox.ts';
import { inert } from './inert.ts';
import type { RouteOptions } from './notice-ways.ts';
import { Notices } from './notices.ts';
import { messageKey, Outbox, type StoredPart } from './outbox.ts';
import { outcomeOf } from './outbox-outcome.ts';
import { fileRefused, harmless } from './outgoing-file.ts';
import { HERE, isHere } from './routes.ts';
import { Sender } from './sender.ts';
import { cleanText, splitText } from './split.ts';
import type { ChannelStatus, Delivery, Message, MessageName, ReceivingChannel, SentMessage } from './types.ts';

export interface NotifierDeps {
  readonly options: ChannelOptions;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly log: Log;
  now(): Date;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  /** How notices go to their owner. */
  readonly routes?: Partial<RouteOptions> | undefined;
  /** What a reader sees of HTML, in lines: for channels that receive it. */
  pageText?(html: string): Promise<string>;
  /** Hides secrets in what goes out. */
  readonly redactor?: Redactor | undefined;
}

/** Messages that could not be sent within this time expire, and the owner is told. */
const EXPIRY_MS = 24 * 3_600_000;
const BATCH = 50;

/**
 * Create the notifier: all channels behind one outbox. A message is stored before it is sent, so that a crash or an
 * outage loses none; `flush` delivers later what could not be sent at once.
 */
export function createNotifier(deps: NotifierDeps): Notifier {
  const accounts = new Accounts(deps);
  const inbox = new Inbox(deps.store);
  const pairedChat = (channel: string) => accounts.of(channel)[0]?.chat;
  const heardIn = async (channel: string) => {
    const own = accounts.of(channel).map(({ chat }) => chat);
    return [...new Set([...own, ...(await inbox.chats(channel))])];
  };
  const outbox = new Outbox(deps.store);
  const wasSent = (channel: string, message: { readonly remoteId: string; readonly text: string }) =>
    outbox.wasSent(channel, message, new Date(deps.now().getTime() - EXPIRY_MS));
  const hears = (channel: string, account: string) => accounts.hears(channel, account);
  const channels = connectChannels(deps.options, { ...deps, pairedChat, heardIn, hears, wasSent });
  return new OutboxNotifier(deps, channels, { accounts, inbox });
}

/** How often an urgent notice comes again unless the settings say otherwise. */
const REPEAT_MINUTES = 10;

/** How a question of the program's own begins; anywhere else the sign is taken out. */
const ASKS = '\u{1f510}';

/** Nobody reads more messages in a row; the whole text comes as a file then. */
const MOST_PIECES = 5;
const IN_FILE = '\n\n(All of it is in the file.)';

/** What one part of a message is. */
interface Content {
  readonly text: string;
  readonly file?: OutgoingFile | undefined;
}

class OutboxNotifier implements Notifier {
  readonly notices: Notices;
  readonly accounts: Accounts;
  readonly inbox: Inbox;
  readonly #unlisten: () => void;
  readonly #deps: NotifierDeps;
  readonly #channels: readonly Channel[];
  readonly #outbox: Outbox;
  readonly #redactor: Redactor;
  readonly #sender: Sender;
  readonly #closing = new AbortController();
  #flushing: Promise<void> | undefined;
  readonly #delivering = new Set<Promise<Delivery>>();

  constructor(
    deps: NotifierDeps,
    channels: readonly Channel[],
    { accounts, inbox }: Pick<Notifier, 'accounts' | 'inbox'>,
  ) {
    this.#deps = deps;
    this.accounts = accounts;
    this.inbox = inbox;
    this.#unlisten = deps.store.wake.on(ACCOUNTS_TOPIC, () => void accounts.load().catch(() => undefined));
    this.#channels = channels;
    this.#outbox = new Outbox(deps.store);
    this.#redactor = deps.redactor ?? new Redactor();
    this.notices = new Notices({
      ...deps,
      options: { repeatMinutes: REPEAT_MINUTES, ...deps.routes },
      outgoing: (notice) => this.#outgoing(notice),
      defaultChannel: () => this.defaultChannel(),
      send: (message) => this.send(message, this.#closing.signal),
      isOwners: ({ channel, account }) => accounts.of(channel).some((each) => each.account === account),
      messageKey: ({ to = '', chat, idempotencyKey = '' }) => {
        const channel = this.#channels.find(({ id }) => id === to);
        return channel && keyOf(idempotencyKey, channel, chat);
      },
      withdraw: (message) => this.#outbox.withdraw(message),
    });
    const arrived = (message: string, channel: string) => this.notices.arrived(message, channel);
    const choices = (message: string) => this.notices.choices(message);
    this.#sender = new Sender({ ...deps, outbox: this.#outbox, channels, arrived, choices });
  }

  async channels(): Promise<readonly ChannelStatus[]> {
    const statuses: ChannelStatus[] = [];
    for (const channel of this.#channels) {
      const status = { name: channel.id, ...channel.health() };
      const off = await this.#offBecause(channel);
      statuses.push(off ? { ...status, detail: `off: ${off}` } : status);
    }
    return statuses;
  }

  configured(): readonly string[] {
    return [...this.#channels.filter((channel) => channel.health().configured).map(({ id }) => id), HERE];
  }

  async defaultChannel(): Promise<string> {
    const chosen = this.#deps.options.defaultChannel;
    if (chosen !== undefined) return isHere(chosen) ? HERE : chosen;
    for (const channel of this.#channels) {
      if (channel.health().configured && !(await this.#offBecause(channel))) return channel.id;
    }
    return HERE;
  }

  /** Why the channel is switched off for its present recipient, if it is. */
  async #offBecause(channel: Channel, chat?: string): Promise<string | undefined> {
    return (await this.#outbox.channelState(channel.id, channel.recipient(chat)))?.off_because ?? undefined;
  }

  sendsFiles(): boolean {
    return this.#channels.some(({ maxFileBytes, health }) => maxFileBytes !== undefined && health().configured);
  }

  receiving(): readonly ReceivingChannel[] {
    return this.#channels.filter((channel): channel is ReceivingChannel => channel.inbound !== undefined);
  }

  toReceive(name: string): string | undefined {
    return this.#channel(name).toReceive;
  }

  async send(message: Message, signal: AbortSignal): Promise<Delivery> {
    const to = message.to ?? (await this.defaultChannel());
    if (isHere(to)) return this.#tellHere(message);
    const channel = this.#channel(to);
    const { configured, detail } = channel.health();
    const isReachable = message.chat === undefined ? configured : channel.inbound !== undefined;
    if (!isReachable) {
      throw new AssistantError('not_sent', `Nothing was sent: ${channel.id} is not configured.`, {
        hint: `To use it, ${detail}.`,
      });
    }
    if (message.file && message.file.bytes.length > (channel.maxFileBytes ?? 0)) throw fileRefused(channel);
    const off = await this.#offBecause(channel, message.chat);
    if (off) return { channel: channel.id, state: 'failed', detail: off };
    const delivering = this.#deliver(message, channel, AbortSignal.any([signal, this.#closing.signal]));
    this.#delivering.add(delivering);
    return delivering.finally(() => this.#delivering.delete(delivering));
  }

  /** To the face where the owner is, now or next. */
  async #tellHere({ text, voice, idempotencyKey, runId }: Message): Promise<Delivery> {
    const key = idempotencyKey ?? newId('msg', this.#deps.now());
    await this.#deps.store.transaction(() => this.notices.post({ key, text, voice, to: HERE, runId }));
    await this.notices.advance();
    return (await this.notices.outcome(key)) ?? { channel: HERE, state: 'failed', detail: 'it was not stored' };
  }

  async #deliver(message: Message, channel: Channel, signal: AbortSignal): Promise<Delivery> {
    const id = newId('msg', this.#deps.now());
    const key = keyOf(message.idempotencyKey ?? id, channel, message.chat);
    let part = await this.#enter(message, { channel, id, key });
    // In order, up to the first part that is not sent: the rest would make no sense without it.
    while (part) part = await this.#sender.send(part, signal, () => this.#sender.takeNext(key));
    return outcomeOf(channel.id, await this.#outbox.message(key));
  }

  /** @throws AssistantError `unknown_channel`. */
  #channel(name: string): Channel {
    const found = this.#channels.find((channel) => channel.id === name.toLowerCase());
    if (found) return found;
    const names = [...this.#channels.map((channel) => channel.id), HERE];
    const guess = nearest(name, names);
    throw new AssistantError('unknown_channel', `There is no channel "${preview(name, 40)}".`, {
      hint: guess ? `Did you mean ${guess}?` : `Use one of ${names.join(', ')}.`,
    });
  }

  /**
   * Store a message, cut to the channel's length; an equal key stores nothing.
   *
   * @returns the part to send now, reserved so that no program's `flush` takes it.
   */
  async #enter(
    message: Message,
    { channel, id, key }: { channel: Channel; id: string; key: string },
  ): Promise<StoredPart | undefined> {
    const now = this.#deps.now();
    const contents = this.#contents(message, channel);
    return this.#deps.store.transaction(async () => {
      for (const [index, { text, file }] of contents.entries()) {
        const isLast = index + 1 === contents.length;
        const fileId = file && `${id}.${index + 1}`;
        const isNew = await this.#outbox.enter({
          id: `${id}.${index + 1}`,
          dedupe_key: `${key}:${index + 1}`,
          run_id: message.runId ?? null,
          turn_id: message.turnId ?? null,
          channel: channel.id,
          recipient: channel.recipient(message.chat),
          chat: message.chat ?? null,
          choices: message.choices && isLast ? JSON.stringify(message.choices) : null,
          file: fileId ?? null,
          reply_to: message.replyTo ?? null,
          part: index + 1,
          parts: contents.length,
          body: text,
          state: 'pending',
          due_at: now.toISOString(),
          expires_at: new Date(now.getTime() + EXPIRY_MS).toISOString(),
          created_at: now.toISOString(),
        });
        if (file && fileId && isNew) await this.#outbox.keepFile(fileId, file);
      }
      return this.#sender.takeNext(key);
    });
  }

  /** The parts of a message: its text, in pieces or for a very long one as a file, and the file that goes with it. */
  #contents(message: Message, channel: Channel): readonly Content[] {
    const { maxLength, maxFileBytes } = channel;
    const text = this.#outgoing(message) + choicesInWords(channel, message.choices);
    const pieces = splitText(text, maxLength);
    const attached = this.#attached(message);
    // The name of a file says as much.
    if (message.file && message.text === message.file.name) return attached;
    if (!maxLength || maxFileBytes === undefined || pieces.length <= MOST_PIECES || message.asks)
      return [...pieces.map((piece) => ({ text: piece })), ...attached];
    const first = splitText(text, { ...maxLength, max: maxLength.max - maxLength.measure(IN_FILE) });
    const beginning = (first[0] ?? '').replace(/^\(\d+\/\d+\)\s/u, '');
    const file = { name: 'answer.md', bytes: Buffer.from(text) };
    return [{ text: `${beginning}${IN_FILE}` }, { text: file.name, file }, ...attached];
  }

  #attached({ file }: Message): readonly Content[] {
    if (!file) return [];
    const sent = harmless(file, file.voice, (text) => this.#redactor.redact(text));
    return [{ text: this.#outgoing({ text: sent.name, voice: STRANGER }), file: sent }];
  }

  /** A text as anybody may have it: without secrets, and without links but those that its voice may set. */
  #outgoing({ text, voice, asks }: Pick<Message, 'text' | 'voice' | 'asks'>): string {
    const clean = cleanText(this.#redactor.redact(text).replaceAll(ASKS, '')).trim();
    return `${asks ? `${ASKS} ` : ''}${inert(clean, voice) || '(empty message)'}`;
  }

  async flush(): Promise<void> {
    this.#flushing ??= this.#flushAll()
      .catch((error: unknown) => this.#deps.log.error('outbox not flushed', { error: messageOf(error) }))
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  async nextFlush(flushedAt: Date): Promise<Date | undefined> {
    const times = [await this.#outbox.nextFlush(flushedAt), await this.notices.nextAt()];
    return times.filter((time) => time !== undefined).toSorted((one, other) => Number(one) - Number(other))[0];
  }

  async #flushAll(): Promise<void> {
    await this.notices.advance();
    await this.#sender.takeUpLost();
    await this.#expire();
    await this.#outbox.dropFiles();
    const seen = new Set<string>();
    for (let due = await this.#due(seen); due.length > 0; due = await this.#due(seen)) {
      for (const part of due) {
        seen.add(part.id);
        if (this.#closing.signal.aborted) return;
        await this.#attemptInBackground(part);
      }
    }
  }

  /** The next batch; parts tried in this flush wait for the next, or a failing one would be tried forever. */
  async #due(seen: ReadonlySet<string>): Promise<StoredPart[]> {
    const due = await this.#outbox.due(this.#deps.now().toISOString(), BATCH);
    return due.filter((part) => !seen.has(part.id));
  }

  /** Nobody waits for the outcome of a background attempt: what did not arrive is told where the owner is. */
  async #attemptInBackground(part: StoredPart): Promise<void> {
    await this.#sender.attempt(part, this.#closing.signal);
    const after = await this.#outbox.find(part.id);
    const why = after?.last_error ?? '';
    if (after?.state === 'failed') await this.#tellLost(part, `not sent to ${part.channel}: ${why}`);
    if (after?.state === 'unknown') await this.#tellLost(part, `unknown whether it reached ${part.channel}: ${why}`);
    if (after?.state === 'sent' && why !== '') await this.#tellOf(part, `sent to ${part.channel}, but ${why}`);
  }

  /** A notice goes on by its route; of any other message a notice tells. */
  async #tellLost(part: StoredPart, why: string): Promise<void> {
    const carried = await this.#deps.store.transaction(() => this.notices.lost(messageKey(part.dedupe_key), why));
    if (!carried) await this.#tellOf(part, why);
    else await this.notices.advance();
  }

  /** The outbox does not know whose words it has, only that they are inert; and a service says what it likes. */
  async #tellOf({ id, body }: StoredPart, why: string): Promise<void> {
    const voice = { untrusted: true, links: body.match(/\bhttps?:\/\/\S+/gu) ?? [] };
    await this.#tellHere({ text: `(${why})\n${body}`, voice, idempotencyKey: `outbox:${id}` });
  }

  /** Expire old messages, with one line per channel. */
  async #expire(): Promise<void> {
    const now = this.#deps.now().toISOString();
    for (const { channel, messages } of await this.#outbox.expire(now)) {
      const why = `not sent to ${channel} within a day`;
      const carried = await Promise.all(
        messages.map((message) => this.#deps.store.transaction(() => this.notices.lost(message, why))),
      );
      const count = carried.filter((each) => !each).length;
      const what = count === 1 ? 'A message' : `${count} messages`;
      const text = `${what} to ${channel} could not be sent within a day; see \`wooster notify --list\`.`;
      if (count > 0) await this.#tellHere({ text, idempotencyKey: `outbox:expired:${channel}:${now}` });
    }
    await this.notices.advance();
  }

  async recent(limit: number): Promise<readonly SentMessage[]> {
    return (await this.#outbox.recent(limit)).map((part) => ({
      id: part.id,
      channel: part.channel,
      state: part.state,
      text: part.body,
      detail: part.last_error ?? undefined,
      at: new Date(part.created_at),
    }));
  }

  withdraw(message: MessageName): Promise<void> {
    return this.#outbox.withdraw(this.#keyOf(message));
  }

  #keyOf({ to = '', chat, idempotencyKey = '' }: MessageName): string {
    return keyOf(idempotencyKey, this.#channel(to), chat);
  }

  async sentAs(message: MessageName) {
    const parts = await this.#outbox.message(this.#keyOf(message));
    return parts.at(-1)?.remote_id ?? undefined;
  }

  async outcome(idempotencyKey: string): Promise<Delivery | undefined> {
    for (const channel of this.#channels) {
      const parts = await this.#outbox.message(keyOf(idempotencyKey, channel));
      if (parts.length > 0) return outcomeOf(channel.id, parts);
    }
    return this.notices.outcome(idempotencyKey);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#unlisten();
    await Promise.allSettled([this.#flushing, ...this.#delivering]);
    await this.notices.close();
  }
}

/** Equal for the same message to the same recipient. */
function keyOf(key: string, channel: Channel, chat?: string): string {
  return sha256(`${key} ${channel.id} ${channel.recipient(chat)}`);
}
