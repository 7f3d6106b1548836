import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { headAndTail } from '../base/text.ts';
import { dataOf, type TranscriptLine, withData } from '../models/message-data.ts';
import type { ModelChoice } from '../models/types.ts';
import type { Budgets } from './window.ts';

/** How much of one message, and of one tool result, the summariser reads, in characters: head and tail. */
const MESSAGE_CHARS = 2000;
const RESULT_CHARS = 500;

export interface SummaryRequest {
  readonly choice: ModelChoice;
  /** The instructions, from prompts/internal/summary.txt. */
  readonly prompt: string;
  readonly round: number;
  /** The summary to be replaced, which covers everything before `messages`. */
  readonly previous: string | undefined;
  /** The request being worked on. */
  readonly task: string;
  readonly messages: readonly BaseMessage[];
  readonly budgets: Budgets;
  readonly signal: AbortSignal;
}

/**
 * Ask a model for a summary that replaces `messages` and the summary before them. The request is itself cut to fit
 * the window.
 *
 * @throws whatever the model throws, and an Error when the summary is empty.
 */
export async function summarise(request: SummaryRequest): Promise<string> {
  const { choice, budgets, prompt, signal } = request;
  const room = budgets.window - 2 * budgets.summary - Math.ceil(prompt.length / 4);
  const content = headAndTail(material(request), room * 3);
  const transcript = request.messages.flatMap(linesOf);
  const messages = [new SystemMessage(prompt), new HumanMessage({ content, ...withData({ transcript }) })];
  const reply = await choice.model.invoke(messages, { signal, callbacks: [] });
  const text = reply.text.trim();
  if (text === '') throw new Error('the summary came back empty');
  return headAndTail(text, budgets.summary * 4);
}

function material({ round, previous, task, messages }: SummaryRequest): string {
  const parts = [
    `Round ${round}. The request being worked on, word for word:\n${headAndTail(task, MESSAGE_CHARS)}`,
    previous === undefined ? '' : `The earlier summary:\n${previous}`,
    `The messages to replace, oldest first:\n${messages.flatMap(linesOf).map(render).join('\n')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** How the summariser reads who said a line. */
const BY = { person: 'human', assistant: 'ai', call: 'call', result: 'result' } as const;

function render({ by, text }: TranscriptLine): string {
  return `[${BY[by]}] ${text}`;
}

function linesOf(message: BaseMessage): TranscriptLine[] {
  if (ToolMessage.isInstance(message)) {
    return [{ by: 'result', text: headAndTail(message.text, RESULT_CHARS), ok: message.status !== 'error' }];
  }
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const asked = calls.map(({ name, args }): TranscriptLine => {
    return { by: 'call', text: `${name} ${headAndTail(JSON.stringify(args), RESULT_CHARS)}`, ok: true };
  });
  const { feedback } = dataOf(message);
  const by = AIMessage.isInstance(message) ? 'assistant' : feedback ? 'result' : 'person';
  const said = { by, text: headAndTail(message.text, MESSAGE_CHARS), ok: feedback?.failed === undefined } as const;
  return message.text === '' ? asked : [said, ...asked];
}
