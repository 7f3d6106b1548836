import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError, messageOf } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { ACCOUNTS_TOPIC, type Account, type Accounts } from './accounts.ts';
import type { Channel } from './channel.ts';
import type { ChatEvent, ChatMessage, Inbound, Overheard, Received } from './inbound.ts';
import type { Inbox, InboxItem } from './inbox.ts';
import { Nonces } from './nonces.ts';
import { Outbox } from './outbox.ts';

export interface ReceiverDeps {
  readonly channel: Channel;
  readonly inbound: Inbound;
  readonly accounts: Accounts;
  readonly inbox: Inbox;
  readonly store: Store;
  readonly log: Log;
  now(): Date;
  /** The owner wrote or pressed something that is kept: what was left over first, then as it comes. Must not throw. */
  heard(items: readonly InboxItem[]): void;
  /** An account is the owner's from now on. Must not throw. */
  paired(account: Account): void;
  /** Somebody who is not known wrote, in a chat with nobody else. Must not throw. */
  strange?(message: ChatMessage): void;
  /** Another program receives from now on, or nothing does. */
  let(): Promise<void>;
}

/** How often another program's lock is tried; a program that was killed has let go of it. */
const LOCK_MS = 5000;
/** Codes and accounts of other programs are noticed at the latest after this time. */
const LOOK_MS = 3000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 60_000];
const HOUR_MS = 3_600_000;
/** So often the mark is kept while nothing else is. */
const MARK_MS = 1000;

/** What has come in, by what becomes of it. */
interface Sorted {
  readonly items: InboxItem[];
  readonly paired: Account[];
  readonly strange: ChatEvent[];
  /** What was said in groups, and not to the assistant. */
  readonly aside: Map<string, ChatMessage[]>;
}

/** Of more strangers in an hour nothing is written. */
const MOST_STRANGERS = 20;

/**
 * Receives on one account while no other program does: what the owner writes is kept together with the mark behind it,
 * and what anybody else writes leaves no trace but a line in the log.
 */
export class Receiver {
  readonly #deps: ReceiverDeps;
  readonly #closing = new AbortController();
  readonly #strangers = new Map<string, number>();
  #running: Promise<void> | undefined;
  #trouble: string | undefined;
  /** When something was kept last. */
  #keptAt = 0;
  /** The mark that was kept last, here. */
  #mark: string | undefined;

