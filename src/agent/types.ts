import type { Answer, Turn, TurnContext } from '../base/turn.ts';
import type { Compact, Conversation } from '../conversation/types.ts';
import type { ModelChoice, Models, TaskProfile } from '../models/types.ts';
import type { CallScope, Toolbox } from '../tools/gate/toolbox.ts';

/** All that an engine gets for one turn. */
export interface EngineRun {
  readonly turn: Turn;
  readonly context: TurnContext;
  /** The gate for this turn, with the plugins' tools of this turn. */
  readonly toolbox: Toolbox;
  readonly scope: CallScope;
  readonly models: Models;
  /** Base prompt, user prompts, project prompt, date, zone, project, plugin context; without the mode's own part. */
  readonly systemPrompt: string;
  readonly conversation: Conversation;
  readonly compact: Compact;
  /** Picks a model for this turn and books its usage to it. */
  pick(
    profile: TaskProfile,
    options?: { purpose?: 'turn' | 'llm'; jsonResponse?: boolean; maxTokens?: number },
  ): Promise<ModelChoice>;
  /** For the fallback and for a turn that is continued: what has already been done, in words. */
  readonly alreadyDone?: string | undefined;
}

/** Anything that can answer a turn. Both modes are one of these; no caller asks which. */
export interface Engine {
  /** Failures are answers; only an abort of `context.signal` and an AssistantError of the models may reject. */
  run(run: EngineRun): Promise<Answer>;
}
