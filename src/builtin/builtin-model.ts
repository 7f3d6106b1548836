import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BindToolsInput } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type AIMessageFields,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { isRecord } from '../base/json.ts';
import { type OwnCallOptions, OwnChatModel } from '../models/own-chat-model.ts';
import { textOf } from '../models/reply.ts';
import type { CallPurpose } from '../models/types.ts';
import type { Language } from '../words/spelling.ts';
import { answerLanguage } from './language.ts';
import { type ModelInput, readModelInput } from './model-input.ts';
import { tell } from './reply.ts';
import { failureIn, report, resultOf } from './report.ts';
import type { Action, Intent } from './request.ts';
import { toScript } from './script.ts';
import { summarize } from './summary.ts';
import { readIntent } from './would-do.ts';

export interface BuiltinCallOptions extends OwnCallOptions, CallPurpose {}

/** A tool call of the reply. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** Text or calls, never both: the built-in model says something only when it is done. */
interface Reply {
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface BuiltinModelDeps {
  readonly now: () => Date;
  /** The owner's IANA zone, in which times are read and said. */
  readonly timeZone: string;
}

/**
 * A chat model without a network: understands everyday requests by example sentences and acts through the tools it is
 * offered, or through one script where the system prompt asks for that. The same request gives the same reply.
 */
export class BuiltinChatModel extends OwnChatModel<BuiltinModelDeps, BuiltinCallOptions> {
  /** Shown by LangChain's tracers. */
  override _llmType(): string {
    return 'builtin';
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const reply = await this.#reply(messages, options);
    const fields = {
      content: reply.text,
      tool_calls: reply.calls.map((call) => ({ ...call, type: 'tool_call' as const })),
      response_metadata: ending(reply),
      usage_metadata: usage(messages, reply),
    };
    const message = new AIMessage(fields as AIMessageFields);
    return { generations: [{ text: reply.text, message }] };
  }

  /** Word by word, as a streaming provider would. */
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reply = await this.#reply(messages, options);
    for (const text of reply.text.match(/\S+\s*|\s+/gu) ?? []) {
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
    yield new ChatGenerationChunk({ text: '', message: lastChunk(messages, reply) });
  }

  /**
   * A compaction asks for a summary; anything else is a request of the person. It is recognised anew at every step of a
   * turn, which gives the same intent: that is how results find their request again without any state.
   */
  async #reply(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<Reply> {
    const refused = options.tool_choice === 'none';
    const input = readModelInput(messages, refused ? [] : (options.tools ?? []).map(toolName));
    const clock = { now: this.parts.now(), timeZone: this.parts.timeZone, isDue: options.due ?? false };
    const language = answerLanguage(input.text, input.earlier);
    const reply =
      options.purpose === 'compaction'
        ? { text: summarize(messages), calls: [] }
        : this.#carryOut(readIntent(input, clock), input, { position: messages.length, language });
    return { ...reply, text: cutAt(reply.text, options.stop) };
  }

  /** The next calls of an intent, or what to say when none is left. */
  #carryOut(
    intent: Intent,
    input: ModelInput,
    { position, language, before = 0 }: { position: number; language: Language; before?: number },
  ): Reply {
    if (intent.kind !== 'act') return { text: intent.text, calls: [] };
    const { feedback } = input;
    const outcomes = input.outcomes.slice(before);
    const given = outcomes.slice(0, intent.actions.length);
    if (intent.next && given.length === intent.actions.length && given.every(({ ok }) => ok))
      return this.#carryOut(intent.next(given.map(resultOf)), input, {
        position,
        language,
        before: before + given.length,
      });
    const stopped = outcomes.every(({ ok }) => ok) ? feedback?.failed : undefined;
    const at = outcomes.length;
    const next = intent.inOrder && at > 0 && outcomes.every(({ ok }) => ok) ? intent.actions[at] : undefined;
    if (next && input.style === 'tools')
      return { text: '', calls: [toCall(next, `builtin_${position}_${before + at}`)] };
    const ending = stopped === undefined ? [] : [failureIn(language, { text: stopped })];
    if (outcomes.length + ending.length > 0)
      return { text: [report(intent, outcomes, language), ...ending].filter(Boolean).join('\n'), calls: [] };
    const missing = intent.actions.find(({ tool }) => !input.can(tool));
    if (missing) return { text: tell('no tool', { language }, missing), calls: [] };
    if (input.style === 'code') return { text: toScript(intent.actions, input.functions), calls: [] };
    const first = intent.inOrder ? intent.actions.slice(0, 1) : intent.actions;
    return { text: '', calls: first.map((action, index) => toCall(action, `builtin_${position}_${before + index}`)) };
  }
}

function toCall({ tool, input }: Action, id: string): Call {
  return { id, name: tool, args: { ...input } };
}

/** The end of a stream: the calls, why it ended and what it used. */
function lastChunk(messages: readonly BaseMessage[], reply: Reply): AIMessageChunk {
  const fields = {
    content: '',
    tool_call_chunks: reply.calls.map(({ id, name, args }, index) => ({
      type: 'tool_call_chunk' as const,
      id,
      name,
      args: JSON.stringify(args),
      index,
    })),
    response_metadata: ending(reply),
    usage_metadata: usage(messages, reply),
  };
  return new AIMessageChunk(fields as AIMessageChunkFields);
}

/** The finish reasons are those of OpenAI's protocol, which the modes read. */
function ending(reply: Reply): Record<string, string> {
  return { finish_reason: reply.calls.length > 0 ? 'tool_calls' : 'stop', model_name: 'builtin' };
}

/** About four characters to a token, as a rule of thumb; the price is zero anyway. */
function usage(messages: readonly BaseMessage[], reply: Reply) {
  const input = Math.ceil(messages.reduce((sum, message) => sum + textOf(message).length, 0) / 4);
  const output = Math.ceil((reply.text.length + JSON.stringify(reply.calls).length) / 4);
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

/** As providers treat stop sequences: the reply ends before the first of them. */
function cutAt(text: string, stops: readonly string[] | undefined): string {
  const ends = (stops ?? []).map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/** Tools may be bound as LangChain tools or in OpenAI's format, `{ function: { name } }`. */
function toolName(tool: BindToolsInput): string {
  if (!isRecord(tool)) return '';
  const inner = isRecord(tool.function) ? tool.function.name : tool.name;
  return typeof inner === 'string' ? inner : '';
}
