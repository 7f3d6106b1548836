import { compiledProgram } from '../lang/compile/module-text.ts';
import { innerOf } from './assistant.ts';
import { createAssistant } from './create.ts';
import { runOn } from './run-on.ts';
import type { Arguments, ProgramOutcome, RunProgramOptions } from './types.ts';

/** As `open.ts` describes it. */
export async function runProgram(
  path: string,
  given: Arguments,
  { print, ...options }: RunProgramOptions,
): Promise<ProgramOutcome> {
  await using assistant = await createAssistant(options);
  const inner = innerOf(assistant);
  const { tools } = inner.app;
  const { checked, compiled } = await tools.programs.load(path, { ...tools, project: inner.projectFor(undefined) });
  const run = () => runOn(inner, compiledProgram(checked, compiled), given, { ...(print ? { print } : {}) });
  return await inner.track(run);
}
