import type { Voice } from '../base/turn.ts';
import type { Health } from './channel.ts';

export interface ChannelStatus extends Health {
  readonly name: string;
}

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
  /** Channel name; absent: the owner's default channel (the first configured, else the terminal). */
  readonly to?: string | undefined;
  /** The same for a repeated call, so that the message is queued only once. */
  readonly idempotencyKey?: string | undefined;
  readonly turnId?: string | undefined;
  readonly runId?: string | undefined;
}

/** What the owner is to be told about a job: the result of a run, a failure, the digest of what was missed. */
export interface Notice {
  readonly text: string;
  /** Absent: the owner themselves, or Wooster. */
  readonly voice?: Voice | undefined;
  /** Channel name; absent: the owner's default channel. */
  readonly to?: string | undefined;
  /** The same when the same notice is delivered again after a crash. */
  readonly key: string;
  readonly runId?: string | undefined;
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

/** Sends messages to the owner. Every message goes through the outbox, so none is lost and none is sent twice. */
export interface Notifier {
  /** Every channel, whether it is set up or not, in the order of preference. */
  channels(): Promise<readonly ChannelStatus[]>;
  /** Ids of the channels that are set up, the terminal included. */
  configured(): readonly string[];
  /** The channel for a message without `to`. */
  defaultChannel(): Promise<string>;
  /** @throws AssistantError `unknown_channel`; `not_sent` when the channel is not configured. */
  send(message: Message, signal: AbortSignal): Promise<Delivery>;
  /** Deliver what is due; called by the REPL and `serve` on a timer. Never rejects. */
  flush(): Promise<void>;
  /** When the next `flush` after `flushedAt` is needed, as far as is known now. */
  nextFlush(flushedAt: Date): Promise<Date | undefined>;
  /** Newest first: every message, sent or not. */
  recent(limit: number): Promise<readonly SentMessage[]>;
  /** The outcome of the message with this key; undefined when it never reached the outbox. */
  outcome(idempotencyKey: string): Promise<Delivery | undefined>;
  /** The delivery of the report of each run, as `deliveryText`; runs that sent nothing are missing. */
  reported(runIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stop sending; what is left stays in the outbox for the next start. */
  close(): Promise<void>;
}
