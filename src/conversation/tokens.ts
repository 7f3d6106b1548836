import { AIMessage, type BaseMessage } from '@langchain/core/messages';

/** Counts tokens of plain text. */
export type TextCounter = (text: string) => number;

/** A token is taken as four characters where the model's own tokenizer is not known. */
export const estimateTokens: TextCounter = (text) => Math.ceil(text.length / 4);

/** What every message costs beyond its content: role and separators. */
const MESSAGE_TOKENS = 2;

/** Tokens of one message with its tool calls; each message object is counted once per counter. */
export class MessageCounter {
  readonly #count: TextCounter;
  readonly #known = new WeakMap<BaseMessage, number>();

  constructor(count: TextCounter = estimateTokens) {
    this.#count = count;
  }

  of(message: BaseMessage): number {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    const tokens = MESSAGE_TOKENS + this.#count(message.text) + this.#calls(message);
    this.#known.set(message, tokens);
    return tokens;
  }

  all(messages: readonly BaseMessage[]): number {
    return messages.reduce((sum, message) => sum + this.of(message), 0);
  }

  text(text: string): number {
    return this.#count(text);
  }

  #calls(message: BaseMessage): number {
    if (!AIMessage.isInstance(message)) return 0;
    const calls = message.tool_calls ?? [];
    return calls.reduce((sum, call) => sum + this.#count(`${call.name}${JSON.stringify(call.args)}`), 0);
  }
}
