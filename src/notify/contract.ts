import type { Accounts } from './accounts.ts';
import type { Inbox } from './inbox.ts';
import type { Notices } from './notices.ts';
import type { ChannelStatus, Delivery, Message, MessageName, ReceivingChannel, SentMessage } from './types.ts';

/** Sends messages to the owner. Every message goes through the outbox, so none is lost and none is sent twice. */
export interface Notifier {
  /** What the owner is to be told, at the face where they are or by a route. */
  readonly notices: Notices;
  /** Every channel, whether it is set up or not, in the order of preference. */
  channels(): Promise<readonly ChannelStatus[]>;
  /** Ids of the channels that are set up, and `here`. */
  configured(): readonly string[];
  /** The channel for a message without `to`. */
  defaultChannel(): Promise<string>;
  /** @throws AssistantError `unknown_channel`; `not_sent` when the channel is not configured. */
  send(message: Message, signal: AbortSignal): Promise<Delivery>;
  /** Take notices further and deliver what is due; called by the REPL and `serve` on a timer. Never rejects. */
  flush(): Promise<void>;
  /** When the next `flush` after `flushedAt` is needed, as far as is known now. */
  nextFlush(flushedAt: Date): Promise<Date | undefined>;
  /** Newest first: every message, sent or not. */
  recent(limit: number): Promise<readonly SentMessage[]>;
  /** Whose accounts speak as the owner. */
  readonly accounts: Accounts;
  /** What came in from them. */
  readonly inbox: Inbox;
  /** Whether a channel that is set up sends files. */
  sendsFiles(): boolean;
  receiving(): readonly ReceivingChannel[];
  /** What to set so that something can come in on a channel; undefined: nothing more, or it never can. */
  toReceive(channel: string): string | undefined;
  /** Nothing that waits of the message with this key is sent any more. */
  withdraw(message: MessageName): Promise<void>;
  /** By which the service knows the message that was sent with this key, its last part. */
  sentAs(message: MessageName): Promise<string | undefined>;
  /** The outcome of the message with this key; undefined when it never reached the outbox. */
  outcome(idempotencyKey: string): Promise<Delivery | undefined>;
  /** Stop sending; what is left stays in the outbox for the next start. */
  close(): Promise<void>;
}
