import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { headAndTail } from '../base/text.ts';
import type { MessageCounter } from './tokens.ts';

/** No text is cut shorter than this, in characters; the rest would be meaningless. */
const SHORTEST_CHARS = 200;

/**
 * The last resort when whole messages cannot be left out: cut the longest texts to head and tail until the messages
 * fit. The system prompt is never cut, the task only when nothing else is left to cut.
 *
 * @param budget in tokens.
 * @param task the request of the turn.
 */
export function trimToFit(
  messages: readonly BaseMessage[],
  counter: MessageCounter,
  { budget, task }: { budget: number; task: BaseMessage | undefined },
): BaseMessage[] {
  let trimmed = [...messages];
  const limits = { others: longest(messages), task: longest(messages) };
  for (const part of ['others', 'task'] as const) {
    while (limits[part] > SHORTEST_CHARS && counter.all(trimmed) > budget) {
      limits[part] = Math.max(SHORTEST_CHARS, Math.floor(limits[part] * 0.75));
      // Always from the whole text, so that the number of omitted characters is right.
      trimmed = messages.map((message) => shortened(message, message === task ? limits.task : limits.others));
    }
  }
  return trimmed;
}

/** The same message with its text cut, and long strings in the arguments of its tool calls. */
function shortened(message: BaseMessage, maxChars: number): BaseMessage {
  if (SystemMessage.isInstance(message)) return message;
  if (lengthOf(message) <= maxChars) return message;
  const content = headAndTail(message.text, maxChars);
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, name, status, artifact } = message;
    return new ToolMessage({
      ...{ content, tool_call_id, artifact },
      ...(name ? { name } : {}),
      ...(status ? { status } : {}),
    });
  }
  const { additional_kwargs } = message;
  if (!AIMessage.isInstance(message)) return new HumanMessage({ content, additional_kwargs });
  const calls = (message.tool_calls ?? []).map((call) => ({ ...call, args: shortArgs(call.args, maxChars) }));
  return new AIMessage({ content, tool_calls: calls, additional_kwargs });
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
