import { resolve } from 'node:path';
import { once } from '../../base/once.ts';
import type { Engine } from '../types.ts';
import type { CodeEngineDeps } from './types.ts';

const codeTurn = once(() => import('./code-turn.ts'));

/** Code mode: the model writes scripts that call the tools, until one of them ends the turn. */
export function createCodeEngine(deps: CodeEngineDeps): Engine {
  const knobs = deps.knobs ?? deps.options;
  const promptsDir = deps.promptsDir ?? resolve(import.meta.dirname, '../../../prompts');
  return {
    run: async (run) => {
      const { CodeTurn } = await codeTurn();
      const turn = await CodeTurn.start({ ...deps, promptsDir, maxAttempts: knobs.maxAttempts }, run);
      return turn.run();
    },
  };
}
