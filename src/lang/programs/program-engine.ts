import { resolve } from 'node:path';
import type { ProgramEngine } from '../../agent/job-turns.ts';
import type { EngineRun } from '../../agent/types.ts';
import { AssistantError } from '../../base/errors.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import type { JobProgram, Suspended } from '../../scheduler/types.ts';
import { decidedOf, waitsUntil } from '../../tools/gate/decided-calls.ts';
import type { Proposal } from '../../tools/gate/proposals.ts';
import { Journal } from '../runtime/journal.ts';
import type { Pauses } from '../runtime/program-host.ts';
import { failureText } from './failure-text.ts';
import type { LoadedProgram } from './load-program.ts';
import type { Around } from './programs.ts';
import { type ProgramDeps, runWithin } from './run-within.ts';

export interface EngineDeps extends ProgramDeps {
  load(path: string, around: Around): Promise<LoadedProgram>;
  /** A call that waits, or waited, for the owner. */
  proposal(id: string): Promise<Proposal>;
}

/**
 * Answers a turn by running a program: what it prints is the answer. A program that is not the one that was scheduled
 * does not run. Where a call waits for the owner it stops, and says how it goes on.
 */
export class RunsProgram implements ProgramEngine {
  suspended: Suspended | undefined;
  readonly #deps: EngineDeps;
  readonly #program: JobProgram;
  readonly #earlier: { readonly steps: string | undefined } | undefined;

  /** @param earlier what a run that goes on was answered before; absent: the program does not wait. */
  constructor(deps: EngineDeps, program: JobProgram, earlier?: { readonly steps: string | undefined }) {
    this.#deps = deps;
    this.#program = program;
    this.#earlier = earlier;
  }

  async run(run: EngineRun): Promise<Answer> {
    const { path, hash, args } = this.#program;
    const program = await this.#deps.load(resolve(path), { toolbox: run.toolbox, project: run.turn.project });
    if (program.compiled.hash !== hash) {
      const hint = `Read it, and if it is right: wooster think trust ${path}`;
      throw new AssistantError('program_changed', `The program ${path} is not what was scheduled.`, { hint });
    }
    const pauses = this.#earlier && (await pausesOf(this.#deps, run, this.#earlier.steps));
    const { failed, printed, value } = await runWithin(this.#deps, program, {
      ...{ run, args, pauses, within: [program.path], entry: { kind: 'main' } },
      signal: pauses ? AbortSignal.any([run.context.signal, pauses.signal]) : run.context.signal,
    });
    run.context.signal.throwIfAborted();
    if (pauses?.waits !== undefined) {
      const { suspended, answer } = await suspendedAt(this.#deps, pauses, { printed, run });
      this.suspended = suspended;
      return answer;
    }
    if (!failed) return answered(resultText(printed, value));
    const hint = `wooster think run ${path} runs it by hand.`;
    throw new AssistantError('program_failed', failureText(failed, program), { hint });
  }
}

/** Lets one run stop at a call that waits for the owner. */
interface RunPauses extends Pauses {
  /** Aborted when it stops. */
  readonly signal: AbortSignal;
  /** The proposal that it waits for. */
  readonly waits: string | undefined;
}

/** @param earlier what a run that goes on was answered before. */
export async function pausesOf(
  deps: Pick<EngineDeps, 'proposal'>,
  run: EngineRun,
  earlier: string | undefined,
): Promise<RunPauses> {
  const stopped = new AbortController();
  const journal = new Journal(earlier);
  // Its conversation may be gone by now, and what it was answered is said again.
  await run.scope.labels.read(journal.read, 'the run before it waited');
  let waits: string | undefined;
  return {
    journal,
    signal: stopped.signal,
    get waits() {
      return waits;
    },
    stop: (proposal) => {
      waits ??= proposal;
      stopped.abort();
    },
    decided: async (id) => decidedOf(await deps.proposal(id)),
  };
}

/** How a run that has stopped goes on, and what it says until then. */
export async function suspendedAt(
  deps: Pick<EngineDeps, 'proposal'>,
  { journal, waits: id = '' }: RunPauses,
  { printed, run }: { readonly printed: string; readonly run: EngineRun },
): Promise<{ readonly suspended: Suspended; readonly answer: Answer }> {
  const proposal = await deps.proposal(id);
  const steps = journal.kept(run.scope.labels.provenance());
  return {
    suspended: { proposal: id, until: waitsUntil(proposal, run.context.now()), steps },
    answer: answered(resultText(printed, `${proposal.tool} waits for your approval: wooster approve ${id}`)),
  };
}

function answered(text: string): Answer {
  return { text, stop: 'answered', usage: NO_USAGE, steps: 0 };
}

/** What a program has printed, and what it returned, as people read it. */
export function resultText(printed: string, value: unknown): string {
  if (value === undefined || value === null) return printed;
  const result = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return printed === '' ? result : `${printed}\n${result}`;
}
