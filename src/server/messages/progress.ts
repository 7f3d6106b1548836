import type { ReceivingChannel } from '../../notify/types.ts';

/** Services show that somebody is typing for about five seconds. */
const TYPING_MS = 4000;
/** Work that is done within this time needs no words. */
const LONG_MS = 6000;
/** Services slow down whoever changes a message more often. */
const EDIT_MS = 3000;

/** Shows in a chat that a turn is being worked on: as typing, and for long work by one message that changes. */
export class Progress {
  readonly #channel: ReceivingChannel;
  readonly #chat: string;
  readonly #over = new AbortController();
  readonly #typing: NodeJS.Timeout;
  readonly #long: NodeJS.Timeout;
  #doing = 'Working on it.';
  #shown: string | undefined;
  #message: Promise<string | undefined> | undefined;
  #editing: NodeJS.Timeout | undefined;

  constructor(channel: ReceivingChannel, chat: string) {
    this.#channel = channel;
    this.#chat = chat;
    const type = () => void this.#try((signal) => channel.inbound.typing?.(chat, signal));
    type();
    this.#typing = setInterval(type, TYPING_MS).unref();
    this.#long = setTimeout(() => this.#post(), LONG_MS).unref();
  }

  /** A tool is used now. */
  doing(tool: string): void {
    this.#doing = `Working on it: ${tool}`;
    if (this.#message) this.#editing ??= setTimeout(() => void this.#edit(), EDIT_MS).unref();
  }

  /** The answer comes now, as a message of its own, which makes a sound. */
  async end(): Promise<void> {
    clearInterval(this.#typing);
    clearTimeout(this.#long);
    clearTimeout(this.#editing);
    const id = await this.#message;
    const { inbound } = this.#channel;
    if (id !== undefined) await this.#try((signal) => inbound.remove?.({ chat: this.#chat, id }, signal));
    this.#over.abort();
  }

  #post(): void {
    const { inbound } = this.#channel;
    if (!inbound.post || !inbound.edit) return;
    this.#shown = this.#doing;
    this.#message = this.#try((signal) => inbound.post?.(this.#chat, this.#doing, signal));
  }

  async #edit(): Promise<void> {
    this.#editing = undefined;
    const id = await this.#message;
    if (id === undefined || this.#shown === this.#doing) return;
    this.#shown = this.#doing;
    await this.#try((signal) => this.#channel.inbound.edit?.({ chat: this.#chat, id }, this.#doing, signal));
  }

  /** Nothing of this matters enough to be tried twice. */
  async #try<T>(act: (signal: AbortSignal) => Promise<T> | undefined): Promise<T | undefined> {
    const signal = AbortSignal.any([this.#over.signal, AbortSignal.timeout(10_000)]);
    return act(signal)?.catch(() => undefined);
  }
}
