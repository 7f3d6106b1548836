import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { type AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { type Runnable, RunnableBinding } from '@langchain/core/runnables';
import type { Attempt } from './attempt.ts';
import { Call, type Pace, type RetryLimits } from './call.ts';
import { type Failure, ReplyError } from './failure.ts';
import { withPictures } from './pictures.ts';
import { addTokens, endMarker, estimateTokens, INCOMPLETE, isEmpty, NO_TOKENS, type Tokens, textOf } from './reply.ts';
import type { CallPurpose } from './types.ts';

/** A model, or one with its tools already bound. */
export type OpenedModel = Runnable<BaseLanguageModelInput, AIMessageChunk> & Pick<Partial<BaseChatModel>, 'bindTools'>;

/** One model to try, without retries of its own. */
export interface FallbackCandidate {
  readonly label: string;
  /** Where its server is; undefined for the built-in model. */
  readonly address?: string | undefined;
  /** The variable that holds its key, where it has one. */
  readonly keyName?: string | undefined;
  /** `open` gives a model of ours: see `directStream`. */
  readonly direct?: boolean;
  /** It takes pictures beside text, and may have them. */
  readonly sees?: boolean;
  /** A fresh model whose requests report to `attempt`. */
  open(attempt: Attempt): Promise<OpenedModel>;
}

/** How one attempt went, for usage, health and statistics. */
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
  readonly about: CallPurpose;
  redact(text: string): string;
  /** Before every request. @throws AssistantError `budget_reached`. */
  beforeRequest(): Promise<void>;
  onRetry(retry: { reason: string; waitMs: number }): void;
  onAttempt(record: AttemptRecord<Candidate>): void;
}

export interface ResilientCallOptions extends BaseChatModelCallOptions {
  readonly tools?: BindToolsInput[];
}

/**
 * A chat model in front of others: retries, falls back to the next candidate and enforces deadlines. It never appends a
 * second answer to a half-shown first one: a reply that breaks off keeps what was shown and ends with the finish reason
 * `incomplete`. Tool calls are held back until the reply is complete, so half a call is never run.
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
      await this.#deps.beforeRequest();
      const { candidate, attempt, signal } = call.next();
      try {
        const model = bound(await candidate.open(attempt), options);
        const message = await model.invoke(asShown(candidate, messages), {
          ...callOptions(options),
          ...this.#deps.about,
          signal,
        });
        if (isEmpty(message)) throw new ReplyError('empty', 'gave an empty answer');
        attempt.end();
        this.#done({ candidate, attempt, messages }, message);
        return { generations: [{ text: textOf(message), message }] };
      } catch (error) {
        await call.recover(call.diagnose(error));
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
      await this.#deps.beforeRequest();
      const { candidate, attempt, signal } = call.next();
      const asked = { candidate, attempt, messages };
      let shown = false;
      try {
        for await (const message of this.#stream(asked, { ...options, signal })) {
          const text = textOf(message);
          shown ||= text !== '';
          const chunk = new ChatGenerationChunk({ text, message });
          yield chunk;
          await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
        }
        return;
      } catch (error) {
        const failure = call.diagnose(error);
        if (shown) return yield new ChatGenerationChunk({ text: '', message: breakOff() });
        await call.recover(failure);
      } finally {
        attempt.end();
      }
    }
  }

  /** One attempt: text as it arrives; from the first tool call on, everything waits for the end of the reply. */
  async *#stream(
    asked: CandidateAttempt<Candidate>,
    options: this['ParsedCallOptions'],
  ): AsyncGenerator<AIMessageChunk> {
    const { candidate, attempt, messages } = asked;
    const model = bound(await candidate.open(attempt), options);
    const shown = asShown(candidate, messages);
    const reply = candidate.direct
      ? directStream(model, shown, { ...givenOptions(options), ...this.#deps.about })
      : await model.stream(shown, { ...callOptions(options), ...this.#deps.about });
    const held: AIMessageChunk[] = [];
    const seen = new StreamTally();
    for await (const message of reply) {
      attempt.onActivity();
      seen.add(message, attempt.elapsedMs);
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
      keyName: ({ keyName }) => keyName,
      redact,
      onRetry,
      onFailure: (candidate, failure, attempt) =>
        onAttempt({ candidate, failure, tokens: NO_TOKENS, ms: attempt.elapsedMs }),
    });
  }

  #done(asked: CandidateAttempt<Candidate>, message: AIMessage): void {
    this.#record(asked, { tokens: addTokens(NO_TOKENS, message), chars: textOf(message).length });
  }

  /** Servers that report no usage are charged an estimate, so that budgets still hold. */
  #record({ candidate, attempt, messages }: CandidateAttempt<Candidate>, seen: ReplyTally): void {
    const tokens = seen.tokens.inputTokens > 0 ? seen.tokens : estimateTokens(asShown(candidate, messages), seen.chars);
    this.#deps.onAttempt({ candidate, tokens, ms: attempt.elapsedMs, firstTokenMs: seen.firstTokenMs });
  }
}

