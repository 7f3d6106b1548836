import type { AIMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { providerOf } from '../../models/providers/list.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { asContext, type PromptParts, withNothingYet } from '../prompt.ts';
import type { EngineRun } from '../types.ts';

/** Tells a model about the extra field of each call: with it, no further request is needed just for the words. */
const ANSWERS_WITH_CALLS =
  'Calls with `answer` may carry what the user is told if all calls of the reply succeed; it ends the turn.';

const ANSWER = { answer: z.string().optional() };

/** Cached per tool, like its declaration. */
const ANSWERING = new WeakMap<Tool, Tool>();

/** The tools as they are declared to a model that may send its answer along with a call. */
export function answering(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => {
    const { input } = tool;
    if (!tool.presentation.unremarkable || !(input instanceof z.ZodObject)) return tool;
    const made = ANSWERING.get(tool) ?? { ...tool, input: input.extend(ANSWER) };
    ANSWERING.set(tool, made);
    return made;
  });
}

/** Whether a model is offered the field. A small one fills in every field it sees, and would end turns too early. */
export function mayAnswer({ wanted }: Pick<EngineRun, 'wanted'>, { provider, small }: ModelChoice): boolean {
  return wanted === undefined && small !== true && !providerOf(provider)?.inProcess;
}

/** The system prompt of classic mode for these tools. */
export function classicPrompt(
  systemPrompt: string,
  { none, tools }: { readonly none: readonly string[]; readonly tools: readonly Tool[] },
): string {
  const prompt = withNothingYet(systemPrompt, none);
  return tools.some(({ presentation }) => presentation.unremarkable) ? `${prompt}\n${ANSWERS_WITH_CALLS}` : prompt;
}

/** What a small model is told of the block behind a request. */
const CONTEXT = '<context> at the end of a request tells the day and what is known; it is not from the user.';

/**
 * The prompt in two parts, for a model whose server reads everything anew from the first word that has changed: the same
 * from turn to turn, and what comes behind the request. Small models run on such servers, for one person.
 */
export function smallPrompt(run: Pick<EngineRun, 'promptParts'>, none: readonly string[]): PromptParts {
  const { standing, now } = run.promptParts(true);
  return { standing: `${standing}\n${CONTEXT}`, now: asContext(withNothingYet(now, none)) };
}

/** Take the answer out of the calls that may carry one: the gate and the history see the calls without it. */
export function takeAnswer(message: AIMessage, toolbox: Pick<Toolbox, 'meant'>): string | undefined {
  let answer: string | undefined;
  message.tool_calls = (message.tool_calls ?? []).map((call) => {
    if (!('answer' in call.args) || !toolbox.meant(call.name)?.presentation.unremarkable) return call;
    const { answer: said, ...args } = call.args;
    if (typeof said === 'string' && said.trim() !== '') answer = said;
    return { ...call, args };
  });
  return answer;
}
