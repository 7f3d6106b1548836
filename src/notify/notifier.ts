import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { sha256 } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { nearest, preview } from '../base/text.ts';
import type { Gateway } from '../net/types.ts';
import type { Store } from '../store/store.ts';
import type { Channel } from './channel.ts';
import { type ChannelOptions, connectChannels } from './channels.ts';
import { inert } from './inert.ts';
import { messageKey, Outbox, type StoredPart } from './outbox.ts';
import { deliveryText, outcomeOf } from './outbox-outcome.ts';
import { Sender } from './sender.ts';
import { cleanText, splitText } from './split.ts';
import type { ChannelStatus, Delivery, Message, Notifier, SentMessage } from './types.ts';

export interface NotifierDeps {
  readonly options: ChannelOptions;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly log: Log;
  now(): Date;
  /** Show a text to the person at the terminal. */
  print(text: string): void;
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
  return new OutboxNotifier(deps, connectChannels(deps.options, deps));
}

class OutboxNotifier implements Notifier {
  readonly #deps: NotifierDeps;
  readonly #channels: readonly Channel[];
  readonly #outbox: Outbox;
  readonly #redactor: Redactor;
  readonly #sender: Sender;
  readonly #closing = new AbortController();
  #flushing: Promise<void> | undefined;
  readonly #delivering = new Set<Promise<Delivery>>();

  constructor(deps: NotifierDeps, channels: readonly Channel[]) {
    this.#deps = deps;
    this.#channels = channels;
    this.#outbox = new Outbox(deps.store);
    this.#sender = new Sender({ ...deps, outbox: this.#outbox, channels });
    this.#redactor = deps.redactor ?? new Redactor();
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
    return this.#channels.filter((channel) => channel.health().configured).map(({ id }) => id);
  }

