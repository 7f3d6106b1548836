import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { newId } from '../../base/ids.ts';
import { toolChoiceOf, toolSpec } from '../bound-tools.ts';
import { type OwnCallOptions, OwnChatModel } from '../own-chat-model.ts';
import type { ProviderOptions } from '../providers/provider.ts';
import { textOf } from '../reply.ts';
import type { ChatEvent } from './engine-client.ts';
import type { ChatDone, ChatMessage, ChatRequest } from './protocol.ts';

export interface LocalChatDeps
  extends Pick<ProviderOptions, 'model' | 'temperature' | 'maxTokens' | 'answer' | 'jsonResponse'> {
  readonly think: boolean;
  /** Called whenever the model has done something. */
  readonly onActivity: () => void;
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

/** A model in a process of ours as a LangChain chat model. */
export class LocalChatModel extends OwnChatModel<LocalChatDeps> {
  override _llmType(): string {
    return 'local';
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole = new AIMessageChunk({ content: '' });
    for await (const { message } of this._streamResponseChunks(messages, options)) {
      whole = whole.concat(message as AIMessageChunk);
    }
    return { generations: [{ text: whole.text, message: whole }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const signal = options.signal ?? new AbortController().signal;
    for await (const event of this.parts.chat(this.#request(messages, options), signal)) {
      this.parts.onActivity();
      if (event.type !== 'text' && event.type !== 'done') continue;
      const text = event.type === 'text' ? event.text : '';
      const message =
        event.type === 'text' ? new AIMessageChunk({ content: text }) : lastChunk(event.done, this.parts.model);
      const chunk = new ChatGenerationChunk({ text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  #request(messages: readonly BaseMessage[], { tools = [], tool_choice, stop }: OwnCallOptions): ChatRequest {
    const { temperature, maxTokens, answer, jsonResponse, think } = this.parts;
    const choice = toolChoiceOf(tool_choice);
    const specs = choice === 'none' ? [] : tools.map(toolSpec);
    const schema = answer?.schema ?? (jsonResponse ? { type: 'object' } : undefined);
    return {
      messages: chatMessages(messages),
      tools: typeof choice === 'string' ? specs : specs.filter(({ name }) => name === choice.name),
      mustCall: choice === 'required' || typeof choice !== 'string',
      ...(schema === undefined ? {} : { answer: schema }),
      ...{ temperature, maxTokens, stop, think },
    };
  }
}

const ROLES: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
};

function chatMessages(messages: readonly BaseMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message): ChatMessage => {
    const role = ROLES[message.type] ?? 'user';
    const content = textOf(message);
    if (ToolMessage.isInstance(message)) return { role, content, name: names.get(message.tool_call_id) ?? '' };
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    for (const { id = '', name } of calls) names.set(id, name);
    return {
      role,
      content,
      ...(calls.length > 0 ? { calls: calls.map(({ name, args }) => ({ name, arguments: args })) } : {}),
    };
  });
}

/** Calls, why it ended and what it used. A call that was cut off is one without valid arguments. */
function lastChunk({ calls, cut, finish, usage }: ChatDone, model: string): AIMessageChunk {
  const made = calls.map(({ name, arguments: args }) => ({ name, args: JSON.stringify(args) }));
  const all = cut === undefined ? made : [...made, { name: cut.name, args: cut.text }];
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const fields = {
    content: '',
    tool_call_chunks: all.map(({ name, args }, index) => ({
      ...{ type: 'tool_call_chunk' as const, id: newId('call'), name, args, index },
    })),
    response_metadata: { finish_reason: finish, model_name: model },
    usage_metadata: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      input_token_details: { cache_read: cachedTokens },
    },
  };
  return new AIMessageChunk(fields as unknown as AIMessageChunkFields);
}
