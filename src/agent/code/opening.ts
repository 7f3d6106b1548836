import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import type { Tool } from '../../tools/tool.ts';
import type { EngineRun } from '../types.ts';
import { codePrompt } from './prompt.ts';
import type { CodeTurnDeps } from './types.ts';

/** The steps that code mode saves; a turn that fell back has steps of classic mode as well. */
const OWN_STEPS: ReadonlySet<Step['kind']> = new Set(['code', 'feedback']);

/** Scripts have functions of their own for these. */
const BUILT_IN_TOOLS: ReadonlySet<string> = new Set(['artifact.store', 'artifact.get', 'artifact.list']);

const INTERRUPTED =
  'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
  'again without acting twice, and stored values can be recalled.';

/** Code mode's part of the system prompt, for these tools. */
export function codeInstructions(
  { registry, promptsDir }: Pick<CodeTurnDeps, 'registry' | 'promptsDir'>,
  offered: readonly Tool[],
  small: boolean,
): string {
  return codePrompt({
    promptsDir,
    tools: offered.filter(({ name }) => !BUILT_IN_TOOLS.has(name)),
    modules: Object.keys(registry.modules()),
    functions: [...registry.functions().keys()],
    small,
  });
}

/** What a turn in code mode starts with: system prompt, history, request, and the saved steps if it is continued. */
export async function openingMessages(
  { registry, promptsDir }: CodeTurnDeps,
  run: EngineRun,
  { small }: { readonly small: boolean },
): Promise<BaseMessage[]> {
  const { conversation, turn, alreadyDone, toolbox } = run;
  const request = await conversation.request();
  const prompt = codeInstructions({ registry, promptsDir }, await toolbox.offered(turn), small);
  const resumed = (await conversation.resumed()).filter((step) => OWN_STEPS.has(step.kind));
  // A script without feedback was running when the program was killed.
  const interrupted = resumed.at(-1)?.kind === 'code' ? [new HumanMessage(INTERRUPTED)] : [];
  return [
    new SystemMessage(`${small ? run.smallPrompt() : run.systemPrompt}\n\n${prompt}`),
    ...(await conversation.history('code')),
    new HumanMessage(alreadyDone === undefined ? request : `${request}\n\n${alreadyDone}`),
    ...resumed.map(toMessage),
    ...interrupted,
  ];
}
