import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Answer, Mode, Turn, TurnContext } from '../base/turn.ts';
import { Conversations, recoverTurns } from '../conversation/conversations.ts';
import type { Models, TaskProfile } from '../models/types.ts';
import type { Prepared } from '../plugins/definition.ts';
import type { Store } from '../store/store.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import type { CompactReport, ContextReport } from './context-report.ts';
import { TurnRunner } from './turn.ts';
import type { Engine, EngineRun } from './types.ts';

export interface AgentOptions {
  /** IANA name; the machine's zone unless given. */
  readonly timeZone?: string | undefined;
  /** Overrides what is known of the model's window, in tokens. */
  readonly contextWindowTokens?: number | undefined;
  /** Hosts that answers may link to and show images from, whatever was read. */
  readonly linkHosts?: readonly string[] | undefined;
}

/** What a scheduled job brings to its turn. */
export interface JobContext {
  readonly runId?: string | undefined;
  /** The channel that the job reports to. */
  readonly channel?: string | undefined;
  /** Born in a conversation that had read text of strangers; its turns start out as if they had. */
  readonly untrusted?: boolean | undefined;
  readonly jobId?: string | undefined;
  /** What the job may cost in all, in USD. */
  readonly budgetUsd?: number | undefined;
  /** Which kind of model its turns ask for. */
  readonly profile?: TaskProfile | undefined;
  /** The tools as this job may use them. */
  limit?(toolbox: Toolbox): Toolbox;
}

export interface AgentDeps {
  readonly store: Store;
  readonly models: Models;
  readonly toolbox: Toolbox;
  readonly plugins: { prepare(turn: Turn): Promise<Prepared> };
  /** The owner's words about a project, from its `prompt.txt`. */
  readonly projects: { prompt(project: string): string | undefined };
  readonly engines: Readonly<Record<Mode, Engine>>;
  readonly promptsDir: string;
  readonly options: AgentOptions;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Tools that only tool-calling turns get, made for the run: scripts inside classic mode. */
  readonly classicTools?:
    | ((run: Pick<EngineRun, 'turn' | 'context' | 'toolbox' | 'scope' | 'pick'>) => readonly Tool[])
    | undefined;
  readonly jobContext?: ((turn: Turn) => JobContext | undefined) | undefined;
}

export interface Agent {
  /** The one door: never rejects, every end is an Answer. */
  runTurn(turn: Turn, context: TurnContext): Promise<Answer>;
  readonly conversations: Conversations;
  /** What would fill the window of the conversation's next request; `turn.text` does not matter. */
  context(turn: Turn, context: TurnContext): Promise<ContextReport>;
  /** Summarise the conversation now, all but the last exchange. */
  compact(turn: Turn, context: TurnContext): Promise<CompactReport>;
}

/** Everything behind the door. Turns that a killed process left running are found here. */
export function createAgent(deps: AgentDeps): Agent {
  const conversations = new Conversations(deps.store);
  const lost = recoverTurns(deps.store);
  if (lost.length > 0) deps.log.warn('interrupted turns found', { turns: lost.map((turn) => turn.id) });
  const runner = new TurnRunner(deps, conversations);
  return {
    runTurn: (turn, context) => runner.run(turn, context),
    context: (turn, context) => runner.context(turn, context),
    compact: (turn, context) => runner.compact(turn, context),
    conversations,
  };
}
