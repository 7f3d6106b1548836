import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import type { EngineRun } from '../types.ts';
import { codePrompt } from './prompt.ts';
import type { CodeTurnDeps } from './types.ts';

/** The steps that code mode saves; a turn that fell back has steps of classic mode as well. */
const OWN_STEPS: ReadonlySet<Step['kind']> = new Set(['code', 'feedback']);

const INTERRUPTED =
  'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
  'again without acting twice, and stored values can be recalled.';

/** What a turn in code mode starts with: system prompt, history, request, and the saved steps if it is continued. */
export async function openingMessages({ registry, promptsDir }: CodeTurnDeps, run: EngineRun): Promise<BaseMessage[]> {
  const { conversation, turn, systemPrompt, alreadyDone, toolbox } = run;
  const prompt = codePrompt({
    promptsDir,
    tools: toolbox.list(),
    modules: Object.keys(registry.modules()),
    functions: [...registry.functions().keys()],
  });
  const resumed = (await conversation.resumed()).filter((step) => OWN_STEPS.has(step.kind));
  // A script without feedback was running when the program was killed.
  const interrupted = resumed.at(-1)?.kind === 'code' ? [new HumanMessage(INTERRUPTED)] : [];
  return [
    new SystemMessage(`${systemPrompt}\n\n${prompt}`),
    ...(await conversation.history('code')),
    new HumanMessage(alreadyDone === undefined ? turn.text : `${turn.text}\n\n${alreadyDone}`),
    ...resumed.map(toMessage),
    ...interrupted,
  ];
}
