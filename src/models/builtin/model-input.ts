import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { pattern } from '../../base/pattern.ts';
import { withoutMaterial } from '../../base/turn.ts';
import { textOf } from '../reply.ts';
import { DUE_MARKER, MEMORY_MARKER } from './prompt-markers.ts';
import type { PriorMessage } from './request.ts';
import { functionOf, scriptCalls } from './script.ts';

/** How actions may be asked for: by tool calls, by one script, or not at all. */
export type Style = 'tools' | 'code' | 'plain';

/** What a tool answered to a call of the running turn. */
export interface Outcome {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly text: string;
}

/** A model request, read. */
export interface ModelInput {
  readonly style: Style;
  readonly text: string;
  /** Texts were handed over with the request, which `text` does not hold. */
  readonly hasMaterial: boolean;
  readonly earlier: readonly PriorMessage[];
  /** Results since the request; in code style what came back from the script is in `feedback`. */
  readonly outcomes: readonly Outcome[];
  readonly feedback: string | undefined;
  readonly can: (tool: string) => boolean;
  /** The request is the prompt of a scheduled job, which nobody waits for. */
  readonly isDue: boolean;
  /** What the system prompt tells of the owner. */
  readonly facts: readonly string[];
}

/** Stands in the header of the code agent's prompt (prompts/internal/code_agent.txt). */
export const CODE_MARKER = 'You act by writing JavaScript';

/** How a failed call reads: the toolbox's refusals and the executor's own. */
const FAILURE = pattern(
  'iu',
  String.raw`^(?:error\b|tool "|invalid input|[\w.]+(?:: .*(?:required|invalid|expected)| (?:failed`,
  String.raw`|was not run|did not answer|was stopped|was begun before)\b))`,
);
/** The start of a script in a reply; with its language, it is one whatever comes after it. */
const FENCE = /```(?:js|javascript)?\s/u;
const SCRIPT = /```(?:js|javascript)\s/u;
/** How what comes back from a script begins; see `src/agent/code/feedback.ts`. */
const OUTCOME_OF_SCRIPT = pattern(
  'iu',
  String.raw`^(?:\[|the (?:script|block|code)|your (?:script|block|code|last|answer)|script|attempt`,
  String.raw`|error|result|value|calls?|logs?|feedback|execution|failed|line \d+|it (?:ran|failed|threw))`,
);

/** What history adds to a request: what was called for it; see `src/conversation/turn-steps.ts`. */
const RESULTS = /\n\n\(What was called for this request, and what it gave:\n[\s\S]*\)$/u;

/** @param offered names of the bound tools; none in code style. */
export function readModelInput(messages: readonly BaseMessage[], offered: readonly string[]): ModelInput {
  const system = messages
    .filter((message) => SystemMessage.isInstance(message))
    .map(textOf)
    .join('\n');
  const code = offered.length === 0 && system.includes(CODE_MARKER);
  const at = requestIndex(messages, code);
  const since = messages.slice(at + 1);
  const request = messages[at]?.text ?? '';
  // What was called counts as offered, though by now there may be nothing left to call it for.
  const names = new Set([...offered, ...callsIn(since).map(({ name }) => name)]);
  const feedback = since.findLast((message) => HumanMessage.isInstance(message))?.text;
  return {
    style: offered.length > 0 ? 'tools' : code ? 'code' : 'plain',
    text: withoutMaterial(request),
    hasMaterial: withoutMaterial(request) !== request,
    earlier: saidIn(messages.slice(0, Math.max(at, 0))),
    outcomes: code
      ? scriptCalls(since.findLast((message) => AIMessage.isInstance(message))?.text ?? '', feedback ?? '')
      : outcomes(since),
    feedback,
    can: (tool) => (code ? system.includes(functionOf(tool)) : names.has(tool)),
    isDue: system.includes(DUE_MARKER),
    facts: factsIn(system),
  };
}

/** The lines below the heading of the memory, up to the first that is none of them. */
function factsIn(system: string): string[] {
  const [, told = ''] = system.split(`\n${MEMORY_MARKER}`);
  const lines = told.split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('- '));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => line.slice(2));
}

/** The person's last words; in code style what a script gave back is also a human message and is passed over. */
function requestIndex(messages: readonly BaseMessage[], code: boolean): number {
  let at = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  while (code && at > 1 && isFeedback(messages[at - 1], messages[at])) {
    at = messages.findLastIndex((message, index) => index < at && HumanMessage.isInstance(message));
  }
  return at;
}

/** The code agent answers a script in the person's role; only its wording tells the two apart. */
function isFeedback(before: BaseMessage | undefined, message: BaseMessage | undefined): boolean {
  return (
    before !== undefined &&
    AIMessage.isInstance(before) &&
    FENCE.test(textOf(before)) &&
    OUTCOME_OF_SCRIPT.test(message ? textOf(message) : '')
  );
}

/** Scripts, what they gave back and calls are left out: they are not what was said. */
function saidIn(messages: readonly BaseMessage[]): PriorMessage[] {
  return messages.flatMap((message, at): PriorMessage[] => {
    if (HumanMessage.isInstance(message))
      return isFeedback(messages[at - 1], message)
        ? []
        : [{ by: 'person', text: withoutMaterial(textOf(message).replace(RESULTS, '')) }];
    if (!AIMessage.isInstance(message)) return [];
    const text = textOf(message);
    if (text === '' || SCRIPT.test(text) || isFeedback(message, messages[at + 1])) return [];
    return [{ by: 'assistant', text }];
  });
}

function callsIn(messages: readonly BaseMessage[]) {
  return messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []));
}

/** Results by their calls. An error shows by its status or by its wording. */
function outcomes(since: readonly BaseMessage[]): Outcome[] {
  const calls = new Map(callsIn(since).map((call) => [call.id, call]));
  return since.flatMap((message) => {
    if (!ToolMessage.isInstance(message)) return [];
    const call = calls.get(message.tool_call_id);
    const text = message.text;
    const ok = message.status !== 'error' && !FAILURE.test(text);
    return [{ input: call?.args ?? {}, ok, text }];
  });
}
