import { AIMessage, type AIMessageChunk } from '@langchain/core/messages';
import { AssistantError } from '../../base/errors.ts';
import { asArguments } from '../../tools/gate/input.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { MeantCall, Verdict } from '../replies/review.ts';

/** A reply that the turn can use. */
export type Usable = Extract<Verdict, { kind: 'answer' | 'calls' }>;

/** The error that ends a turn without a usable reply. */
export function noAnswer(why: string): AssistantError {
  return new AssistantError('model_incomplete', `The model gave no answer, although it was asked again: ${why}.`, {
    hint: 'Ask in other words, or switch with /model NAME.',
  });
}

/** Whether a reply calls tools, even if a call cannot be parsed. */
export function hasCalls(reply: AIMessage | AIMessageChunk): boolean {
  const chunks = 'tool_call_chunks' in reply ? (reply.tool_call_chunks?.length ?? 0) : 0;
  return (reply.tool_calls?.length ?? 0) + (reply.invalid_tool_calls?.length ?? 0) + chunks > 0;
}

/** The reply as it was meant: its answer alone, or the calls that it wrote as text. */
export function asWritten(
  { id, response_metadata, usage_metadata }: AIMessage | AIMessageChunk,
  verdict: Usable,
): AIMessage {
  const about = { ...(id === undefined ? {} : { id }), ...(usage_metadata === undefined ? {} : { usage_metadata }) };
  if (verdict.kind === 'answer') return new AIMessage({ ...about, response_metadata, content: verdict.text });
  return new AIMessage({ ...about, content: '', tool_calls: verdict.calls.map(toolCall) });
}

function toolCall({ tool, input }: MeantCall) {
  return { type: 'tool_call' as const, name: modelToolName(tool.name), args: asArguments(tool, input) ?? {} };
}