function asShown({ sees = false }: FallbackCandidate, messages: BaseMessage[]): BaseMessage[] {
  return sees ? withPictures(messages) : messages;
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

/** What a stream has delivered so far. */
class StreamTally implements ReplyTally {
  tokens = NO_TOKENS;
  chars = 0;
  ended = false;
  firstTokenMs: number | undefined;
  #calls = false;

  add(message: AIMessageChunk, elapsedMs: number): void {
    this.tokens = addTokens(this.tokens, message);
    this.chars += textOf(message).length;
    this.#calls ||= (message.tool_call_chunks?.length ?? 0) > 0 || (message.tool_calls?.length ?? 0) > 0;
    if (this.chars > 0 || this.#calls) this.firstTokenMs ??= elapsedMs;
    this.ended ||= endMarker(message) !== undefined;
  }

  /** Rejects an empty reply, and one that broke off before any text was shown: both are safe to retry. */
  check(): void {
    if (this.chars === 0 && !this.#calls) throw new ReplyError('empty', 'gave an empty answer');
    if (!this.ended && this.chars === 0) throw new ReplyError('incomplete', 'broke off in the middle of a tool call');
  }
}

/** The chunk that marks a reply as incomplete. */
function breakOff(): AIMessageChunk {
  return new AIMessageChunk({ content: '', response_metadata: INCOMPLETE });
}

/** The model with its tools. `tool_choice` is `auto`, `required`, `none`, or the one tool that must be called. */
function bound(
  model: OpenedModel,
  { tools, tool_choice }: ResilientCallOptions,
): Runnable<BaseLanguageModelInput, AIMessageChunk> {
  // Not every provider supports "none"; leaving the tools out has the same effect.
  if (!tools || tools.length === 0 || tool_choice === 'none') return model;
  if (!model.bindTools) throw new ReplyError('unforeseen', 'cannot call tools');
  // Every provider accepts "any" for "required".
  const choice = tool_choice === 'required' ? 'any' : tool_choice;
  return model.bindTools(tools, choice === undefined ? {} : { tool_choice: choice });
}

/** Options passed on to the inner model; without the callbacks, or every token would be reported twice. */
function callOptions(options: ResilientCallOptions) {
  return { ...givenOptions(options), callbacks: [] };
}

function givenOptions({ tools: _tools, tool_choice: _choice, callbacks: _callbacks, ...rest }: ResilientCallOptions) {
  return rest;
}

/** A chat model, and the options that were bound to it. */
interface Unwrapped {
  readonly chat: BaseChatModel;
  readonly options: object;
}

/**
 * The reply of a model of ours piece by piece, without the callbacks, traces and two web streams that LangChain puts
 * around it: the model in front of it has all of these already.
 *
 * @param model  keeps no callbacks, cache or other settings that `stream` would look at.
 */
export async function* directStream(
  model: Runnable<BaseLanguageModelInput, AIMessageChunk>,
  messages: BaseMessage[],
  given: { readonly signal?: AbortSignal },
): AsyncGenerator<AIMessageChunk> {
  const { chat, options } = unwrapped(model);
  for await (const { message, generationInfo } of chat._streamResponseChunks(messages, { ...options, ...given })) {
    given.signal?.throwIfAborted();
    message.response_metadata = { ...generationInfo, ...message.response_metadata };
    yield message as AIMessageChunk;
  }
}

/** @throws TypeError when it is no chat model. */
function unwrapped(model: object): Unwrapped {
  if (model instanceof BaseChatModel) return { chat: model, options: {} };
  if (!(model instanceof RunnableBinding)) throw new TypeError('only a chat model is streamed directly');
  const { chat, options } = unwrapped(model.bound);
  return { chat, options: { ...options, ...model.kwargs, ...model.config } };
}
