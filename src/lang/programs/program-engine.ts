import { resolve } from 'node:path';
import type { Engine } from '../../agent/types.ts';
import { AssistantError } from '../../base/errors.ts';
import { NO_USAGE } from '../../base/turn.ts';
import type { JobProgram } from '../../scheduler/types.ts';
import { failureText } from './failure-text.ts';
import type { Programs } from './programs.ts';
import { type ProgramDeps, runWithin } from './run-within.ts';

/**
 * Answers a turn by running a program: what it prints is the answer. A program that is not the one that was scheduled
 * does not run.
 */
export function programEngine(
  deps: ProgramDeps & { readonly programs: Programs },
  { path, hash, args }: JobProgram,
): Engine {
  return {
    run: async (run) => {
      const program = await deps.programs.load(resolve(path), run.toolbox);
      if (program.compiled.hash !== hash) {
        const hint = `Read it, and if it is right: wooster think trust ${path}`;
        throw new AssistantError('program_changed', `The program ${path} is not what was scheduled.`, { hint });
      }
      const { signal } = run.context;
      const { failed, printed } = await runWithin(deps, program, { run, entry: { kind: 'main' }, args, signal });
      signal.throwIfAborted();
      if (!failed) return { text: printed, stop: 'answered', usage: NO_USAGE, steps: 0 };
      const hint = `wooster think run ${path} runs it by hand.`;
      throw new AssistantError('program_failed', failureText(failed, program), { hint });
    },
  };
}
