import type { TurnToolsRun } from '../../agent/types.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import { compileProgram, type Entry } from '../compile/compile.ts';
import type { CallWatch, Pauses } from '../runtime/program-host.ts';
import { type ProgramParts, ProgramWorldOf } from '../runtime/program-world.ts';
import { type ProgramResult, runProgram } from '../runtime/run-program.ts';
import type { LoadedProgram } from './load-program.ts';

/** What the owner's programs run on, besides the turn that they belong to. */
export type ProgramDeps = Omit<ProgramParts, 'toolbox' | 'models'> & { readonly sandbox: Sandbox };

export interface RunWithin {
  readonly run: TurnToolsRun;
  readonly entry: Entry;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The paths of the programs that are running, this one last. */
  readonly within: readonly string[];
  readonly pauses?: Pauses | undefined;
  readonly watch?: CallWatch | undefined;
}

/**
 * Run a program as part of a turn: what it does, reads and spends counts as the turn's, and a job's limits apply.
 *
 * @returns how it ended, and what it printed.
 */
export async function runWithin(
  deps: ProgramDeps,
  program: LoadedProgram,
  { run, entry, args, signal, within, pauses, watch }: RunWithin,
): Promise<ProgramResult & { readonly printed: string }> {
  const { turn, scope, toolbox, pick, job } = run;
  const { file, source } = program.checked.main;
  const printed: string[] = [];
  const context = { ...run.context, signal };
  const world = new ProgramWorldOf(
    { ...deps, toolbox, models: { pick: ({ profile, ...more }) => pick(profile, more) } },
    {
      ...{ file, source, signal, job, within, pauses, watch, project: turn.project, mode: turn.mode },
      // No model confirms its calls one by one, so each of them takes effect.
      scope: { ...scope, context, reply: undefined, script: {}, said: [...scope.said, source] },
      approve: (request) => context.approve(request),
      show: (event) => context.show(event),
      print: (text) => printed.push(text),
      warn: (text) => context.show({ type: 'log', text }),
    },
  );
  const compiled = entry.kind === 'main' ? program.compiled : compileProgram(program.checked, entry);
  const result = await runProgram(compiled, { sandbox: deps.sandbox, world, signal, args });
  return { ...result, printed: printed.join('\n') };
}
