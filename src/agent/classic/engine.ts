import { once } from '../../base/once.ts';
import { NO_USAGE, type StopReason } from '../../base/turn.ts';
import type { Engine } from '../types.ts';
import type { ClassicTurn, TurnOptions } from './classic-turn.ts';

export interface ClassicDeps extends TurnOptions {
  /** The most model calls of one turn; a turn that needs more ends as `step_limit`. */
  readonly maxIterations: number;
}

/** Classic mode: the model calls tools, the gate runs them, until a reply comes without calls. */
export function createClassicEngine(deps: ClassicDeps): Engine {
  return {
    run: async (run) => {
      // LangChain loads with the first turn, not with the program.
      const [{ ClassicTurn }, { runExecutor }] = await Promise.all([classicTurn(), executor()]);
      const maxSteps = Math.min(deps.maxIterations, run.maxSteps ?? Number.POSITIVE_INFINITY);
      const turn = await ClassicTurn.start(run, { ...deps, maxSteps });
      try {
        await runExecutor(turn, run, maxSteps);
      } finally {
        await turn.saved();
      }
      run.context.signal.throwIfAborted();
      return { text: turn.answer(), stop: stopOf(turn), usage: NO_USAGE, steps: turn.steps };
    },
  };
}

function stopOf({ finished, isCutOff }: ClassicTurn): StopReason {
  if (!finished) return 'step_limit';
  return isCutOff ? 'cut_off' : 'answered';
}

const classicTurn = once(() => import('./classic-turn.ts'));
const executor = once(() => import('./executor.ts'));