  async defaultChannel(): Promise<string> {
    const chosen = this.#deps.options.defaultChannel;
    if (chosen !== undefined) return chosen;
    for (const channel of this.#channels) {
      if (channel.health().configured && !(await this.#offBecause(channel))) return channel.id;
    }
    return 'terminal';
  }

  /** Why the channel is switched off for its present recipient, if it is. */
  async #offBecause(channel: Channel): Promise<string | undefined> {
    return (await this.#outbox.channelState(channel.id, channel.recipient()))?.off_because ?? undefined;
  }

  async send(message: Message, signal: AbortSignal): Promise<Delivery> {
    const channel = this.#channel(message.to ?? (await this.defaultChannel()));
    const { configured, detail } = channel.health();
    if (!configured) {
      throw new AssistantError('not_sent', `Nothing was sent: ${channel.id} is not configured.`, {
        hint: `To use it, ${detail}.`,
      });
    }
    const off = await this.#offBecause(channel);
    if (off) return this.#handOn(message, { channel: channel.id, state: 'failed', detail: off });
    const delivering = this.#deliver(message, channel, AbortSignal.any([signal, this.#closing.signal]));
    this.#delivering.add(delivering);
    const delivery = await delivering.finally(() => this.#delivering.delete(delivering));
    return delivery.state === 'failed' ? this.#handOn(message, delivery) : delivery;
  }

  async #deliver(message: Message, channel: Channel, signal: AbortSignal): Promise<Delivery> {
    const id = newId('msg', this.#deps.now());
    const key = keyOf(message.idempotencyKey ?? id, channel);
    let part = await this.#enter(message, { channel, id, key });
    // In order, up to the first part that is not sent: the rest would make no sense without it.
    while (part) part = await this.#sender.send(part, signal, () => this.#sender.takeNext(key));
    return outcomeOf(channel.id, await this.#outbox.message(key));
  }

  /** @throws AssistantError `unknown_channel`. */
  #channel(name: string): Channel {
    const found = this.#channels.find((channel) => channel.id === name.toLowerCase());
    if (found) return found;
    const names = this.#channels.map((channel) => channel.id);
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
    const body = this.#outgoing(message);
    const texts = splitText(body === '' ? '(empty message)' : body, channel.maxLength);
    return this.#deps.store.transaction(async () => {
      for (const [index, text] of texts.entries()) {
        await this.#outbox.enter({
          id: `${id}.${index + 1}`,
          dedupe_key: `${key}:${index + 1}`,
          run_id: message.runId ?? null,
          turn_id: message.turnId ?? null,
          channel: channel.id,
          recipient: channel.recipient(),
          part: index + 1,
          parts: texts.length,
          body: text,
          state: 'pending',
          due_at: now.toISOString(),
          expires_at: new Date(now.getTime() + EXPIRY_MS).toISOString(),
          created_at: now.toISOString(),
        });
      }
      return this.#sender.takeNext(key);
    });
  }

  /** A text as any channel may have it: without secrets, and without links but those that its voice may set. */
  #outgoing({ text, voice }: Message): string {
    return inert(cleanText(this.#redactor.redact(text)), voice);
  }

  /** A failed message that no caller waits for, such as that of a job, is shown on the terminal instead. */
  #handOn(message: Message, delivery: Delivery): Delivery {
    const awaited = message.idempotencyKey === undefined || message.turnId !== undefined;
    if (awaited || delivery.channel === 'terminal') return delivery;
    this.#print(`(not sent to ${delivery.channel}: ${delivery.detail})\n${this.#outgoing(message)}`);
    return { ...delivery, detail: `${delivery.detail}; shown on the terminal instead` };
  }

  #print(text: string): void {
    try {
      this.#deps.print(cleanText(this.#redactor.redact(text)));
    } catch (error) {
      this.#deps.log.error('terminal could not be written', { error: messageOf(error) });
    }
  }

  async flush(): Promise<void> {
    this.#flushing ??= this.#flushAll()
      .catch((error: unknown) => this.#deps.log.error('outbox not flushed', { error: messageOf(error) }))
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  nextFlush(flushedAt: Date): Promise<Date | undefined> {
    return this.#outbox.nextFlush(flushedAt);
  }

  async #flushAll(): Promise<void> {
    await this.#sender.takeUpLost();
    await this.#expire();
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

  /** Nobody reads the outcome of a background attempt, so failures are shown. */
  async #attemptInBackground(part: StoredPart): Promise<void> {
    await this.#sender.attempt(part, this.#closing.signal);
    const after = await this.#outbox.find(part.id);
    if (part.channel === 'terminal' || !after) return;
    const why = after.last_error ?? '';
    if (after.state === 'failed') this.#print(`(not sent to ${part.channel}: ${why})\n${part.body}`);
    if (after.state === 'unknown') this.#print(`(unknown whether it reached ${part.channel}: ${why})\n${part.body}`);
    if (after.state === 'sent' && why !== '') this.#print(`(sent to ${part.channel}, but ${why})\n${part.body}`);
  }

  /** Expire old messages, with one line per channel. */
  async #expire(): Promise<void> {
    for (const { channel, count } of await this.#outbox.expire(this.#deps.now().toISOString())) {
      const what = count === 1 ? 'A message' : `${count} messages`;
      this.#print(`${what} to ${channel} could not be sent within a day; see \`wooster notify --list\`.`);
    }
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

  async outcome(idempotencyKey: string): Promise<Delivery | undefined> {
    for (const channel of this.#channels) {
      const parts = await this.#outbox.message(keyOf(idempotencyKey, channel));
      if (parts.length > 0) return outcomeOf(channel.id, parts);
    }
    return undefined;
  }

  async reported(runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const parts = await this.#outbox.reports(runIds);
    const texts = new Map<string, string>();
    // Oldest first: when another channel took over a message, the newer one counts.
    for (const message of Map.groupBy(parts, ({ dedupe_key }) => messageKey(dedupe_key)).values()) {
      const [first] = message;
      if (first?.run_id) texts.set(first.run_id, deliveryText(outcomeOf(first.channel, message)));
    }
    return texts;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#flushing, ...this.#delivering]);
  }
}

/** Equal for the same message to the same recipient. */
function keyOf(key: string, channel: Channel): string {
  return sha256(`${key} ${channel.id} ${channel.recipient()}`);
}
