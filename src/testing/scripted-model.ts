import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import {
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type ContentBlock,
  type ToolCallChunk,
  type UsageMetadata,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';

/** The model's next reply. `finish` is the provider's finish reason, `stop` or `tool_calls` unless given. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: unknown; readonly rawArgs?: string }[];
  readonly finish?: string;
  readonly error?: Error;
  /** What some providers send beside the calls: the same as parts of the content. */
  readonly parts?: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

/** A reply, or a function that makes it from the messages of the request. */
export type Scripted =
  | string
  | ScriptedReply
  | ((messages: readonly BaseMessage[]) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** What a request to the model held. */
export interface ScriptedRequest {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly string[];
}

/** A model that replies from a script, one reply per request. A request beyond the script is an error. */
export class ScriptedModel extends BaseChatModel {
  readonly requests: ScriptedRequest[] = [];
  readonly #replies: Scripted[];

  constructor(replies: readonly Scripted[]) {
    super({});
    this.#replies = [...replies];
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: BindToolsInput[]): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    const names = tools.map((tool) => ('name' in tool && typeof tool.name === 'string' ? tool.name : '?'));
    return this.withConfig({ toolNames: names } as never) as never;
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options)) whole = whole?.concat(chunk) ?? chunk;
    return { generations: whole ? [whole] : [] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: { handleLLMNewToken(token: string, index?: unknown, ...rest: unknown[]): Promise<void> },
  ): AsyncGenerator<ChatGenerationChunk> {
    const tools = (options as { toolNames?: string[] }).toolNames ?? [];
    this.requests.push({ messages: [...messages], tools });
    const reply = await this.#next(messages);
    if (reply.error) throw reply.error;
    for (const chunk of chunksOf(reply)) {
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  async #next(messages: readonly BaseMessage[]): Promise<ScriptedReply> {
    const next = this.#replies.shift();
    if (next === undefined) throw new Error('the script of the model has ended');
    const reply = typeof next === 'function' ? await next(messages) : next;
    return typeof reply === 'string' ? { text: reply } : reply;
  }
}

/** Words one by one, then tool calls, then finish reason and usage: the way servers stream. */
function* chunksOf(reply: ScriptedReply): Generator<ChatGenerationChunk> {
  for (const word of reply.text?.match(/\s*\S+\s*$|\s*\S+/gu) ?? []) yield chunk({ content: word });
  if (reply.parts) yield chunk({ content: [...reply.parts] });
  const calls = reply.toolCalls ?? [];
  for (const [index, call] of calls.entries()) {
    const args = call.rawArgs ?? JSON.stringify(call.args);
    const part: ToolCallChunk = {
      type: 'tool_call_chunk',
      index,
      id: `call_${index}_${call.name}`,
      name: call.name,
      args,
    };
    yield chunk({ content: '', tool_call_chunks: [part] });
  }
  yield chunk({
    content: '',
    response_metadata: { finish_reason: reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') },
    usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  });
}

interface ChunkFields {
  readonly content: string | ContentBlock[];
  readonly tool_call_chunks?: ToolCallChunk[];
  readonly response_metadata?: Record<string, unknown>;
  readonly usage_metadata?: UsageMetadata;
}

function chunk(fields: ChunkFields): ChatGenerationChunk {
  const message = new AIMessageChunk(fields as AIMessageChunkFields);
  return new ChatGenerationChunk({ message, text: typeof message.content === 'string' ? message.content : '' });
}
