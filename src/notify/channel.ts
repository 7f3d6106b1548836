import type { Gateway } from '../net/types.ts';
import type { Inbound, InboundAbility } from './inbound.ts';
import type { LengthLimit } from './split.ts';

/** One setting of a channel, as data: settings/ turns it into a row of docs/config.md and of .env.example. */
export type ChannelOption = {
  /** Dotted key in the config files. */
  readonly key: string;
  readonly env: string;
  /** What it is for. */
  readonly about: string;
  /** What happens without it. */
  readonly without: string;
  /** Whoever knows it can read or send; yet it may be an ordinary word. Backups leave it out as they do secrets. */
  readonly unguessable?: true;
} & (
  | { readonly kind: 'text' | 'url' }
  /**
   * A key, a token, or an address that anybody who has it can use. Every occurrence of the value is hidden wherever
   * text leaves the program, so a value that may be an ordinary word (a topic, a room, a user name) has to be `text`.
   */
  | { readonly kind: 'secret' | 'secretUrl' }
  | { readonly kind: 'word'; readonly default: string }
  | { readonly kind: 'integer'; readonly default: number; readonly min: number; readonly max: number }
);

export type OptionRows = Readonly<Record<string, ChannelOption>>;

type ValueOf<Option extends ChannelOption> = Option extends { readonly kind: 'integer' }
  ? number
  : Option extends { readonly kind: 'word' }
    ? string
    : string | undefined;

/** The values of a channel's options as the settings deliver them. */
export type OptionValues<Rows extends OptionRows> = { readonly [Name in keyof Rows]: ValueOf<Rows[Name]> };

/** What a channel may use of the program. */
export interface ChannelDeps {
  readonly gateway: Gateway;
  /** The chat of the account that was paired first, for a channel whose settings name none. */
  pairedChat?(channel: string): string | undefined;
  /** The chats in which the owner has been heard lately, for a service that does not repeat what was missed. */
  heardIn?(channel: string): Promise<readonly string[]>;
  /** Whether anything of what an account writes need be read: it is the owner's, or may become so. */
  hears?(channel: string, account: string): Promise<boolean>;
  /** What a reader sees of HTML, in lines. */
  pageText?(html: string): Promise<string>;
  /** Whether a text that came in is one that the program has sent itself: by its id at the service, or as it stands. */
  wasSent?(channel: string, message: { readonly remoteId: string; readonly text: string }): Promise<boolean>;
}

/**
 * The complete description of one way to reach somebody. Settings, tools, prompts, docs and `doctor` are derived
 * from the list in channels.ts; no other file names a channel.
 */
export interface ChannelDescriptor<Id extends string = string, Rows extends OptionRows = OptionRows> {
  /** Lower case: what `to`, `--to` and the outbox say, and the start of the tool's name, `<id>_notify`. */
  readonly id: Id;
  /** The service's own name, for people. */
  readonly label: string;
  /** Whether it reaches the owner and nobody else; the policy asks before a message to others. */
  readonly own: boolean;
  /** Whether messages leave this machine; such a channel gets a tool of its own. */
  readonly remote: boolean;
  /** Names start with the id, so that they are unique among all channels. */
  readonly options: Rows;
  /** The options without which nothing can be sent, of a list one, preferably the first; a chat can also be paired. */
  readonly needs: readonly (string | readonly string[])[];
  /** Values that whoever sets it up need not think of, such as a random topic. */
  fresh?(): { readonly [Name in keyof Rows]?: string };
  /** Options that are not set, from what the owner has set for plugins. */
  borrow?(options: OptionValues<Rows>, plugins: Readonly<Record<string, unknown>>): Partial<OptionValues<Rows>>;
  /** What is left to do on the phone, with an address for it to open. */
  subscribe?(options: OptionValues<Rows>): { readonly text: string; readonly url: string };
  /** The longest single message; longer texts are sent in parts. Absent: any length. */
  readonly maxLength?: LengthLimit;
  /** It sends files up to this size. Absent: none. */
  readonly maxFileBytes?: number;
  /** What it can do besides sending, if it also receives; whatever is missing is done without. */
  readonly receives?: InboundAbility;
  connect(options: OptionValues<Rows>, deps: ChannelDeps): Connection;
}

