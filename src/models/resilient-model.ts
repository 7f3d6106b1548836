import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { type AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import type { Attempt } from './attempt.ts';
import { Call, type Pace, type RetryLimits } from './call.ts';
import { type Failure, ReplyError } from './failure.ts';
import { addTokens, endMarker, estimateTokens, INCOMPLETE, isEmpty, NO_TOKENS, type Tokens } from './reply.ts';

/** A model that can be asked, without anything around it: no retries of its own. */
export interface FallbackCandidate {
  readonly label: string;
  /** Where its server is; absent for the built-in model and a provider's own address. */
  readonly address?: string | undefined;
  /** A fresh model whose requests report to `attempt`. */
  open(attempt: Attempt): Promise<BaseChatModel>;
}

/** What came of one attempt, for usage, health and statistics. */
export interface AttemptRecord<Candidate> {
  readonly candidate: Candidate;
  readonly tokens: Tokens;
  readonly ms: number;
  readonly firstTokenMs?: number | undefined;
  readonly failure?: Failure | undefined;
}

export interface ResilientDeps<Candidate extends FallbackCandidate> {
  /** At least one, in the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly limits: RetryLimits;
  readonly pace: Pace;
  readonly cancel: AbortSignal;
  redact(text: string): string;
  /** Before every request. @throws AssistantError `budget_reached`. */
  beforeRequest(): void;
  onRetry(retry: { reason: string; waitMs: number }): void;
  onAttempt(record: AttemptRecord<Candidate>): void;
}

export interface ResilientCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/**
 * A chat model in front of others: retries, falls over to the next candidate, ends silence, and never adds a second
 * answer to the shown half of a first. A reply that breaks off after that keeps what was shown and ends with the
 * finish reason `incomplete`. Tool calls are held back until the reply has ended.
 */
export class ResilientChatModel<Candidate extends FallbackCandidate> extends BaseChatModel<ResilientCallOptions> {
  readonly #deps: ResilientDeps<Candidate>;

  constructor(deps: ResilientDeps<Candidate>) {
    super({});
    this.#deps = deps;
  }

  override _llmType(): string {
    return 'wooster';
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<ResilientCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ResilientCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const call = this.#begin(options);
    for (;;) {
      this.#deps.beforeRequest();
      const { candidate, attempt, signal } = call.next();
      try {
        const model = bound(await candidate.open(attempt), options);
        const message = await model.invoke(messages, { ...callOptions(options), signal });
        if (isEmpty(message)) throw new ReplyError('empty', 'gave an empty answer');
        attempt.end();
        this.#done({ candidate, attempt, messages }, message);
        return { generations: [{ text: message.text, message }] };
      } catch (error) {
        await call.recover(call.judge(error));
      }
    }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const call = this.#begin(options);
    for (;;) {
      this.#deps.beforeRequest();
      const { candidate, attempt, signal } = call.next();
      const asked = { candidate, attempt, messages };
      let shown = false;
      try {
        for await (const message of this.#stream(asked, { ...options, signal })) {
          shown ||= message.text !== '';
          const chunk = new ChatGenerationChunk({ text: message.text, message });
          yield chunk;
          await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
        }
        return;
      } catch (error) {
        const failure = call.judge(error);
        if (shown) return yield new ChatGenerationChunk({ text: '', message: breakOff() });
        await call.recover(failure);
      } finally {
        attempt.end();
      }
    }
  }

  /** One attempt: words as they come; from the first tool call on everything waits for the end of the reply. */
  async *#stream(
    asked: CandidateAttempt<Candidate>,
    options: this['ParsedCallOptions'],
  ): AsyncGenerator<AIMessageChunk> {
    const model = bound(await asked.candidate.open(asked.attempt), options);
    const held: AIMessageChunk[] = [];
    const seen = new StreamTally();
    for await (const message of await model.stream(asked.messages, callOptions(options))) {
      asked.attempt.onActivity();
      seen.add(message, asked.attempt.elapsedMs);
      if (held.length > 0 || (message.tool_call_chunks?.length ?? 0) > 0) held.push(message);
      else yield message;
    }
    options.signal?.throwIfAborted();
    seen.check();
    yield* held;
    if (!seen.ended) yield breakOff();
    this.#record(asked, { tokens: seen.tokens, chars: seen.chars, firstTokenMs: seen.firstTokenMs });
  }

  #begin(options: this['ParsedCallOptions']): Call<Candidate> {
    const { candidates, limits, pace, cancel, redact, onRetry, onAttempt } = this.#deps;
    return new Call({
      candidates,
      limits,
      pace,
      cancel: options.signal ? AbortSignal.any([cancel, options.signal]) : cancel,
      label: ({ label }) => label,
      address: ({ address }) => address,
      redact,
      onRetry,
      onFailure: (candidate, failure, attempt) =>
        onAttempt({ candidate, failure, tokens: NO_TOKENS, ms: attempt.elapsedMs }),
    });
  }

  #done(asked: CandidateAttempt<Candidate>, message: AIMessage): void {
    this.#record(asked, { tokens: addTokens(NO_TOKENS, message), chars: message.text.length });
  }

  #record({ candidate, attempt, messages }: CandidateAttempt<Candidate>, seen: ReplyTally): void {
    const tokens = seen.tokens.inputTokens > 0 ? seen.tokens : estimateTokens(messages, seen.chars);
    this.#deps.onAttempt({ candidate, tokens, ms: attempt.elapsedMs, firstTokenMs: seen.firstTokenMs });
  }
}

