import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { feedbackMessage, requestMessage, toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import { withData } from '../../models/message-data.ts';
import { providerOf } from '../../models/providers/list.ts';
import type { ModelChoice } from '../../models/types.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { withNothingYet } from '../prompt.ts';
import type { EngineRun } from '../types.ts';
import { codePrompt, type SmallPrompt } from './prompt.ts';
import { RAN } from './script-calls.ts';
import type { CodeTurnDeps } from './types.ts';

/** The steps that code mode saves; a turn that fell back has steps of classic mode as well. */
const OWN_STEPS: ReadonlySet<Step['kind']> = new Set(['code', 'feedback']);

/** Scripts have functions of their own for these. */
const BUILT_IN_TOOLS: ReadonlySet<string> = new Set(['artifact.store', 'artifact.get', 'artifact.list']);

const INTERRUPTED =
  'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
  'again without acting twice, and stored values can be recalled.';

/** Code mode's part of the system prompt, for these tools. @param small for a small model, what it is asked. */
export function codeInstructions(
  { registry, promptsDir }: Pick<CodeTurnDeps, 'registry' | 'promptsDir'>,
  offered: readonly Tool[],
  small?: SmallPrompt,
): string {
  return codePrompt({
    promptsDir,
    tools: offered.filter(({ name }) => !BUILT_IN_TOOLS.has(name)),
    modules: Object.keys(registry.modules()),
    functions: [...registry.functions().keys()],
    small,
  });
}

/** What a turn in code mode starts with. */
export interface CodeOpening {
  /** System prompt, history, request, and the saved steps if the turn is continued. */
  readonly messages: BaseMessage[];
  /** The system prompt once a script has run: a small model then has an example of its own. */
  readonly proven: SystemMessage | undefined;
}

export async function openingOf(
  { registry, promptsDir }: Pick<CodeTurnDeps, 'registry' | 'promptsDir'>,
  run: EngineRun,
  choice: ModelChoice,
): Promise<CodeOpening> {
  const { conversation, turn, alreadyDone, toolbox } = run;
  const request = await conversation.request();
  // The built-in model looks for its tools in the prompt, and knows by itself what there is.
  const knowsAll = providerOf(choice.provider)?.inProcess === true;
  const { tools, none } = knowsAll ? { tools: await toolbox.offered(turn), none: [] } : await toolbox.declared(turn);
  const resumed = (await conversation.resumed()).filter((step) => OWN_STEPS.has(step.kind));
  // A script without feedback was running when the program was killed.
  const interrupted = resumed.at(-1)?.kind === 'code' ? [feedbackMessage(INTERRUPTED, {})] : [];
  const base = withNothingYet(choice.small ? run.smallPrompt() : run.systemPrompt, none);
  const system = (small?: SmallPrompt) =>
    new SystemMessage({
      content: `${base}\n\n${codeInstructions({ registry, promptsDir }, tools, small)}`,
      ...withData({ facts: run.facts, functions: tools.map(({ name }) => modelToolName(name)) }),
    });
  const history = await conversation.history('code', choice.looksBackTokens);
  const proven = choice.small ? system({ request: turn.text, proven: true }) : undefined;
  const isProven = history.some((message) => HumanMessage.isInstance(message) && message.text.startsWith(RAN));
  const messages = [
    (isProven ? proven : undefined) ?? system(choice.small ? { request: turn.text } : undefined),
    ...history,
    requestMessage(request, alreadyDone),
    ...resumed.map(toMessage),
    ...interrupted,
  ];
  return { messages, proven };
}
