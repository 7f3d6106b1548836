import type { ProgramEngine } from '../../agent/job-turns.ts';
import type { EngineRun } from '../../agent/types.ts';
import { preview } from '../../base/text.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import type { Suspended } from '../../scheduler/types.ts';
import type { EffectRow } from '../../store/schema.ts';
import { inOrder } from '../../tools/gate/effect-rows.ts';
import { allowing } from '../../tools/gate/limits.ts';
import type { Tool } from '../../tools/tool.ts';
import { failureText } from '../programs/failure-text.ts';
import type { LoadedProgram } from '../programs/load-program.ts';
import { type EngineDeps, pausesOf, resultText, suspendedAt } from '../programs/program-engine.ts';
import { runWithin } from '../programs/run-within.ts';
import type { CallWatch } from '../runtime/program-host.ts';
import type { Frozen } from './frozen-table.ts';
import { unseenIn } from './seen.ts';

type FrozenDeps = Omit<EngineDeps, 'load'>;

/** How a run left what its program was approved for. */
export interface Deviation {
  readonly why: string;
  /** What it had done by then, one line for each call; undefined: nothing. */
  readonly done: string | undefined;
  /** No model could be reached, so the program is not to blame. */
  readonly modelAway: boolean;
}

/**
 * Runs the program of a frozen job as long as everything is as it was when its owner approved it. Whatever is not ends
 * the program right there.
 */
export class RunsFrozen implements ProgramEngine {
  deviation: Deviation | undefined;
  suspended: Suspended | undefined;
  readonly #deps: FrozenDeps;
  readonly #frozen: Frozen;
  readonly #program: LoadedProgram;
  readonly #earlier: string | undefined;

  /** @param earlier what a run that goes on was answered before. */
  constructor(
    deps: FrozenDeps,
    frozen: Frozen,
    { program, earlier }: { program: LoadedProgram; earlier?: string | undefined },
  ) {
    this.#deps = deps;
    this.#frozen = frozen;
    this.#program = program;
    this.#earlier = earlier;
  }

  async run(run: EngineRun): Promise<Answer> {
    const toolbox = allowing(run.toolbox, this.#frozen.allowed, () => {});
    const pauses = await pausesOf(this.#deps, run, this.#earlier);
    const { failed, printed, value } = await runWithin(this.#deps, this.#program, {
      ...{ args: {}, pauses, within: [], entry: { kind: 'main' } },
      run: { ...run, toolbox },
      watch: this.#watch(run.context.now(), (await this.#done(run)).length),
      signal: AbortSignal.any([run.context.signal, pauses.signal]),
    });
    run.context.signal.throwIfAborted();
    if (pauses.waits !== undefined) {
      const { suspended, answer } = await suspendedAt(this.#deps, pauses, { printed, run });
      this.suspended = suspended;
      return answer;
    }
    if (!failed) return ended(resultText(printed, value), 'answered');
    const done = await this.#done(run);
    this.deviation = {
      why: failureText(failed, this.#program),
      done: done.length === 0 ? undefined : done.map(lineOf).join('\n'),
      modelAway: failed.name === 'ModelUnavailable',
    };
    return ended(saidOf(this.deviation), 'failed');
  }

  /** @param before how many calls have acted already. */
  #watch(now: Date, before: number): CallWatch {
    const { seen, mostEffects } = this.#frozen;
    let acted = before;
    return {
      calls: ({ functionName, policy }: Tool) => {
        if (policy.effect === 'none') return;
        acted += 1;
        if (acted > mostEffects)
          throw new Error(
            `${functionName} would be call ${acted} that acts; there were never more than ${mostEffects}`,
          );
      },
      gives: (tool: Tool, input: unknown, value: unknown) => {
        if (tool.policy.effect !== 'none') return;
        const strange = unseenIn(seen, { tool: tool.name, input, value }, now);
        if (strange) throw new Error(strange);
      },
    };
  }

  /** What the run has done, or may have. */
  async #done({ job, turn }: EngineRun): Promise<readonly EffectRow[]> {
    const all = inOrder(this.#deps.store).where('state', '!=', 'failed');
    return (
      job?.runId === undefined ? all.where('turn_id', '=', turn.id) : all.where('run_id', '=', job.runId)
    ).execute();
  }
}

function lineOf({ tool, input, state }: EffectRow): string {
  return `- ${tool} ${preview(input, 200)}${state === 'done' ? '' : ' (whether it was done is not known)'}`;
}

function saidOf({ why, done }: Deviation): string {
  const what = done === undefined ? 'Nothing had been done by then.' : `By then this had been done:\n${done}`;
  return `The program of this job stopped, since something was not as it used to be:\n${why}\n${what}`;
}

function ended(text: string, stop: Answer['stop']): Answer {
  return { text, stop, usage: NO_USAGE, steps: 0 };
}
