import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { newId } from '../../base/ids.ts';
import { isRecord } from '../../base/json.ts';
import { answerIn } from '../answer-form.ts';
import type { ToolSpec } from '../bound-tools.ts';
import type { AnswerForm } from '../providers/provider.ts';
import { textOf } from '../reply.ts';

/**
 * A reply as one JSON value, `{"say": TEXT}` or `{"tool": NAME, "arguments": {}}`: for servers that hold a model to the
 * schema of an answer but not to that of a call.
 */
export function unionForm(tools: readonly ToolSpec[], mustCall: boolean): AnswerForm {
  const calls = tools.map(({ name, parameters }) => closed({ tool: { const: name }, arguments: parameters }));
  const say = closed({ say: { type: 'string' } });
  const { definitions, options } = withoutPointers(mustCall ? calls : [say, ...calls]);
  return { name: 'reply', schema: { type: 'object', anyOf: options, ...definitions } };
}

function closed(properties: Readonly<Record<string, unknown>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Pointers within a tool's schema start at its own root, which is no root here: its definitions move to the top. */
function withoutPointers(options: readonly unknown[]) {
  const $defs: Record<string, unknown> = {};
  const moved = options.map((option, index) => {
    const found = JSON.stringify(option, (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string')
        return value.replace(/^#\/(?:\$defs|definitions)\//u, `#/$defs/t${index}-`);
      if ((key !== '$defs' && key !== 'definitions') || !isRecord(value)) return value;
      for (const [name, inner] of Object.entries(value)) $defs[`t${index}-${name}`] = inner;
      return undefined;
    });
    return JSON.parse(found) as unknown;
  });
  const redirected = JSON.parse(JSON.stringify($defs)) as Record<string, unknown>;
  return { options: moved, definitions: Object.keys($defs).length > 0 ? { $defs: redirected } : {} };
}

/** The conversation for a model that is given no tools but told of them, with calls and results as text. */
export function unionMessages(messages: readonly BaseMessage[], tools: readonly ToolSpec[]): BaseMessage[] {
  const names = new Map<string, string>();
  const [first, ...rest] = messages;
  const system = first?.type === 'system' ? [textOf(first)] : [];
  const others = first?.type === 'system' ? rest : messages;
  return [
    new SystemMessage([...system, told(tools)].join('\n\n')),
    ...others.map((message) => {
      if (ToolMessage.isInstance(message))
        return new HumanMessage(`Result of ${names.get(message.tool_call_id) ?? 'the tool'}:\n${textOf(message)}`);
      if (!AIMessage.isInstance(message)) return message;
      for (const { id = '', name } of message.tool_calls ?? []) names.set(id, name);
      return new AIMessage(written(message));
    }),
  ];
}

function told(tools: readonly ToolSpec[]): string {
  const list = tools.map((tool) => JSON.stringify(tool)).join('\n');
  const forms = '{"say": TEXT} to say something, or {"tool": NAME, "arguments": {}} to call one of these tools';
  return `Reply with one JSON object and nothing else: ${forms}:\n${list}`;
}

function written(message: AIMessage): string {
  const calls = (message.tool_calls ?? []).map(({ name, args }) => JSON.stringify({ tool: name, arguments: args }));
  return calls.length > 0 ? calls.join('\n') : JSON.stringify({ say: textOf(message) });
}

/** The text or call of a reply in that form; undefined for any other reply. */
export function readUnion(reply: AIMessage | AIMessageChunk): AIMessageChunk | undefined {
  const value = answerIn(reply);
  if (!isRecord(value)) return undefined;
  const kept = { usage_metadata: reply.usage_metadata, response_metadata: reply.response_metadata };
  if (typeof value.say === 'string') return new AIMessageChunk({ ...kept, content: value.say } as never);
  if (typeof value.tool !== 'string' || !isRecord(value.arguments)) return undefined;
  const call = { type: 'tool_call_chunk' as const, id: newId('call'), name: value.tool, index: 0 };
  const fields = { ...kept, content: '', tool_call_chunks: [{ ...call, args: JSON.stringify(value.arguments) }] };
  return new AIMessageChunk({
    ...fields,
    response_metadata: { ...kept.response_metadata, finish_reason: 'tool_calls' },
  } as never);
}
