import { AssistantError, messageOf } from '../base/errors.ts';
import { programParts } from '../face/program-parts.ts';
import type { CompiledProgram } from '../lang/compile/module-text.ts';
import { failureIn } from '../lang/programs/failure-text.ts';
import { resultText } from '../lang/programs/program-engine.ts';
import { programArguments } from '../lang/runtime/arguments.ts';
import { ProgramWorldOf } from '../lang/runtime/program-world.ts';
import { runProgram } from '../lang/runtime/run-program.ts';
import type { EmbeddedAssistant } from './assistant.ts';
import type { Arguments, ProgramOutcome, RunOptions } from './types.ts';

/**
 * Run a compiled program on an open assistant: its tools, models, gate and history.
 *
 * @throws AssistantError `bad_usage` for arguments that do not fit; `program_failed`.
 */
export async function runOn(
  inner: EmbeddedAssistant,
  program: CompiledProgram,
  given: Arguments,
  { print, signal: stop }: RunOptions,
): Promise<ProgramOutcome> {
  const { sources, params } = program;
  const { file, source } = sources.at(-1) ?? { file: 'a program', source: '' };
  const args = await argumentsFor(params, given);
  const { signal, approve } = inner.context(() => {}, { ...(stop ? { signal: stop } : {}) });
  const printed: string[] = [];
  const world = new ProgramWorldOf(programParts(inner.app), {
    ...{ file, source, signal, approve, project: inner.projectFor(undefined), mode: inner.mode },
    print: (text) => {
      printed.push(text);
      print?.(text);
    },
    warn: (text) => inner.app.home.log.warn(text),
  });
  const { failed, value = null } = await runProgram(program, { sandbox: inner.app.tools.sandbox, world, signal, args });
  await world.close(signal.aborted ? 'aborted' : failed ? 'failed' : 'answered');
  signal.throwIfAborted();
  const cost = world.costs.getSummary();
  if (!failed) return { value, printed: printed.join('\n'), shown: resultText('', value), cost };
  throw new AssistantError('program_failed', failureIn(failed, sources), {
    hint: 'The text shows the line. A program may catch what can fail with try.',
  });
}

async function argumentsFor(params: CompiledProgram['params'], given: Arguments): Promise<Record<string, unknown>> {
  try {
    return await programArguments(params, given);
  } catch (error) {
    throw new AssistantError('bad_usage', messageOf(error), { hint: 'Give each parameter by its name.' });
  }
}
