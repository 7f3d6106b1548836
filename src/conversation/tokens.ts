import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { estimateTokens } from '../base/text.ts';
import { dataOf } from '../models/message-data.ts';
import { PICTURE_TOKENS, textOf } from '../models/reply.ts';

/** Counts the tokens of plain text. */
export type TextCounter = (text: string) => number;

/** Token estimates of stored messages. */
const STORED = new WeakMap<BaseMessage, number>();

/** Remember the token estimate of a message, so that it need not be estimated again. */
export function rememberEstimate(message: BaseMessage, tokens: number): void {
  STORED.set(message, tokens);
}

/** What every message costs beyond its content: role and separators. */
const MESSAGE_TOKENS = 2;

/**
 * Counts the tokens of messages, tool calls included. Counts are remembered per message object, because a turn counts
 * the same messages before every request; the memo lives as long as the message and affects nothing but speed.
 */
export class MessageCounter {
  readonly #count: TextCounter;
  readonly #known = new WeakMap<BaseMessage, number>();

  constructor(count: TextCounter = estimateTokens) {
    this.#count = count;
  }

  of(message: BaseMessage): number {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    const stored = this.#count === estimateTokens ? STORED.get(message) : undefined;
    const pictures = (dataOf(message).pictures?.length ?? 0) * PICTURE_TOKENS;
    const tokens = MESSAGE_TOKENS + pictures + (stored ?? this.#count(textOf(message)) + this.#calls(message));
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

type Encoding = 'o200k_base' | 'cl100k_base';

/** Models whose tokenizer is known, by name without the provider's prefix (`openai/gpt-4o` is `gpt-4o`). */
const ENCODINGS: readonly { readonly models: RegExp; readonly encoding: Encoding }[] = [
  { models: /^(?:gpt-4o|gpt-4\.[15]|gpt-5|chatgpt-4o|o[1345](?:-|$)|gpt-oss)/u, encoding: 'o200k_base' },
  { models: /^(?:gpt-4|gpt-3\.5|text-embedding-)/u, encoding: 'cl100k_base' },
];

/**
 * Encoding takes time quadratic in the length of a piece that the tokenizer does not split: letters, punctuation or
 * whitespace. Longer pieces are estimated by their length. Compact JSON is not such a piece, however long.
 */
const LONG_WORD = /[\p{L}\p{M}]{64,}|[^\s\p{L}\p{M}\p{N}]{64,}|\s{64,}/gu;
const CHARS_PER_TOKEN_IN_LONG_WORDS = 2;

/**
 * Finds the counter for a model by its name. Each tokenizer is loaded once, on first use, from the installed package;
 * nothing is downloaded. Models without a known tokenizer share the estimate.
 */
export function createCounters(): (model: string) => Promise<MessageCounter> {
  const known = new Map<string, Promise<MessageCounter>>();
  const estimate = Promise.resolve(new MessageCounter(estimateTokens));
  return (model) => {
    const encoding = encodingOf(model);
    if (encoding === undefined) return estimate;
    const counter = known.get(encoding) ?? load(encoding).then((count) => new MessageCounter(count));
    known.set(encoding, counter);
    return counter;
  };
}

function encodingOf(model: string): Encoding | undefined {
  const name = model.toLowerCase().replace(/^.*\//u, '');
  return ENCODINGS.find(({ models }) => models.test(name))?.encoding;
}

async function load(encoding: Encoding): Promise<TextCounter> {
  const [{ Tiktoken }, ranks] = await Promise.all([
    import('js-tiktoken/lite'),
    encoding === 'o200k_base' ? import('js-tiktoken/ranks/o200k_base') : import('js-tiktoken/ranks/cl100k_base'),
  ]);
  const tokenizer = new Tiktoken(ranks.default);
  return (text) => {
    let long = 0;
    const rest = text.replace(LONG_WORD, (word) => {
      long += Math.ceil(word.length / CHARS_PER_TOKEN_IN_LONG_WORDS);
      return ' ';
    });
    // No special tokens: `<|endoftext|>` in a document is plain text.
    return long + tokenizer.encode(rest, [], []).length;
  };
}
