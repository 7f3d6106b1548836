import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { withoutMaterial } from '../../base/turn.ts';
import { asMade, callsOf, resultOf } from '../../conversation/stored-calls.ts';
import type { Step } from '../../conversation/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { kindOf, textBlock, titleOf } from './updates.ts';

/** A message as it is stored. */
export type StoredStep = Step & { readonly sequence: number };

/** A stored conversation as updates. A message that cannot be read is shown as such: a panel that opens never fails. */
export function historyUpdates(
  steps: readonly StoredStep[],
  tool: (name: string) => Tool | undefined,
): readonly SessionUpdate[] {
  return steps.flatMap((step) => {
    try {
      return updatesOf(step, tool);
    } catch {
      const content = textBlock('(A message here could not be read.)');
      return [{ sessionUpdate: 'agent_message_chunk', content, messageId: `message-${step.sequence}` }];
    }
  });
}

function updatesOf(
  { kind, role, content, sequence }: StoredStep,
  tool: (name: string) => Tool | undefined,
): readonly SessionUpdate[] {
  const messageId = `message-${sequence}`;
  const said = (text: string): SessionUpdate[] =>
    text === '' ? [] : [{ sessionUpdate: 'agent_message_chunk', content: textBlock(text), messageId }];
  if (kind === 'code') return [script(content, messageId)];
  // What a model reads about its script is not said to anybody.
  if (kind === 'feedback') return [];
  if (kind === 'tool_calls') {
    const { text, calls } = callsOf(content);
    return [...said(text), ...calls.map(asMade).map(({ id, name, args }) => call(id, name, args, tool(name)))];
  }
  if (kind === 'tool_result') {
    const { id, ok, text } = resultOf(content);
    const shown = [{ type: 'content' as const, content: textBlock(text) }];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: ok ? 'completed' : 'failed', content: shown }];
  }
  if (role === 'assistant') return said(content);
  return [{ sessionUpdate: 'user_message_chunk', content: textBlock(withoutMaterial(content)), messageId }];
}

function call(toolCallId: string, name: string, input: unknown, tool: Tool | undefined): SessionUpdate {
  const title = titleOf(name, input);
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    name,
    kind: kindOf(tool),
    status: 'pending',
    rawInput: input,
  };
}

function script(source: string, toolCallId: string): SessionUpdate {
  const content = [{ type: 'content' as const, content: textBlock(`\`\`\`js\n${source}\n\`\`\``) }];
  return { sessionUpdate: 'tool_call', toolCallId, title: 'Script', kind: 'execute', status: 'completed', content };
}
