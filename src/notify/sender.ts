import type { Log } from '../base/log.ts';
import { isGone, leaseHolder } from '../base/process-identity.ts';
import type { Store } from '../store/store.ts';
import type { Channel, Outcome } from './channel.ts';
import type { Outbox, StoredPart } from './outbox.ts';

export interface SenderDeps {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly channels: readonly Channel[];
  readonly log: Log;
  now(): Date;
}

type Retry = Outcome & { readonly state: 'retry' };

/** After this a part still marked as sending counts as lost; longer than any channel's own deadline. */
const LEASE_MS = 15 * 60_000;
/** Attempts after server errors; an unreachable service is retried until the message expires. */
const MAX_TRIES = 5;
const REPEATED = '(may be repeated) ';
/** First and longest wait, doubling in between. */
const WAITS = { busy: [60_000, 15 * 60_000], down: [2000, 5 * 60_000], error: [2000, 5 * 60_000] } as const;
const REPEAT_AFTER_MS = 2000;

/** Sends one part of a message through its channel and records in the outbox what came of it. */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #owner = leaseHolder();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Is the part's channel waiting because of an earlier failure? */
  isHeld(part: StoredPart): boolean {
    const hold = this.#deps.outbox.channelState(part.channel, part.recipient)?.hold_until;
    return hold !== null && hold !== undefined && hold > this.#deps.now().toISOString();
  }

  /** Try once. The intent is committed before the request and the outcome after it. */
  async attempt(part: StoredPart, signal: AbortSignal): Promise<void> {
    const { outbox, channels } = this.#deps;
    const channel = channels.find((each) => each.id === part.channel);
    const obstacle = this.#obstacle(part, channel);
    if (!channel || obstacle !== undefined) {
      outbox.set(part.id, { state: 'failed', last_error: obstacle ?? 'no such channel' });
      return;
    }
    const lease = new Date(this.#deps.now().getTime() + LEASE_MS).toISOString();
    if (!outbox.claim(part.id, this.#owner, lease)) return;
    const text = part.repeats > 0 ? `${REPEATED}${part.body}` : part.body;
    const outcome = await channel.send(text, signal, recipientsOf(part).left);
    this.#deps.store.transaction(() => this.#record({ ...part, attempts: part.attempts + 1 }, outcome));
    this.#deps.log.info('message', {
      id: part.id,
      channel: part.channel,
      state: outcome.state,
      detail: outcome.detail,
    });
  }

  /** Why a part cannot be sent any more: the settings changed, or the channel was switched off. */
  #obstacle(part: StoredPart, channel: Channel | undefined): string | undefined {
    if (channel?.recipient() !== part.recipient) return 'its recipient is no longer configured';
    return this.#deps.outbox.channelState(part.channel, part.recipient)?.off_because ?? undefined;
  }

  #record(part: StoredPart, outcome: Outcome): void {
    const { outbox } = this.#deps;
    const known = recipientsOf(part);
    const released = { owner: null, lease_until: null, last_error: outcome.detail };
    switch (outcome.state) {
      case 'sent':
        this.#sent(part, [...known.lost, ...(outcome.lost ?? [])], outcome.remoteId);
        this.#setChannel(part, { off: null, holdUntil: null, failures: 0 });
        break;
      case 'retry':
        if (outcome.left ?? known.left) this.#postponeRest(part, outcome);
        else this.#postpone(part, outcome);
        break;
      case 'unknown':
        this.#repeatOnce(part, outcome.detail);
        break;
      default:
        if (known.left) {
          this.#sent(part, [...known.lost, outcome.detail]);
          break;
        }
        outbox.set(part.id, { ...released, state: 'failed' });
        outbox.stopAfter(part);
        if (outcome.state === 'off') this.#setChannel(part, { off: outcome.detail, holdUntil: null, failures: 0 });
    }
  }

  /** @param lost the recipients who did not get it although others did, in words. */
  #sent(part: StoredPart, lost: readonly string[], remoteId: string | null = part.remote_id): void {
    const last_error = lost.length === 0 ? null : `not to ${lost.join(', ')}`;
    const released = { owner: null, lease_until: null, recipients: null };
    this.#deps.outbox.set(part.id, { ...released, state: 'sent', remote_id: remoteId, last_error });
  }

  /** Some recipients have got it: retry for the others alone, without holding up the channel. */
  #postponeRest(part: StoredPart, outcome: Retry): void {
    const known = recipientsOf(part);
    const left = outcome.left ?? known.left;
    const lost = [...known.lost, ...(outcome.lost ?? [])];
    const due_at = new Date(this.#deps.now().getTime() + waitMs(outcome, part.attempts)).toISOString();
    if (part.attempts >= MAX_TRIES || due_at >= part.expires_at) {
      this.#sent(part, [...lost, `${outcome.detail}; given up after ${part.attempts} tries`]);
      return;
    }
    this.#deps.outbox.set(part.id, {
      ...{ state: 'pending', due_at, owner: null, lease_until: null },
      recipients: JSON.stringify({ left, lost }),
      last_error: `some have got it; retrying for ${outcome.detail}`,
    });
  }

  /** Not delivered: the whole channel waits, so that a long outage does not cause a flood of attempts. */
  #postpone(part: StoredPart, outcome: Retry): void {
    const { outbox } = this.#deps;
    const failures = (outbox.channelState(part.channel, part.recipient)?.failures ?? 0) + 1;
    const now = this.#deps.now();
    const due = new Date(now.getTime() + waitMs(outcome, failures)).toISOString();
    const over = (outcome.why === 'error' && part.attempts >= MAX_TRIES) || due >= part.expires_at;
    const last_error = over ? `${outcome.detail}; given up after ${part.attempts} tries` : outcome.detail;
    const state = over ? 'failed' : 'pending';
    outbox.set(part.id, { state, due_at: due, last_error, owner: null, lease_until: null });
    if (over) outbox.stopAfter(part);
    this.#setChannel(part, { off: null, holdUntil: due, failures });
  }

  /** It may have arrived: send it once more, marked as a possible repetition; after that it stays unknown. */
  #repeatOnce(part: StoredPart, detail: string): void {
    const { outbox } = this.#deps;
    const released = { owner: null, lease_until: null };
    if (part.repeats > 0) {
      outbox.set(part.id, { ...released, state: 'unknown', last_error: detail });
      outbox.stopAfter(part);
      return;
    }
    const due_at = new Date(this.#deps.now().getTime() + REPEAT_AFTER_MS).toISOString();
    const last_error = `${detail}; it will be sent once more, marked as such`;
    outbox.set(part.id, { ...released, state: 'pending', repeats: 1, due_at, last_error });
  }

  #setChannel(part: StoredPart, state: { off: string | null; holdUntil: string | null; failures: number }): void {
    const { off, holdUntil, failures } = state;
    const { outbox } = this.#deps;
    const known = outbox.channelState(part.channel, part.recipient);
    if (!known && off === null && holdUntil === null) return;
    outbox.setChannelState({
      channel: part.channel,
      address_hash: part.recipient,
      off_because: off,
      hold_until: holdUntil,
      failures,
    });
  }

  /** Take over parts whose process ended while sending them; whether they arrived is unknown. */
  takeUpLost(): void {
    const { outbox } = this.#deps;
    const now = this.#deps.now().toISOString();
    for (const part of outbox.sendingByOthers(this.#owner)) {
      const lost = isGone(part.owner ?? '') || (part.lease_until ?? '') <= now;
      if (lost) this.#deps.store.transaction(() => this.#repeatOnce(part, 'the program ended while sending'));
    }
  }
}

/** The recipients of a part, once some have got it and others have not. */
interface Recipients {
  /** Undefined: all of them. */
  readonly left: readonly string[] | undefined;
  readonly lost: readonly string[];
}

function recipientsOf({ recipients }: StoredPart): Recipients {
  return recipients === null ? { left: undefined, lost: [] } : (JSON.parse(recipients) as Recipients);
}

/** With some jitter, so that several channels or programs do not retry at the same moment. */
function waitMs({ waitMs: told, why }: Retry, failures: number): number {
  const jitter = 1 + Math.random() / 10;
  if (told !== undefined) return told * jitter;
  const [first, longest] = WAITS[why];
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 20)) * jitter;
}
