import { messageOf } from '../base/errors.ts';
import type { Mode, Turn, TurnContext } from '../base/turn.ts';
import type { AgentDeps } from './types.ts';

/** Decides in which mode a turn starts, where that is for the agent to choose. */
export class TurnModes {
  readonly #deps: Pick<AgentDeps, 'chooseMode' | 'log'>;
  /** What was said of each model: it is said once, and again when it changes. */
  readonly #told = new Map<string, Mode>();

  constructor(deps: Pick<AgentDeps, 'chooseMode' | 'log'>) {
    this.#deps = deps;
  }

  /** The turn in the mode that works for its model. */
  async decide(turn: Turn, context: TurnContext): Promise<Turn> {
    if (!turn.autoMode || !this.#deps.chooseMode) return turn;
    try {
      const { mode, model, why } = await this.#deps.chooseMode();
      if (this.#told.get(model) !== mode) context.show({ type: 'notice', text: `${model} works in ${mode}: ${why}.` });
      this.#told.set(model, mode);
      return { ...turn, mode };
    } catch (error) {
      this.#deps.log.error('no mode was chosen', { error: messageOf(error) });
      return turn;
    }
  }
}
