import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { headAndTail } from '../base/text.ts';
import type { MessageCounter } from './tokens.ts';

/** Shortest that a text is cut to, in characters: below it the head says nothing any more. */
const SHORTEST_CHARS = 200;

/**
 * The last resort: cut the longest texts to head and tail until the messages fit. System prompt and task are left
 * whole as long as anything else can give.
 */
export function trimToFit(
  messages: readonly BaseMessage[],
  counter: MessageCounter,
  { budget, task }: { budget: number; task: BaseMessage | undefined },
): BaseMessage[] {
  let trimmed = [...messages];
  for (const spare of [(message: BaseMessage) => message === task, () => false]) {
    for (let limit = longest(trimmed); limit > SHORTEST_CHARS && counter.all(trimmed) > budget; ) {
      limit = Math.max(SHORTEST_CHARS, Math.floor(limit * 0.75));
      trimmed = trimmed.map((message) => (spare(message) ? message : shortened(message, limit)));
    }
  }
  return trimmed;
}

/** The same message with its text cut; arguments of tool calls lose their long strings likewise. */
function shortened(message: BaseMessage, maxChars: number): BaseMessage {
  if (SystemMessage.isInstance(message)) return message;
  if (lengthOf(message) <= maxChars) return message;
  const content = headAndTail(message.text, maxChars);
  if (ToolMessage.isInstance(message)) {
    return new ToolMessage({
      content,
      tool_call_id: message.tool_call_id,
      ...(message.name ? { name: message.name } : {}),
    });
  }
  if (!AIMessage.isInstance(message)) return new HumanMessage(content);
  const calls = (message.tool_calls ?? []).map((call) => ({ ...call, args: shortArgs(call.args, maxChars) }));
  return new AIMessage({ content, tool_calls: calls });
}

function shortArgs(args: Record<string, unknown>, maxChars: number): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? headAndTail(value, maxChars) : value);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, short(value)]));
}

function longest(messages: readonly BaseMessage[]): number {
  return Math.max(0, ...messages.map(lengthOf));
}

function lengthOf(message: BaseMessage): number {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const strings = calls.flatMap((call) => Object.values(call.args)).filter((value) => typeof value === 'string');
  return Math.max(message.text.length, ...strings.map((value) => value.length));
}
