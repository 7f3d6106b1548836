import type { Voice } from '../base/turn.ts';
import type { Channel, Choice, Health, OutgoingFile } from './channel.ts';
import type { Inbound } from './inbound.ts';
import type { StoredNotice } from './notice-table.ts';

/** Says that notices have come in, or may be shown. */
export const NOTICES_TOPIC = 'notices';

export interface ChannelStatus extends Health {
  readonly name: string;
}

/** A channel that can receive as it is set up. */
export type ReceivingChannel = Channel & { readonly inbound: Inbound };

/**
 * What happened to one message. `queued`: kept in the outbox and retried while the program runs. `unknown`: it may or
 * may not have arrived.
 */
export interface Delivery {
  readonly channel: string;
  readonly state: 'sent' | 'queued' | 'failed' | 'unknown';
  readonly detail: string;
}

/** A message to the owner. */
export interface Message {
  readonly text: string;
  /** Absent: the owner themselves. */
  readonly voice?: Voice | undefined;
  /** Channel name, or `here`; absent: the owner's default channel (the first configured, else `here`). */
  readonly to?: string | undefined;
  /** The same for a repeated call, so that the message is queued only once. */
  readonly idempotencyKey?: string | undefined;
  readonly turnId?: string | undefined;
  readonly runId?: string | undefined;
  /** The chat on the channel; absent: the one that notices go to. */
  readonly chat?: string | undefined;
  /** The message in that chat that it answers, where the channel can show that. */
  readonly replyTo?: string | undefined;
  /** Goes with it, where the channel sends files. */
  readonly file?: (OutgoingFile & { readonly voice?: Voice | undefined }) | undefined;
  /** What its reader may answer. */
  readonly choices?: readonly Choice[] | undefined;
  /** A question of the program's own: no other text can look like one. */
  readonly asks?: true | undefined;
}

/** Which message. */
export type MessageName = Pick<Message, 'to' | 'chat' | 'idempotencyKey'>;

/** A message that the owner wrote in a chat of their own. */
export interface AskedIn {
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
  readonly message: string;
}

/** What the owner is to be told about a job: the result of a run, a failure, the digest of what was missed. */
export interface Notice {
  readonly text: string;
  /** Absent: the owner themselves, or Wooster. */
  readonly voice?: Voice | undefined;
  /** The route as it is written, mostly the name of a channel; absent: that of the settings. */
  readonly to?: string | undefined;
  /** What asked for it, if that was in a chat: there it comes as a reply, and without a route it goes there. */
  readonly answers?: AskedIn | undefined;
  /** The same when the same notice is posted again after a crash. */
  readonly key: string;
  readonly runId?: string | undefined;
  /** Comes again until its owner says that it is done, and does not wait for the end of the quiet hours. */
  readonly urgent?: boolean | undefined;
}

/** A notice as a face shows it. */
export interface ShownNotice {
  readonly key: string;
  /** By which its owner says that it is done. */
  readonly number: number;
  readonly text: string;
  /** When it was due. */
  readonly at: Date;
  readonly urgent: boolean;
  /** A reminder, or the result of a scheduled prompt. */
  readonly ofJob: boolean;
  /** It comes again because nobody said that it is done. */
  readonly again: boolean;
  /** Another face may have shown it before. */
  readonly repeated: boolean;
  /** Why it did not arrive by another way. */
  readonly why: string | undefined;
  readonly answers?: AskedIn | undefined;
}

/** A notice with what has become of it. `delivered`: a face or a service confirmed it. `done`: its owner says so. */
export interface KnownNotice {
  /** See `Notice`. */
  readonly key: string;
  readonly number: number;
  readonly text: string;
  /** Somebody else may have written it. */
  readonly untrusted: boolean;
  readonly at: Date;
  readonly state: 'waiting' | 'delivered' | 'done';
  readonly urgent: boolean;
  /** The kind of face, or the channel, that confirmed it last. */
  readonly deliveredBy: string | undefined;
  readonly deliveredAt: Date | undefined;
  readonly doneBy: string | undefined;
  readonly doneAt: Date | undefined;
  /** When it goes on, to another step or another round. */
  readonly nextAt: Date | undefined;
  /** What became of the last attempt. */
  readonly why: string | undefined;
  readonly runId: string | undefined;
}

/** A row in the form that other modules see. */
export function toKnown(row: StoredNotice): KnownNotice {
  const time = (at: string | null) => (at === null ? undefined : new Date(at));
  return {
    key: row.key,
    ...{ number: row.number, text: row.text, untrusted: row.untrusted === 1 },
    ...{ at: new Date(row.created_at), state: row.state },
    ...{ urgent: row.urgent === 1, deliveredBy: row.delivered_by ?? undefined, deliveredAt: time(row.delivered_at) },
    ...{ doneBy: row.done_by ?? undefined, doneAt: time(row.done_at), nextAt: time(row.next_at) },
    ...{ why: row.outcome ?? undefined, runId: row.run_id ?? undefined },
  };
}

/** One message, or part of one, in the outbox. */
export interface SentMessage {
  readonly id: string;
  readonly channel: string;
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'expired';
  readonly text: string;
  readonly detail: string | undefined;
  readonly at: Date;
}