interface CandidateAttempt<Candidate> {
  readonly candidate: Candidate;
  readonly attempt: Attempt;
  readonly messages: BaseMessage[];
}

interface ReplyTally {
  readonly tokens: Tokens;
  readonly chars: number;
  readonly firstTokenMs?: number | undefined;
}

/** What a stream has shown so far. */
class StreamTally implements ReplyTally {
  tokens = NO_TOKENS;
  chars = 0;
  ended = false;
  firstTokenMs: number | undefined;
  #calls = false;

  add(message: AIMessageChunk, elapsedMs: number): void {
    this.tokens = addTokens(this.tokens, message);
    this.chars += message.text.length;
    this.#calls ||= (message.tool_call_chunks?.length ?? 0) > 0 || (message.tool_calls?.length ?? 0) > 0;
    if (this.chars > 0 || this.#calls) this.firstTokenMs ??= elapsedMs;
    this.ended ||= endMarker(message) !== undefined;
  }

  /** An answer without words and calls is none; a call without an end is never run, so it is asked for again. */
  check(): void {
    if (this.chars === 0 && !this.#calls) throw new ReplyError('empty', 'gave an empty answer');
    if (!this.ended && this.chars === 0) throw new ReplyError('incomplete', 'broke off in the middle of a tool call');
  }
}

function breakOff(): AIMessageChunk {
  return new AIMessageChunk({ content: '', response_metadata: INCOMPLETE });
}

/** `auto`, `required`, `none`, or the name of the one tool that must be called. */
function bound(
  model: BaseChatModel,
  { tools, tool_choice }: ResilientCallOptions,
): Runnable<BaseLanguageModelInput, AIMessageChunk> {
  // Not every provider knows "none"; without tools none can be called.
  if (!tools || tools.length === 0 || tool_choice === 'none') return model;
  if (!model.bindTools) throw new ReplyError('unforeseen', 'cannot call tools');
  // "any" is what every provider takes for "required".
  const choice = tool_choice === 'required' ? 'any' : tool_choice;
  return model.bindTools(tools, choice === undefined ? {} : { tool_choice: choice });
}

/** What goes through to the model behind; callbacks stay out, else every token would be reported twice. */
function callOptions({ tools: _tools, tool_choice: _choice, callbacks: _callbacks, ...rest }: ResilientCallOptions) {
  return { ...rest, callbacks: [] };
}
