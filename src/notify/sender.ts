import type { Log } from '../base/log.ts';
import { leaseHolder } from '../base/process-identity.ts';
import { counted } from '../base/text.ts';
import { leaseTime } from '../store/lease-time.ts';
import type { Store } from '../store/store.ts';
import { goneOwners } from '../store/workers.ts';
import type { Channel, Choice, Outcome } from './channel.ts';
import { choicesInWords } from './choices.ts';
import { Nonces } from './nonces.ts';
import { messageKey, type Outbox, REPEATED, type StoredPart } from './outbox.ts';

export interface SenderDeps {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly channels: readonly Channel[];
  readonly log: Log;
  now(): Date;
  /** The last part of a message is sent. In the transaction that records it. */
  arrived?(messageKey: string, channel: string): Promise<void>;
  /** What the reader of a message may answer that has no choices of its own. */
  choices?(messageKey: string): Promise<readonly Choice[]>;
}

type Retry = Outcome & { readonly state: 'retry' };

/** A part marked as sending for longer than this counts as lost; longer than the timeout of any channel. */
const LEASE_MS = 15 * 60_000;
/** Attempts after server errors; an unreachable service is retried until the message expires. */
const MAX_TRIES = 5;
/** First and longest wait; it doubles in between. */
const WAITS = {
  busy: [60_000, 15 * 60_000],
  down: [2000, 5 * 60_000],
  error: [2000, 5 * 60_000],
  unclear: [2000, 5 * 60_000],
} as const;
const REPEAT_AFTER_MS = 2000;

