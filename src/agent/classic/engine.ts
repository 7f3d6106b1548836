import { once } from '../../base/once.ts';
import { NO_USAGE, type StopReason } from '../../base/turn.ts';
import type { Engine } from '../types.ts';
import type { ClassicTurn, Loop, TurnOptions } from './classic-turn.ts';

/** The LangChain loops that can drive a classic turn; both pass `engine.contract.ts`. */
export const LOOPS = ['executor', 'graph'] as const;
export type LoopName = (typeof LOOPS)[number];

export interface ClassicDeps extends TurnOptions {
  /** The most model calls of one turn; a turn that needs more ends as `step_limit`. */
  readonly maxIterations: number;
  /** `executor` unless given. */
  readonly loop?: LoopName | undefined;
}

/** Classic mode: the model calls tools, the gate runs them, until a reply comes without calls. */
export function createClassicEngine(deps: ClassicDeps): Engine {
  return {
    run: async (run) => {
      // LangChain loads with the first turn, not with the program.
      const { ClassicTurn } = await classicTurn();
      const turn = await ClassicTurn.start(run, deps);
      const loop = await loadLoop(deps.loop ?? 'executor');
      try {
        await loop(turn, run, Math.min(deps.maxIterations, run.maxSteps ?? Number.POSITIVE_INFINITY));
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

/** Loads only the chosen loop: each takes a third of a second. */
function loadLoop(name: LoopName): Promise<Loop> {
  return name === 'graph' ? graph() : executor();
}

const graph = once(async () => (await import('./graph.ts')).runGraph);
const executor = once(async () => (await import('./executor.ts')).runExecutor);