  constructor(deps: ReceiverDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, channel } = this.#deps;
    const { signal } = this.#closing;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#receiveInTurn(() => {
          pauseMs = FIRST_PAUSE_MS;
        });
      } catch (error) {
        if (signal.aborted) return;
        log.warn('a channel cannot receive', { channel: channel.id, error: messageOf(error) });
        await this.#note(error).catch(() => undefined);
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Wait until there is somebody to receive from and nobody else does it, then receive. */
  async #receiveInTurn(works: () => void): Promise<void> {
    const { channel, inbound, store, heard, inbox } = this.#deps;
    const { signal } = this.#closing;
    if (!(await this.#expects())) return this.#untilChange(signal);
    await using lock = await store.lock(`receive:${channel.id}:${inbound.account}`);
    if (!lock) return pause(LOCK_MS, signal);
    const over = new AbortController();
    const until = AbortSignal.any([signal, lock.lost, over.signal]);
    const unlisten = store.wake.on(ACCOUNTS_TOPIC, () => {
      this.#expects().then(
        (any) => any || over.abort(),
        () => undefined,
      );
    });
    try {
      await inbox.forgetOld(this.#deps.now());
      heard(await inbox.open(channel.id));
      const since = await inbox.mark(channel.id, inbound.account);
      this.#mark = since;
      for await (const received of inbound.receive(since, until)) {
        until.throwIfAborted();
        await this.#keep(received);
        works();
      }
    } catch (error) {
      if (!until.aborted) throw error;
    } finally {
      unlisten();
      await this.#deps.let();
    }
  }

  /** Where nobody is known, a button may be pressed at any time. */
  async #expects(): Promise<boolean> {
    const { accounts, channel } = this.#deps;
    return !this.#hearsWords || accounts.expects(channel.id);
  }

  get #hearsWords(): boolean {
    return this.#deps.channel.receives?.words !== false;
  }

  async #untilChange(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unlisten = this.#deps.store.wake.on(ACCOUNTS_TOPIC, resolve);
    await Promise.race([promise, pause(LOOK_MS, signal)]);
    unlisten();
  }

  async #keep(received: Received): Promise<void> {
    const { store, accounts, heard, paired } = this.#deps;
    const isKept = received.mark === '' || received.mark === this.#mark;
    if (received.events.length === 0 && isKept && this.#trouble === undefined) return;
    if (await this.#isLost(received)) return this.#pass(received.events);
    this.#keptAt = this.#deps.now().getTime();
    const found = await store.transaction(() => this.#sorted(received));
    this.#trouble = undefined;
    this.#mark = received.mark;
    if (found.paired.length > 0) await accounts.load();
    for (const account of found.paired) paired(account);
    this.#pass(found.strange);
    if (found.items.length > 0) heard(found.items);
  }

  /**
   * Nothing of it is kept, nor the mark behind it: that is kept with what comes next, or once in a while, so that
   * whoever writes thousands of messages does not keep the owner's waiting for as many commits.
   */
  async #isLost({ events }: Received): Promise<boolean> {
    const { accounts, channel, now } = this.#deps;
    const isRecent = now().getTime() - this.#keptAt < MARK_MS;
    if (!this.#hearsWords || !isRecent || this.#trouble !== undefined || events.length === 0) return false;
    if (events.some(({ alone }) => !alone)) return false;
    for (const account of new Set(events.map((event) => event.account)))
      if (await accounts.hears(channel.id, account)) return false;
    return true;
  }

  #pass(events: readonly ChatEvent[]): void {
    for (const event of events) this.#ignore(event);
    const alone = events.find((event) => event.alone && event.kind === 'message');
    if (alone?.kind === 'message') this.#deps.strange?.(alone);
  }

  /** In one transaction with the mark, so that nothing comes twice and nothing is lost. */
  async #sorted({ events, mark }: Received): Promise<Sorted> {
    const { channel, inbound, inbox, now, store } = this.#deps;
    const sorted: Sorted = { items: [], paired: [], strange: [], aside: new Map() };
    for (const event of events) await this.#sort(event, sorted);
    for (const [chat, said] of sorted.aside) {
      if (await inbox.knows(channel.id, chat)) await inbox.overheard.keep({ channel: channel.id, chat }, said, now());
      else sorted.strange.push(...said);
    }
    // Whoever had blocked Wooster there and writes again can be answered again.
    const { items, paired } = sorted;
    const heardIn = new Set([...items.map(({ event }) => event.chat), ...paired.map(({ chat }) => chat)]);
    for (const chat of heardIn) await new Outbox(store).reopen(channel.id, channel.recipient(chat));
    await inbox.note({ channel: channel.id, account: inbound.account }, { mark, trouble: null }, now());
    return sorted;
  }

  /** The owner's requests are kept, what else is said in groups is read with them, and nothing else is. */
  async #sort(given: ChatEvent, sorted: Sorted): Promise<void> {
    const { channel, inbox, now } = this.#deps;
    const { items, paired, strange, aside } = sorted;
    const { chat, alone } = given;
    const isOwners = this.#isOwners(given, paired);
    if (given.kind !== 'press' && (await this.#isPairing(given, isOwners, sorted))) return;
    const event = isOwners ? given : await this.#pressed(given);
    if (event && (event.kind === 'press' || event.addressed)) {
      const before = alone || event.kind !== 'message' ? undefined : await this.#overheard(chat, aside);
      const kept = before === undefined ? event : { ...event, before };
      if (await inbox.keep(channel.id, kept, now()))
        items.push({ channel: channel.id, event: kept, turnId: undefined });
    } else if (!alone && given.kind !== 'press') {
      aside.set(chat, [...(aside.get(chat) ?? []), event ? { ...given, name: 'the user' } : given]);
    } else if (!event) strange.push(given);
  }

  /** A code is never a request, whoever sends it, wherever, and however late: no model reads it. */
  async #isPairing(given: ChatMessage, isOwners: boolean, { paired }: Sorted): Promise<boolean> {
    const { channel, accounts } = this.#deps;
    if (!this.#hearsWords) return false;
    const { account, chat, alone, kind, text } = given;
    const isCode = await accounts.isCode(text);
    // What the owner writes is no guess at a code.
    if (!alone || kind !== 'message' || (isOwners && !isCode)) return isCode;
    const found = await accounts.redeem(text, { channel: channel.id, account, chat });
    if (found) paired.push(found);
    return found !== undefined || isCode;
  }

  async #overheard(chat: string, aside: Sorted['aside']): Promise<readonly Overheard[]> {
    const { channel, inbox } = this.#deps;
    const said = aside.get(chat) ?? [];
    aside.delete(chat);
    // What was said before the owner has ever spoken to it there is none of its business.
    return (await inbox.knows(channel.id, chat)) ? inbox.overheard.take({ channel: channel.id, chat }, said) : [];
  }

  #isOwners({ account }: ChatEvent, paired: readonly Account[]): boolean {
    const { accounts, channel } = this.#deps;
    return this.#hearsWords && [...accounts.of(channel.id), ...paired].some((each) => each.account === account);
  }

  /** Where nobody is known: what a button says whose nonce only somebody who saw the reminder has. */
  async #pressed(event: ChatEvent): Promise<ChatEvent | undefined> {
    const { channel, store, now } = this.#deps;
    if (this.#hearsWords || event.kind !== 'press') return undefined;
    const text = await new Nonces({ store, now }).redeem(channel.id, event.text);
    return text === undefined ? undefined : { ...event, text };
  }

  /** One line an hour for each of a few. */
  #ignore({ account }: ChatEvent): void {
    const { now, log, channel } = this.#deps;
    const at = now().getTime();
    for (const [each, since] of this.#strangers) if (at - since > HOUR_MS) this.#strangers.delete(each);
    if (this.#strangers.has(account) || this.#strangers.size >= MOST_STRANGERS) return;
    this.#strangers.set(account, at);
    log.info('a stranger was ignored', { channel: channel.id, account: sha256(account).slice(0, 12) });
  }

  /** What the doctor tells. */
  async #note(error: unknown): Promise<void> {
    const { channel, inbound, inbox, now } = this.#deps;
    const trouble = error instanceof AssistantError ? `${error.message} ${error.hint}` : messageOf(error);
    this.#trouble = trouble;
    await inbox.note({ channel: channel.id, account: inbound.account }, { trouble }, now());
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