/** Whether a channel can be used as it is set up. */
export interface Health {
  readonly configured: boolean;
  /** One line: where messages go, or what to set. Never a secret. */
  readonly detail: string;
}

/** A channel with its options. */
export interface Connection {
  health(): Health;
  /**
   * Identifies the destination in the outbox, and so changes with the settings. Never a secret.
   *
   * @param chat  another chat of the same account; absent: the one that notices go to.
   */
  recipient(chat?: string): string;
  /** Try once. Never rejects: whatever happens is an outcome. */
  send(text: string, signal: AbortSignal, attempt?: Attempt): Promise<Outcome>;
  /** Receiving; absent: it cannot, or is not set up for it. */
  readonly inbound?: Inbound | undefined;
  /** What to set so that something can come in; absent: nothing more, or it never can. */
  readonly toReceive?: string | undefined;
}

/** One of several answers to a message, to be chosen with a press where the channel can show buttons. */
export interface Choice {
  readonly label: string;
  /** What choosing it says, as if it had been written; at most 64 bytes. */
  readonly says: string;
}

/** A file to be sent. */
export interface OutgoingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is known of one attempt to send. */
export interface Attempt {
  /** The same for every attempt to send this message, for services that recognise a repetition. */
  readonly id: string;
  /** These recipients alone, as named by the `left` of an earlier outcome. */
  readonly only?: readonly string[] | undefined;
  /** The chat to send to; absent: the one that notices go to. */
  readonly chat?: string | undefined;
  /** What its reader may answer. */
  readonly choices?: readonly Choice[] | undefined;
  /** The message that it answers; nothing is wrong where that is gone. */
  readonly replyTo?: string | undefined;
  /** A file; the text, which may be empty, goes with it. */
  readonly file?: OutgoingFile | undefined;
}

/** A connected channel with its description. */
export type Channel = Connection &
  Pick<ChannelDescriptor, 'id' | 'label' | 'own' | 'remote' | 'maxLength' | 'maxFileBytes' | 'receives'>;

/** Identity, for inference: option values get exact types. */
export function defineChannel<const Id extends string, const Rows extends OptionRows>(
  descriptor: ChannelDescriptor<Id, Rows>,
): ChannelDescriptor<Id, Rows> {
  return descriptor;
}

/** The outcome of one attempt. */
export type Outcome =
  | {
      readonly state: 'sent';
      /** The service's own id of the message. */
      readonly remoteId?: string | undefined;
      readonly detail: string;
      /** The recipients, of several, who will never get it, in words. */
      readonly lost?: readonly string[] | undefined;
    }
  /**
   * Not delivered; worth another try. `busy`: asked to wait, `down`: unreachable, `error`: refused, `unclear`: a server
   * error, after which the message may be there all the same, so further tries are marked. The last two are retried
   * five times only. `waitMs` absent: the outbox's own back-off.
   */
  | {
      readonly state: 'retry';
      readonly detail: string;
      readonly why: 'busy' | 'down' | 'error' | 'unclear';
      readonly waitMs?: number | undefined;
      /** Some recipients have received it; only these are retried. */
      readonly left?: readonly string[] | undefined;
      readonly lost?: readonly string[] | undefined;
    }
  /** Certainly not delivered, and another try would end the same. */
  | { readonly state: 'failed'; readonly detail: string }
  /** As `failed`, and the channel must not be used again for this recipient. */
  | { readonly state: 'off'; readonly detail: string }
  /** It may or may not have arrived. */
  | { readonly state: 'unknown'; readonly detail: string };
