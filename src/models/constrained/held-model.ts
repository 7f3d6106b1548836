import { Validator } from '@cfworker/json-schema';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseChatModel, BindToolsInput } from '@langchain/core/language_models/chat_models';
import { type AIMessage, AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { answerIn } from '../answer-form.ts';
import { type ToolSpec, toolChoiceOf, toolSpec } from '../bound-tools.ts';
import { isRefusedRequest, ReplyError } from '../failure.ts';
import type { ConstrainedCalls } from '../options.ts';
import { type OwnCallOptions, OwnChatModel } from '../own-chat-model.ts';
import { isStrict } from '../providers/openai.ts';
import type { AnswerForm, Constraint } from '../providers/provider.ts';
import { endedByLength, textOf } from '../reply.ts';
import { directStream, type OpenedModel } from '../resilient-model.ts';
import type { CallRecord } from './call-records.ts';
import { readUnion, unionForm, unionMessages } from './union-reply.ts';

export interface HeldModelDeps {
  /** A client of the model; with a form, one whose replies are JSON of that form. */
  open(answer?: AnswerForm): Promise<BaseChatModel>;
  /** It is a model of ours, which streams without LangChain around it. */
  readonly direct: boolean;
  /** What its provider can do to hold it, mildest first. */
  readonly constraints: readonly Constraint[];
  readonly when: ConstrainedCalls;
  readonly record: { read(): Promise<CallRecord>; save(record: CallRecord): Promise<void> };
}

/** After so many slips a model is held a level tighter. */
const MOST_SLIPS = 2;
const PROBE = {
  name: 'probe',
  schema: {
    ...{ type: 'object', required: ['colour'], additionalProperties: false },
    properties: { colour: { type: 'string', enum: ['ultramarine'] } },
  },
};
const PROBE_QUESTION = 'What is two plus two? Answer with one word.';

/**
 * A model whose calls are checked before anybody sees them. One that slips is asked once more, held to a schema by its
 * server; one that keeps slipping is held from the start. Whether the server does hold it is tried out, since many take
 * a schema and ignore it.
 */
export class HeldModel extends OwnChatModel<HeldModelDeps> {
  override _llmType(): string {
    return 'held';
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const asked = askedOf(messages, options);
    const way = await this.#way(asked);
    const message = (way === 'union' ? await this.#heldFirst(asked) : undefined) ?? (await this.#whole(asked, way));
    return { generations: [{ text: textOf(message), message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const message of this.#pieces(askedOf(messages, options))) {
      const chunk = new ChatGenerationChunk({ text: textOf(message), message });
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  async #whole(asked: Asked, way: Way): Promise<AIMessage | AIMessageChunk> {
    const model = await this.#bound(asked, way);
    try {
      const reply = await model.invoke(asked.messages, asked.options);
      return hasCalls(reply) ? this.#checked(reply, asked, way) : reply;
    } catch (error) {
      if (!isRefusedStrict(way, error)) throw error;
      const reply = await this.#whole(asked, undefined);
      await this.#giveUpStrict(asked);
      return reply;
    }
  }

  /** Words pass as they come; from the first call on, everything waits for the check. */
  async *#pieces(asked: Asked): AsyncGenerator<AIMessageChunk> {
    const way = await this.#way(asked);
    const held = way === 'union' ? await this.#heldFirst(asked) : undefined;
    if (held) return yield held;
    let isBegun = false;
    try {
      for await (const piece of this.#sent(asked, way)) {
        isBegun = true;
        yield piece;
      }
    } catch (error) {
      if (isBegun || !isRefusedStrict(way, error)) throw error;
      yield* this.#sent(asked, undefined);
      await this.#giveUpStrict(asked);
    }
  }

  async *#sent(asked: Asked, way: Way): AsyncGenerator<AIMessageChunk> {
    const model = await this.#bound(asked, way);
    const { messages, options } = asked;
    let waiting: AIMessageChunk | undefined;
    for await (const piece of await this.#stream(model, messages, options)) {
      if (waiting === undefined && !hasCalls(piece)) yield piece;
      else waiting = waiting ? waiting.concat(piece) : piece;
    }
    if (waiting) yield (await this.#checked(waiting, asked, way)) as AIMessageChunk;
  }

  async #bound({ tools, bound }: Asked, way: Way): Promise<OpenedModel> {
    const model = await this.parts.open();
    if (bound.tools.length === 0) return model;
    if (!model.bindTools) throw new ReplyError('unforeseen', 'cannot call tools');
    const sent = way === 'strict' || way === 'strict-closed' ? tools.map((tool) => strictly(tool, way)) : bound.tools;
    return model.bindTools(sent, bound.choice === undefined ? {} : { tool_choice: bound.choice }) as OpenedModel;
  }

  /** The reply, or what came of asking again. */
  async #checked(reply: AIMessage | AIMessageChunk, asked: Asked, way: Way): Promise<AIMessage | AIMessageChunk> {
    // A call that was cut off is told to the model.
    if (endedByLength(reply)) return reply;
    const slip = slipOf(reply, asked.tools);
    await this.#note({ way, isClean: slip === undefined });
    const isHopeless = slip === 'form' || (slip === 'schema' && way !== undefined);
    const held = isHopeless ? await this.#heldOnce(asked) : undefined;
    if (held === undefined) return reply;
    const kept = new AIMessageChunk({ content: '', usage_metadata: reply.usage_metadata } as never);
    return kept.concat(held);
  }

  async #heldFirst(asked: Asked): Promise<AIMessageChunk | undefined> {
    const held = await this.#held(asked);
    if (held && hasCalls(held)) await this.#note({ way: 'union', isClean: slipOf(held, asked.tools) === undefined });
    return held;
  }

  /** Ask again, held to the schema; undefined where that cannot be, or helped nothing. */
  async #heldOnce(asked: Asked): Promise<AIMessageChunk | undefined> {
    const { when, constraints } = this.parts;
    if (when === 'never' || !constraints.includes('union') || !(await this.#binds(asked))) return undefined;
    const held = await this.#held(asked);
    return held && slipOf(held, asked.tools) === undefined ? held : undefined;
  }

  /** @returns undefined for a reply that does not fit: the server holds the model to nothing after all. */
  async #held({ messages, tools, bound, options }: Asked): Promise<AIMessageChunk | undefined> {
    const choice = toolChoiceOf(bound.choice);
    const offered = typeof choice === 'string' ? tools : tools.filter(({ name }) => name === choice.name);
    try {
      const model = await this.parts.open(unionForm(offered, choice !== 'auto'));
      const held = readUnion(await this.#answer(model, unionMessages(messages, offered), options));
      if (held === undefined) await this.#save({ binds: false });
      return held;
    } catch (error) {
      if (!isRefusedRequest(error)) throw error;
      await this.#save({ binds: false });
      return undefined;
    }
  }

  /** How the model is held now; undefined: not at all. */
  async #way(asked: Asked): Promise<Way> {
    const { when, constraints } = this.parts;
    if (when === 'never' || asked.tools.length === 0) return undefined;
    const reached = (await this.parts.record.read()).level;
    // Beyond the last one is a server that refuses them.
    const level = when === 'always' ? Math.max(reached, constraints.length) : reached;
    const way = constraints[level - 1];
    if (way !== 'union') return way;
    return (await this.#binds(asked)) ? way : constraints[level - 2];
  }

  /** Not every server of the protocol knows `strict`: what remains is the union, or nothing. */
  async #giveUpStrict(asked: Asked): Promise<void> {
    const { constraints } = this.parts;
    const isHeldOtherwise = constraints.at(-1) === 'union' && (await this.#binds(asked));
    await this.#save({ level: constraints.length + (isHeldOtherwise ? 0 : 1), slips: 0 });
  }

  /** Whether the server holds a model to a schema: tried with one that no sensible answer fits. */
  async #binds({ options }: Asked): Promise<boolean> {
    const { binds } = await this.parts.record.read();
    if (binds !== undefined) return binds;
    let found = false;
    try {
      const model = await this.parts.open(PROBE);
      const answer = answerIn(await this.#answer(model, [new HumanMessage(PROBE_QUESTION)], options));
      found = fits(PROBE.schema, answer);
    } catch (error) {
      if (!isRefusedRequest(error)) throw error;
    }
    await this.#save({ binds: found });
    return found;
  }

  /** Streamed, since the client of OpenAI's protocol throws at a whole reply that is not the JSON it asked for. */
  async #answer(model: BaseChatModel, messages: BaseMessage[], options: Asked['options']): Promise<AIMessageChunk> {
    let whole = new AIMessageChunk('');
    for await (const piece of await this.#stream(model, messages, options)) whole = whole.concat(piece);
    return whole;
  }

  async #stream(model: OpenedModel, messages: BaseMessage[], options: Asked['options']) {
    return this.parts.direct ? directStream(model, messages, options) : model.stream(messages, options);
  }

  async #note({ way, isClean }: { readonly way: Way; readonly isClean: boolean }): Promise<void> {
    const { calls, clean, held, level, slips } = await this.parts.record.read();
    const isTooMuch = !isClean && slips + 1 >= MOST_SLIPS && level < this.parts.constraints.length;
    await this.#save({
      ...{ calls: calls + 1, clean: clean + Number(isClean), held: held + Number(way === 'union') },
      ...(isTooMuch ? { level: level + 1, slips: 0 } : { slips: slips + Number(!isClean) }),
    });
  }

  async #save(changes: Partial<CallRecord>): Promise<void> {
    const { record } = this.parts;
    await record.save({ ...(await record.read()), ...changes });
  }
}

