import type { BaseMessage } from '@langchain/core/messages';
import { textOf } from '../models/reply.ts';

/** A token of the densest texts that models read: figures, other languages. */
const CHARS_PER_TOKEN = 3;
/** Of what is left, so that whole files leave room for the rest of the turn. */
const SHARE = 0.25;

/** What is left of a model's window for one more result. An estimate: compaction holds the real limit. */
export class Room {
  readonly #windowChars: number;
  #taken = 0;

  constructor(windowTokens: number) {
    this.#windowChars = windowTokens * CHARS_PER_TOKEN;
  }

  /** A request is sent. @param messages all of them. */
  sends(messages: readonly BaseMessage[]): void {
    this.#taken = messages.reduce((sum, message) => sum + textOf(message).length, 0);
  }

  /** A result is added to the next request. */
  adds(text: string): void {
    this.#taken += text.length;
  }

  /** In characters. */
  left(): number {
    return Math.max(0, Math.floor((this.#windowChars - this.#taken) * SHARE));
  }
}
