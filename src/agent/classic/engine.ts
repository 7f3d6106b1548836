import { NO_USAGE } from '../../base/turn.ts';
import type { Engine, EngineRun } from '../types.ts';
import { ClassicTurn, type TurnOptions } from './turn.ts';

/** The LangChain loops that can drive a classic turn; both pass `engine.contract.ts`. */
export const LOOPS = ['executor', 'graph'] as const;
export type LoopName = (typeof LOOPS)[number];

/** Drives `turn` until the model has nothing more to call, or has been called `maxIterations` times. */
export type Loop = (turn: ClassicTurn, run: EngineRun, maxIterations: number) => Promise<void>;

export interface ClassicDeps extends TurnOptions {
  /** Most model calls of one turn. */
  readonly maxIterations: number;
  /** `executor` unless given. */
  readonly loop?: LoopName | undefined;
}

/** Tool-calling mode: the model names tools, the gate runs them. */
export function createClassicEngine(deps: ClassicDeps): Engine {
  return {
    run: async (run) => {
      const turn = await ClassicTurn.start(run, deps);
      const loop = await loadLoop(deps.loop ?? 'executor');
      await loop(turn, run, deps.maxIterations);
      run.context.signal.throwIfAborted();
      const stop = turn.finished ? 'answered' : 'step_limit';
      return { text: turn.answer(), stop, usage: NO_USAGE, steps: turn.steps };
    },
  };
}

/** Only the chosen one is loaded: either costs a third of a second. */
async function loadLoop(name: LoopName): Promise<Loop> {
  return name === 'graph' ? (await import('./graph.ts')).runGraph : (await import('./executor.ts')).runExecutor;
}
