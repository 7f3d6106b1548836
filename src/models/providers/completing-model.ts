import type { BindToolsInput } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { ANSWER_TOOL } from '../answer-form.ts';
import { toolChoiceOf, toolSpec } from '../bound-tools.ts';
import { type OwnCallOptions, OwnChatModel } from '../own-chat-model.ts';
import type { CompleteOptions, CompleteResult, Message, ModelProvider, ToolDefinition } from './completing.ts';
import type { ProviderOptions } from './provider.ts';

type Fields = Pick<ProviderOptions, 'model' | 'maxTokens'>;

interface Parts {
  readonly provider: ModelProvider;
  readonly fields: Fields;
}

/** An embedding program's own provider as a chat model. */
export class CompletingModel extends OwnChatModel<Parts> {
  constructor(provider: ModelProvider, fields: Fields) {
    super({ provider, fields });
  }

  override _llmType(): string {
    return 'completing';
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const { provider, fields } = this.parts;
    const result = await provider.complete(requestOf(messages, options, fields));
    const message = replyOf(result);
    return { generations: [{ text: message.text, message }] };
  }
}

function requestOf(
  messages: BaseMessage[],
  { tools = [], tool_choice, stop }: OwnCallOptions,
  fields: Fields,
): CompleteOptions {
  const said = messages.filter(({ type }) => type !== 'system');
  const { model, maxTokens } = fields;
  return {
    systemPrompt: messages
      .filter(({ type }) => type === 'system')
      .map(({ text }) => text)
      .join('\n\n'),
    userMessage: said.findLast(({ type }) => type === 'human')?.text ?? '',
    model,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(said.length > 1 ? { messages: asMessages(said) } : {}),
    ...(stop ? { stopSequences: stop } : {}),
    ...wanted(tools.map(asDefinition), tool_choice),
  };
}

/** A single required tool is an answer form, which such providers support directly. */
function wanted(
  tools: ToolDefinition[],
  choice: unknown,
): Pick<CompleteOptions, 'jsonSchema' | 'tools' | 'toolChoice'> {
  const [only] = tools;
  if (choice === ANSWER_TOOL && only) return { jsonSchema: only.inputSchema };
  return tools.length === 0 ? {} : { tools, toolChoice: toolChoiceOf(choice) };
}

function asDefinition(tool: BindToolsInput): ToolDefinition {
  const { parameters: inputSchema, ...about } = toolSpec(tool);
  return { ...about, inputSchema };
}

/** The results of one reply's tool calls become one message. */
function asMessages(messages: readonly BaseMessage[]): Message[] {
  const made: Message[] = [];
  for (const message of messages) {
    const last = made.at(-1);
    if (!ToolMessage.isInstance(message)) made.push(asMessage(message));
    else {
      const result = {
        toolCallId: message.tool_call_id,
        output: message.text,
        isError: message.status === 'error' || message.text.startsWith('Error:'),
      };
      if (last?.toolResults) last.toolResults.push(result);
      else made.push({ role: 'tool_result', content: '', toolResults: [result] });
    }
  }
  return made;
}

function asMessage(message: BaseMessage): Message {
  if (!AIMessage.isInstance(message)) return { role: 'user', content: message.text };
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, name, input: args }));
  return { role: 'assistant', content: calls.length > 0 ? calls : message.text };
}

const FINISH = { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length', stop_sequence: 'stop' } as const;

function replyOf({ data, usage, toolCalls = [], stopReason }: CompleteResult): AIMessage {
  const text = typeof data === 'string' ? data : data === null || data === undefined ? '' : JSON.stringify(data);
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return new AIMessage({
    content: text,
    tool_calls: toolCalls.map(({ id, name, input }) => ({ type: 'tool_call' as const, id, name, args: input })),
    usage_metadata: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    response_metadata: { finish_reason: FINISH[stopReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn')] },
  } as unknown as AIMessageFields);
}
