import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { Picture } from '../base/turn.ts';
import { type Feedback, type ResultData, withData } from '../models/message-data.ts';
import { asMade, callsOf, resultOf, type StoredResult } from './stored-calls.ts';
import type { Step } from './types.ts';

/** Turn a saved step into the message that a model reads; scripts are shown in a code fence. */
export function toMessage(row: Step): BaseMessage {
  if (row.kind === 'tool_calls') {
    const { text, calls } = callsOf(row.content);
    return new AIMessage({
      content: text,
      tool_calls: calls.map((call) => ({ ...asMade(call), type: 'tool_call' as const })),
    });
  }
  if (row.kind === 'tool_result') return toolMessage(resultOf(row.content));
  if (row.kind === 'code')
    return new AIMessage({ content: `\`\`\`js\n${row.content}\n\`\`\``, ...withData({ script: true }) });
  if (row.kind === 'feedback') return feedbackMessage(row.content, {});
  return row.role === 'assistant' ? new AIMessage(row.content) : new HumanMessage(row.content);
}

/** What a model reads of a call, with the same as data. @param value absent where only the text was kept. */
export function toolMessage({ id, name, ok, text, told }: StoredResult, value?: unknown): ToolMessage {
  const artifact: ResultData = { ok, told, ...(value === undefined ? {} : { value }) };
  return new ToolMessage({ content: text, tool_call_id: id, name, status: ok ? 'success' : 'error', artifact });
}

/**
 * The request of a turn.
 *
 * @param done  what the turn has done already, worded for the model.
 */
export function requestMessage(
  said: string,
  done: string | undefined,
  pictures: readonly Picture[] = [],
): HumanMessage {
  const shown = pictures.length > 0 && { pictures };
  if (done === undefined) return new HumanMessage({ content: said, ...(shown && withData(shown)) });
  return new HumanMessage({ content: `${said}\n\n${done}`, ...withData({ said, ...shown }) });
}

/** What a model reads of its script or its reply. */
export function feedbackMessage(content: string, feedback: Feedback): HumanMessage {
  return new HumanMessage({ content, ...withData({ feedback }) });
}