/** Sends one part of a message through its channel and records the outcome in the outbox. */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #nonces: Nonces;
  readonly #owner = leaseHolder();
  /** Parts in progress here, by id. */
  readonly #active = new Set<string>();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#nonces = new Nonces(deps);
  }

  /**
   * Claim the first unsent part of a message, so that no other program sends it. Within the caller's transaction, which
   * also stores the message or records the outcome of the part before.
   *
   * @returns undefined when no part is left, it has to wait, or another program has it.
   */
  async takeNext(message: string): Promise<StoredPart | undefined> {
    const parts = await this.#deps.outbox.message(message);
    const part = parts.find(({ state }) => state !== 'sent');
    return part?.state === 'pending' && !(await this.#isHeld(part)) ? this.#take(part) : undefined;
  }

  /** Claim and send a part, unless another program has it or its channel is on hold after a failure. */
  async attempt(part: StoredPart, signal: AbortSignal): Promise<void> {
    const taken = (await this.#isHeld(part)) ? undefined : await this.#take(part);
    if (taken) await this.send(taken, signal);
  }

  /**
   * Send a claimed part. The intent was committed before sending; the outcome is committed afterwards.
   *
   * @param recorded  called in the transaction that records the part as sent.
   */
  async send<T>(part: StoredPart, signal: AbortSignal, recorded?: () => Promise<T>): Promise<T | undefined> {
    this.#active.add(part.id);
    try {
      if (signal.aborted) {
        await this.#release(part);
        return undefined;
      }
      const outcome = await this.#request(part, signal);
      const { id } = part;
      const after = await this.#deps.store.transaction(async () => {
        await this.#recordOwn(part, outcome);
        return outcome.state === 'sent' ? recorded?.() : undefined;
      });
      this.#deps.log.info('message', { id, channel: part.channel, state: outcome.state, detail: outcome.detail });
      return after;
    } finally {
      this.#active.delete(part.id);
    }
  }

  /** Stopped before anything was sent, so sending it later is no repetition. */
  async #release({ id, attempts }: StoredPart): Promise<void> {
    await this.#deps.outbox.set(id, { state: 'pending', attempts: attempts - 1, owner: null, lease_until: null });
  }

  async #isHeld(part: StoredPart): Promise<boolean> {
    const state = await this.#deps.outbox.channelState(part.channel, part.recipient);
    return (state?.hold_until ?? '') > this.#deps.now().toISOString();
  }

  #channelOf(part: StoredPart): Channel | undefined {
    return this.#deps.channels.find((each) => each.id === part.channel);
  }

  /** @returns undefined when another program has it, or it can no longer be sent, which is recorded. */
  async #take(part: StoredPart): Promise<StoredPart | undefined> {
    const { outbox } = this.#deps;
    const obstacle = await this.#obstacle(part);
    if (obstacle === undefined) return outbox.claim(part.id, this.#owner, await this.#leaseEnd());
    if (await outbox.giveUp(part.id, obstacle)) await outbox.stopAfter(part);
    return undefined;
  }

  async #request(part: StoredPart, signal: AbortSignal): Promise<Outcome> {
    const channel = this.#channelOf(part);
    if (!channel) throw new Error(`no channel ${part.channel}`);
    // A file shows its name by itself.
    const said = part.file === null ? part.body : '';
    const body = part.repeats > 0 ? `${REPEATED}${said}` : said;
    const { choices, words } = await this.#choicesOf(part, channel);
    const text =
      channel.maxLength && channel.maxLength.measure(body + words) > channel.maxLength.max ? body : body + words;
    const { id, chat, reply_to } = part;
    const file = part.file === null ? undefined : await this.#deps.outbox.file(part.file);
    if (part.file !== null && !file) return { state: 'failed', detail: 'the file is gone' };
    const where = { chat: chat ?? undefined, replyTo: reply_to ?? undefined };
    return channel.send(text, signal, { id, only: recipientsOf(part).left, ...where, choices, file });
  }

  /**
   * They belong to the end of a message, as buttons or in words. Those of a message's own are in its text already where
   * there are no buttons, and are decisions: those do not go where nobody is known.
   */
  async #choicesOf({ part, parts, choices: own, dedupe_key }: StoredPart, channel: Channel) {
    const none = { choices: undefined, words: '' };
    const isKnown = channel.receives?.words !== false;
    if (part < parts || (own !== null && !isKnown)) return none;
    if (own !== null) return { choices: JSON.parse(own) as Choice[], words: '' };
    const choices = await this.#deps.choices?.(messageKey(dedupe_key));
    if (!choices || choices.length === 0) return none;
    if (isKnown) return { choices, words: choicesInWords(channel, choices) };
    return channel.inbound ? { choices: await this.#nonces.give(channel.id, choices), words: '' } : none;
  }

  async #leaseEnd(): Promise<string> {
    const now = await leaseTime(this.#deps.store, () => this.#deps.now());
    return new Date(now.getTime() + LEASE_MS).toISOString();
  }

  /** Why a part can no longer be sent: the settings changed, or the channel was switched off. */
  async #obstacle(part: StoredPart): Promise<string | undefined> {
    const channel = this.#channelOf(part);
    if (!channel) return 'no such channel';
    if (channel.recipient(part.chat ?? undefined) !== part.recipient) return 'its recipient is no longer configured';
    return (await this.#deps.outbox.channelState(part.channel, part.recipient))?.off_because ?? undefined;
  }

  /** When somebody else has taken over the part, only a certain outcome counts: that it is sent. */
  async #recordOwn(part: StoredPart, outcome: Outcome): Promise<void> {
    const current = await this.#deps.outbox.find(part.id);
    if (current?.owner === this.#owner || outcome.state === 'sent') await this.#record(part, outcome);
  }

  async #record(part: StoredPart, outcome: Outcome): Promise<void> {
    const { outbox } = this.#deps;
    const known = recipientsOf(part);
    const released = { owner: null, lease_until: null, last_error: outcome.detail };
    switch (outcome.state) {
      case 'sent':
        await this.#sent(part, [...known.lost, ...(outcome.lost ?? [])], outcome.remoteId);
        await this.#setChannel(part, { off: null, holdUntil: null, failures: 0 });
        break;
      case 'retry':
        if (outcome.left ?? known.left) await this.#postponeRest(part, outcome);
        else await this.#postpone(part, outcome);
        break;
      case 'unknown':
        await this.#repeatOnce(part, outcome.detail);
        break;
      default:
        if (known.left) {
          await this.#sent(part, [...known.lost, outcome.detail]);
          break;
        }
        await outbox.set(part.id, { ...released, state: 'failed' });
        await outbox.stopAfter(part);
        if (outcome.state === 'off')
          await this.#setChannel(part, { off: outcome.detail, holdUntil: null, failures: 0 });
    }
  }

  /** @param lost the recipients who did not receive it although others did, in words. */
  async #sent(part: StoredPart, lost: readonly string[], remoteId: string | null = part.remote_id): Promise<void> {
    const last_error = lost.length === 0 ? null : `not to ${lost.join(', ')}`;
    const released = { owner: null, lease_until: null, recipients: null };
    await this.#deps.outbox.set(part.id, { ...released, state: 'sent', remote_id: remoteId, last_error });
    if (part.part === part.parts) await this.#deps.arrived?.(messageKey(part.dedupe_key), part.channel);
  }

  /** Some recipients have received it: retry for the others alone, without holding up the channel. */
  async #postponeRest(part: StoredPart, outcome: Retry): Promise<void> {
    const known = recipientsOf(part);
    const left = outcome.left ?? known.left;
    const lost = [...known.lost, ...(outcome.lost ?? [])];
    const due_at = new Date(this.#deps.now().getTime() + waitMs(outcome, part.attempts)).toISOString();
    if (part.attempts >= MAX_TRIES || due_at >= part.expires_at) {
      await this.#sent(part, [...lost, givenUp(outcome, part)]);
      return;
    }
    await this.#deps.outbox.set(part.id, {
      ...{ state: 'pending', due_at, owner: null, lease_until: null },
      recipients: JSON.stringify({ left, lost }),
      last_error: `some have got it; retrying for ${outcome.detail}`,
    });
  }

  /** Not delivered: the whole channel waits, so that a long outage does not cause a flood of attempts. */
  async #postpone(part: StoredPart, outcome: Retry): Promise<void> {
    const { outbox } = this.#deps;
    const failures = ((await outbox.channelState(part.channel, part.recipient))?.failures ?? 0) + 1;
    const now = this.#deps.now();
    const due = new Date(now.getTime() + waitMs(outcome, failures)).toISOString();
    const few = outcome.why === 'error' || outcome.why === 'unclear';
    const over = (few && part.attempts >= MAX_TRIES) || due >= part.expires_at;
    const last_error = over ? givenUp(outcome, part) : outcome.detail;
    const repeats = outcome.why === 'unclear' ? part.repeats + 1 : part.repeats;
    const state = !over ? 'pending' : repeats > 0 ? 'unknown' : 'failed';
    await outbox.set(part.id, { state, repeats, due_at: due, last_error, owner: null, lease_until: null });
    if (over) await outbox.stopAfter(part);
    await this.#setChannel(part, { off: null, holdUntil: due, failures });
  }

  /** It may have arrived: send it once more, marked as a possible repetition; after that it stays unknown. */
  async #repeatOnce(part: StoredPart, detail: string): Promise<void> {
    const { outbox } = this.#deps;
    const released = { owner: null, lease_until: null };
    if (part.repeats > 0) {
      await outbox.set(part.id, { ...released, state: 'unknown', last_error: detail });
      await outbox.stopAfter(part);
      return;
    }
    const due_at = new Date(this.#deps.now().getTime() + REPEAT_AFTER_MS).toISOString();
    const last_error = `${detail}; it will be sent once more, marked as such`;
    await outbox.set(part.id, { ...released, state: 'pending', repeats: 1, due_at, last_error });
  }

  async #setChannel(
    part: StoredPart,
    state: { off: string | null; holdUntil: string | null; failures: number },
  ): Promise<void> {
    const { off, holdUntil, failures } = state;
    const { outbox } = this.#deps;
    const known = await outbox.channelState(part.channel, part.recipient);
    if (!known && off === null && holdUntil === null) return;
    await outbox.setChannelState({
      channel: part.channel,
      address_hash: part.recipient,
      off_because: off,
      hold_until: holdUntil,
      failures,
    });
  }

  /**
   * Take over parts whose process ended while sending them; whether they arrived is unknown. Our own may be among
   * them, if the answer to the claim was lost or the outcome could not be recorded.
   */
  async takeUpLost(): Promise<void> {
    const { outbox, store } = this.#deps;
    const sending = (await outbox.sending()).filter((part) => !this.#active.has(part.id));
    if (sending.length === 0) return;
    const owners = sending.flatMap((part) => part.owner ?? []);
    const gone = await goneOwners(store, owners, { leased: true });
    const now = (await leaseTime(store, () => this.#deps.now())).toISOString();
    for (const part of sending) {
      const lost = gone.has(part.owner ?? '') || (part.lease_until ?? '') <= now;
      if (lost) await store.transaction(() => this.#takeUp(part));
    }
  }

  /** Another program may have been faster. */
  async #takeUp({ id, owner, lease_until }: StoredPart): Promise<void> {
    const part = await this.#deps.outbox.find(id);
    if (part?.owner === owner && part.lease_until === lease_until)
      await this.#repeatOnce(part, 'the program ended while sending');
  }
}

/** Who still has to receive a part, and who never will, once others have received it. */
interface Recipients {
  /** Undefined: all of them. */
  readonly left: readonly string[] | undefined;
  readonly lost: readonly string[];
}

function recipientsOf({ recipients }: StoredPart): Recipients {
  return recipients === null ? { left: undefined, lost: [] } : (JSON.parse(recipients) as Recipients);
}

function givenUp({ detail }: Retry, { attempts }: StoredPart): string {
  return `${detail}; given up after ${counted(attempts, 'try', 'tries')}`;
}

/** With some jitter, so that several channels or programs do not retry at the same moment. */
function waitMs({ waitMs: told, why }: Retry, failures: number): number {
  const jitter = 1 + Math.random() / 10;
  if (told !== undefined) return told * jitter;
  const [first, longest] = WAITS[why];
  return Math.min(longest, first * 2 ** (failures - 1)) * jitter;
}
