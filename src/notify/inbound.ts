/** What a channel that receives can also do. */
export interface InboundAbility {
  /** Words come in. Otherwise only the buttons of reminders are heard, whoever presses them, and nobody is paired. */
  readonly words: boolean;
  /** Choices are shown as buttons; otherwise the words that say them are written under the message. */
  readonly buttons: boolean;
  /** A message that was sent can be changed; otherwise nothing is said while work goes on. */
  readonly edits: boolean;
  readonly typing: boolean;
  /** Whoever writes there has it before their eyes for a while, so that reminders come there, too. */
  readonly live: boolean;
  readonly reactions: boolean;
  /** Files come in. */
  readonly files: boolean;
  /** The service says what was forwarded. Where it does not, what the owner forwards counts as their own words. */
  readonly forwards: boolean;
  /** There are chats with several people. */
  readonly groups: boolean;
}

/** A file that came with a message; its content is fetched when somebody wants it. */
export interface Attachment {
  /** By which the service knows it. */
  readonly id: string;
  /** As its sender calls it, unchecked. */
  readonly name: string;
  /** `voice`: spoken into the chat by whoever sent it; `audio`: any other recording. */
  readonly kind: 'file' | 'picture' | 'voice' | 'audio';
  /** As the service says it, unchecked. */
  readonly bytes?: number | undefined;
}

/** Something that was said in a chat with others. */
export interface Overheard {
  readonly id: string;
  /** As its author calls themselves, unchecked. */
  readonly name: string;
  readonly text: string;
}

interface Written {
  /** Who wrote it: the account's id on the channel. Names are no identity. */
  readonly account: string;
  readonly chat: string;
  /** As its author calls themselves, unchecked; for people to read. */
  readonly name?: string | undefined;
  /** Nobody else is in the chat. */
  readonly alone: boolean;
  /** Within the chat. */
  readonly id: string;
}

/** A message, or a new version of one. */
export interface ChatMessage extends Written {
  readonly kind: 'message' | 'edit';
  readonly text: string;
  /** It is meant for the assistant: always so in a chat with nobody else. */
  readonly addressed: boolean;
  /** Words of others in it: what was forwarded or is quoted. */
  readonly foreign: readonly { readonly name: string; readonly text: string }[];
  readonly attachments: readonly Attachment[];
  /** What was said in a chat with others before, since the assistant was addressed there last; no channel gives it. */
  readonly before?: readonly Overheard[] | undefined;
  /** The whole message is somebody else's, forwarded with its attachments. */
  readonly forwarded: boolean;
}

/** A button was pressed. `id` identifies the press. */
export interface ChatPress extends Written {
  readonly kind: 'press';
  /** What the choice says. */
  readonly text: string;
  /** The message that had the buttons. */
  readonly message: string;
}

export type ChatEvent = ChatMessage | ChatPress;

/** Some events, in their order, and the mark behind them. */
export interface Received {
  /** Given back to `receive`, it goes on behind these events. */
  readonly mark: string;
  readonly events: readonly ChatEvent[];
}

/** The receiving half of a channel. What throws, throws `AssistantError`. */
export interface Inbound {
  /** Identifies the account that receives, of which each has one receiver. Never a secret. */
  readonly account: string;
  /** Ask the service who this is. @returns for people: `@wooster_bot`. */
  probe(signal: AbortSignal): Promise<string>;
  /**
   * What comes in, until the signal fires.
   *
   * @param since  the mark of what was kept last; undefined: nothing yet.
   */
  receive(since: string | undefined, signal: AbortSignal): AsyncIterable<Received>;
  /** @throws AssistantError also for more than `maxBytes`. */
  download(attachment: Attachment, limits: { maxBytes: number; signal: AbortSignal }): Promise<Uint8Array>;
  /** Whose chat it is, where an account has several with nobody else in them. */
  ownerOf?(chat: string): string;
  /** The press has been noticed; services show a clock until then. */
  noticed?(press: ChatPress, signal: AbortSignal): Promise<void>;
  typing?(chat: string, signal: AbortSignal): Promise<void>;
  react?(message: Pick<ChatMessage, 'chat' | 'id'>, emoji: string, signal: AbortSignal): Promise<void>;
  /** A message that may be lost and makes no sound. @returns its id. */
  post?(chat: string, text: string, signal: AbortSignal): Promise<string>;
  /** Replace the text of a message, without its choices. */
  edit?(message: { chat: string; id: string }, text: string, signal: AbortSignal): Promise<void>;
  remove?(message: { chat: string; id: string }, signal: AbortSignal): Promise<void>;
}
