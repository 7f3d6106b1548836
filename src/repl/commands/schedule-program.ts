import { basename } from 'node:path';
import type { JobProgram } from '../../scheduler/types.ts';
import type { CommandCall } from '../command.ts';
import { textFlag } from '../flags.ts';

/** The program of `--program FILE --arg name=value`, as it is now, with what its job is called. */
export async function readJobProgram(
  call: CommandCall,
): Promise<{ readonly program: JobProgram; readonly text: string } | undefined> {
  const { app, flags } = call;
  const file = textFlag(flags, 'program');
  if (file === undefined) return undefined;
  const program = await app.tools.programs.load(file, app.tools.toolbox);
  const { argumentsOf } = await import('../think/programs.ts');
  const args = await argumentsOf(call, program);
  const given = Object.entries(args).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = ['Run', basename(program.path), ...given].join(' ');
  return { program: { path: program.path, hash: program.compiled.hash, args }, text };
}