/** Undefined: not held. */
type Way = Constraint | undefined;

function isRefusedStrict(way: Way, error: unknown): boolean {
  return (way === 'strict' || way === 'strict-closed') && isRefusedRequest(error);
}

/** One request, with the tools as they were bound and as they are. */
interface Asked {
  readonly messages: BaseMessage[];
  readonly tools: readonly ToolSpec[];
  readonly bound: { readonly tools: BindToolsInput[]; readonly choice: OwnCallOptions['tool_choice'] };
  readonly options: Omit<OwnCallOptions, 'tools' | 'tool_choice' | 'callbacks'> & { readonly callbacks: [] };
}

function askedOf(
  messages: BaseMessage[],
  { tools = [], tool_choice: choice, callbacks: _, ...options }: OwnCallOptions,
): Asked {
  return { messages, tools: tools.map(toolSpec), bound: { tools, choice }, options: { ...options, callbacks: [] } };
}

function strictly({ name, description, parameters }: ToolSpec, way: Way) {
  const strict = way === 'strict' || isStrict(parameters);
  return { type: 'function' as const, function: { name, description, parameters, ...(strict ? { strict } : {}) } };
}

function hasCalls(reply: AIMessage | AIMessageChunk): boolean {
  const chunks = 'tool_call_chunks' in reply ? (reply.tool_call_chunks?.length ?? 0) : 0;
  return chunks + (reply.tool_calls?.length ?? 0) + (reply.invalid_tool_calls?.length ?? 0) > 0;
}

/**
 * What is wrong with the calls of a reply: `form` where nobody could tell what is meant, `schema` where a tool or a
 * field is not as it was declared, which the gate may still understand.
 */
function slipOf(reply: AIMessage | AIMessageChunk, tools: readonly ToolSpec[]): 'form' | 'schema' | undefined {
  if ((reply.invalid_tool_calls?.length ?? 0) > 0) return 'form';
  const slips = (reply.tool_calls ?? []).map(({ name, args }) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return 'schema';
    return fits(tool.parameters, args) ? undefined : 'schema';
  });
  return slips.find((slip) => slip !== undefined);
}

function fits(schema: object, value: unknown): boolean {
  return value !== undefined && new Validator(schema, '2020-12', true).validate(value).valid;
}
