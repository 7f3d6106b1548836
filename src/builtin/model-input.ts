import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { Taught } from '../base/examples.ts';
import { materialOf, withoutMaterial } from '../base/turn.ts';
import {
  type DoneCall,
  dataOf,
  type Feedback,
  type Outcome,
  type PluginOffer,
  type ResultData,
} from '../models/message-data.ts';
import { textOf } from '../models/reply.ts';
import { examplesOfTools } from './compute.ts';
import type { PriorMessage } from './request.ts';

/** A model request, read. */
export interface ModelInput {
  /** How actions may be asked for: by tool calls, by one script, or not at all. */
  readonly style: 'tools' | 'code' | 'plain';
  readonly text: string;
  /** The name of a text that came with the request and that `text` does not hold. */
  readonly handed: string | undefined;
  readonly earlier: readonly PriorMessage[];
  /** Results since the request. */
  readonly outcomes: readonly Outcome[];
  /** What became of the last script. */
  readonly feedback: Feedback | undefined;
  readonly can: (tool: string) => boolean;
  /** How a script names the tools that it may call; none in other styles. */
  readonly functions: Readonly<Record<string, string>>;
  /** What the person has told of themselves, as far as the prompt says it. */
  readonly facts: readonly string[];
  readonly offers: readonly PluginOffer[];
  readonly examples: readonly Taught[];
  /** What earlier turns did. */
  readonly done: readonly DoneCall[];
}

/** @param offered names of the bound tools; none in code style. */
export function readModelInput(messages: readonly BaseMessage[], offered: readonly string[]): ModelInput {
  const {
    functions,
    facts = [],
    offers = [],
    examples = [],
    done = [],
  } = Object.assign({}, ...messages.map(dataOf)) as ReturnType<typeof dataOf>;
  const code = offered.length === 0 && functions !== undefined;
  const at = messages.findLastIndex((message) => HumanMessage.isInstance(message) && !dataOf(message).feedback);
  const since = messages.slice(at + 1);
  const request = saidBy(messages[at]);
  // What was called counts as offered, though by now there may be nothing left to call it for.
  const names = new Set(code ? Object.keys(functions) : [...offered, ...callsIn(since).map(({ name }) => name)]);
  const { feedback } = dataOf(since.findLast((message) => dataOf(message).feedback));
  return {
    style: offered.length > 0 ? 'tools' : code ? 'code' : 'plain',
    text: withoutMaterial(request),
    handed: materialOf(request)[0],
    earlier: saidIn(messages.slice(0, Math.max(at, 0))),
    outcomes: code ? since.flatMap((message) => dataOf(message).feedback?.outcomes ?? []) : outcomes(since),
    feedback,
    can: (tool) => names.has(tool),
    functions: functions ?? {},
    facts,
    offers,
    examples: withOurs(examples),
    done,
  };
}

function saidBy(message: BaseMessage | undefined): string {
  return dataOf(message).said ?? (message ? textOf(message) : '');
}

/** Scripts, what they gave back and calls are left out: they are not what was said. */
function saidIn(messages: readonly BaseMessage[]): PriorMessage[] {
  return messages.flatMap((message, at): PriorMessage[] => {
    if (dataOf(message).feedback || dataOf(message).script || dataOf(messages[at + 1]).feedback) return [];
    if (HumanMessage.isInstance(message)) return [{ by: 'person', text: withoutMaterial(saidBy(message)) }];
    const text = AIMessage.isInstance(message) ? textOf(message) : '';
    return text === '' ? [] : [{ by: 'assistant', text }];
  });
}

function callsIn(messages: readonly BaseMessage[]) {
  return messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []));
}

/** Results by their calls. */
function outcomes(since: readonly BaseMessage[]): Outcome[] {
  const calls = new Map(callsIn(since).map((call) => [call.id, call]));
  return since.flatMap((message) => {
    if (!ToolMessage.isInstance(message)) return [];
    const { artifact, status, text, tool_call_id } = message;
    const data: ResultData = artifact ?? { ok: status !== 'error' };
    return [{ input: calls.get(tool_call_id)?.args ?? {}, text, ...data }];
  });
}

/** What people say for our own tools counts wherever a tool of that name comes without. */
function withOurs(examples: readonly Taught[]): readonly Taught[] {
  const known = new Set(examples.map(({ tool }) => tool));
  return [...examples, ...examplesOfTools().filter(({ tool }) => !known.has(tool))];
}
