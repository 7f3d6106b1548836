import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { picturesOf, type Turn } from '../../base/turn.ts';
import { feedbackMessage, requestMessage, toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import { withData } from '../../models/message-data.ts';
import type { ModelChoice } from '../../models/types.ts';
import { modelToolName, type Toolbox } from '../../tools/gate/toolbox.ts';
import { asContext, type PromptParts, sections } from '../prompt.ts';
import { requestData } from '../request-data.ts';
import type { EngineRun } from '../types.ts';
import { type NamedTool, nameTools, spelling } from './names.ts';
import { codePrompt, type DeclarationBudget, declarationBudget, declarations } from './prompt.ts';
import type { CodeTurnDeps } from './types.ts';

/** The steps that code mode saves; a turn that fell back has steps of classic mode as well. */
const OWN_STEPS: ReadonlySet<Step['kind']> = new Set(['code', 'feedback']);

/** Scripts have functions of their own for these. */
const BUILT_IN_TOOLS: ReadonlySet<string> = new Set(['artifact.store', 'artifact.get', 'artifact.list']);

const INTERRUPTED =
  'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
  'again without acting twice, and stored values can be recalled.';

/** The prompt of code mode, without the conversation. */
export interface CodePrompt {
  /** The system prompt: byte for byte the same as long as tools and prompt files are. */
  readonly system: string;
  /** What comes after the history, with the request: tools for this request alone, and the turn's context. */
  readonly now: string;
  /** All tools that it declares, each with how a script names it. */
  readonly functions: Readonly<Record<string, string>>;
}

export interface CodePromptDeps extends Pick<CodeTurnDeps, 'registry' | 'promptsDir'> {
  readonly turn: Turn;
  readonly toolbox: Pick<Toolbox, 'offered'>;
  readonly parts: PromptParts;
  readonly budget: DeclarationBudget;
  readonly small?: boolean | undefined;
}

/** Declare the tools that are offered whatever is asked in the system prompt, and those for this request after it. */
export async function codePromptOf(deps: CodePromptDeps): Promise<CodePrompt> {
  const { registry, promptsDir, turn, toolbox, parts, budget, small } = deps;
  const functions = [...registry.functions().keys()];
  const offered = async (text: string) =>
    (await toolbox.offered({ ...turn, text })).filter(
      ({ name, presentation }) => !BUILT_IN_TOOLS.has(name) && !presentation.untold,
    );
  const always = new Set(await offered(''));
  const named = nameTools([...new Set([...always, ...(await offered(turn.text))])], new Set(functions));
  const [tools, more] = [true, false].map((is) => named.filter(({ tool }) => always.has(tool) === is)) as [
    NamedTool[],
    NamedTool[],
  ];
  const modules = Object.keys(registry.modules());
  const code = codePrompt({ promptsDir, tools, modules, functions, budget, small });
  const left = budget.tokens - budget.count(declarations(tools, budget));
  const forThis = declarations(more, { ...budget, tokens: Math.max(0, left) }, named);
  return {
    system: sections([parts.standing, code]),
    now: sections([forThis && `More tools for this request\n${forThis}`, parts.now]),
    functions: Object.fromEntries(named.map((each) => [modelToolName(each.tool.name), spelling(each)])),
  };
}

/**
 * The messages that a turn starts with: system prompt, history, request, and the saved steps if the turn is continued.
 * What changes from turn to turn comes after the history, so that servers can reuse their cache of all before it.
 */
export async function openingOf(
  { registry, promptsDir }: Pick<CodeTurnDeps, 'registry' | 'promptsDir'>,
  run: EngineRun,
  choice: ModelChoice,
): Promise<BaseMessage[]> {
  const { conversation, turn, alreadyDone = '', toolbox } = run;
  const { small = false, contextWindow, name } = choice;
  const counter = await run.counterFor(name);
  const budget = declarationBudget(contextWindow, (text) => counter.text(text));
  const parts = run.promptParts(small);
  const prompt = await codePromptOf({ registry, promptsDir, turn, toolbox, parts, budget, small });
  const resumed = (await conversation.resumed()).filter((step) => OWN_STEPS.has(step.kind));
  // A script without feedback was running when the program was killed.
  const interrupted = resumed.at(-1)?.kind === 'code' ? [feedbackMessage(INTERRUPTED, {})] : [];
  const data = withData({ ...(await requestData(run)), functions: prompt.functions });
  return [
    new SystemMessage({ content: prompt.system, ...data }),
    ...(await conversation.history('code', choice.looksBackTokens)),
    requestMessage(await conversation.request(), sections([asContext(prompt.now), alreadyDone]), picturesOf(turn)),
    ...resumed.map(toMessage),
    ...interrupted,
  ];
}
