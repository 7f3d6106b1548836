import type { AIMessage, AIMessageChunk, BaseMessage, UsageMetadata } from '@langchain/core/messages';

/** The text of a message. LangChain's `text` takes even plain text apart into blocks of content first. */
export function textOf(message: BaseMessage): string {
  return typeof message.content === 'string' ? message.content : message.text;
}

/** Why the model stopped, from whichever field its provider uses; undefined when the provider gave no reason. */
export function endMarker(message: BaseMessage): string | undefined {
  const meta: Record<string, unknown> = { ...message.additional_kwargs, ...message.response_metadata };
  const fields = [meta.finish_reason, meta.stop_reason, meta.done_reason, meta.finishReason, meta.status];
  return fields.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Whether the reply ran into a length limit. */
export function endedByLength(message: BaseMessage): boolean {
  return /length|max_tokens|incomplete/iu.test(endMarker(message) ?? '');
}

/** Marks the end of a reply that broke off after part of it was shown. */
export const INCOMPLETE = { finish_reason: 'incomplete' } as const;

/** True for a reply with neither text nor tool calls. */
export function isEmpty(message: AIMessage | AIMessageChunk): boolean {
  const calls = (message.tool_calls?.length ?? 0) + (message.invalid_tool_calls?.length ?? 0);
  const chunks = 'tool_call_chunks' in message ? (message.tool_call_chunks?.length ?? 0) : 0;
  return textOf(message).trim() === '' && calls === 0 && chunks === 0;
}

/** Token counts of one call; cached tokens are part of the input tokens. */
export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

export const NO_TOKENS: Tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** Add the usage that a message reports; without any, the sum stays the same. */
export function addTokens(sum: Tokens, message: AIMessage | AIMessageChunk): Tokens {
  const usage = message.usage_metadata as UsageMetadata | undefined;
  if (usage === undefined) return sum;
  return {
    inputTokens: sum.inputTokens + (usage.input_tokens || 0),
    outputTokens: sum.outputTokens + (usage.output_tokens || 0),
    cachedTokens: sum.cachedTokens + (usage.input_token_details?.cache_read || 0),
  };
}

const CHARS_PER_TOKEN = 4;
/** What a picture of the largest size costs with the providers that charge the most. */
export const PICTURE_TOKENS = 1600;

/** An estimate for servers that report no usage, so that budgets still roughly hold. */
export function estimateTokens(messages: readonly BaseMessage[], answerChars: number): Tokens {
  const chars = messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const pictures = messages.reduce((sum, message) => sum + picturesIn(message), 0);
  return {
    inputTokens: Math.ceil(chars / CHARS_PER_TOKEN) + pictures * PICTURE_TOKENS,
    outputTokens: Math.ceil(answerChars / CHARS_PER_TOKEN),
    cachedTokens: 0,
  };
}

function picturesIn({ content }: BaseMessage): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image_url').length;
}
