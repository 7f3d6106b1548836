import type { Answer, Turn, TurnContext } from '../base/turn.ts';
import { Conversations, recoverTurns } from '../conversation/conversations.ts';
import type { Tool } from '../tools/tool.ts';
import type { CompactReport, ContextReport } from './context-report.ts';
import { meantTurn } from './meant-turn.ts';
import type { ShownPrompt } from './prompt-report.ts';
import type { TurnRunner } from './turn.ts';
import { TurnModes } from './turn-modes.ts';
import type { AgentDeps, TurnWishes } from './types.ts';

/** Answers requests, whoever makes them: the terminal, a command, a job, a channel. */
export interface Agent {
  /**
   * Run one turn from its request to its saved answer; the only way to run one.
   *
   * @param context made for this turn: `signal` cancels it, `show` gets every event as it happens, `approve` decides.
   * @returns the answer, also for a turn that failed or was cancelled (`stop` says which). Never rejects.
   */
  runTurn(turn: Turn, context: TurnContext, wishes?: TurnWishes): Promise<Answer>;
  readonly conversations: Conversations;
  /** What would fill the context window of the conversation's next request. The text of `turn` does not matter. */
  context(turn: Turn, context: TurnContext): Promise<ContextReport>;
  /** Every prompt and tool declaration as the conversation's next request would hold it, in both modes. */
  prompts(turn: Turn, context: TurnContext): Promise<readonly ShownPrompt[]>;
  /** Every tool that a model can get in this turn. */
  tools(turn: Turn, context: TurnContext): Promise<readonly Tool[]>;
  /** Summarise the conversation now, all but the last exchange. */
  compact(turn: Turn, context: TurnContext): Promise<CompactReport>;
}

/** Build an agent. Turns that a killed process left running are marked as interrupted first. */
export async function createAgent(deps: AgentDeps): Promise<Agent> {
  const conversations = new Conversations(deps.store);
  const lost = await recoverTurns(deps.store);
  if (lost.length > 0) deps.log.warn('interrupted turns found', { turns: lost.map((turn) => turn.id) });
  let loading: Promise<TurnRunner> | undefined;
  const loaded = () => {
    loading ??= import('./turn.ts').then(({ TurnRunner }) => new TurnRunner(deps, conversations));
    return loading;
  };
  const modes = new TurnModes(deps);
  const run: Agent['runTurn'] = async (given, context, wishes) => {
    const turn = await meantTurn(given, conversations);
    return (await loaded()).run(await modes.decide(turn, context), context, wishes);
  };
  return {
    runTurn: run,
    context: async (turn, context) => (await loaded()).context(turn, context),
    prompts: async (turn, context) => (await loaded()).prompts(turn, context),
    tools: async (turn, context) => (await loaded()).tools(turn, context),
    compact: async (turn, context) => (await loaded()).compact(turn, context),
    conversations,
  };
}
