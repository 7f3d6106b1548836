import { relative } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { LoadedProgram } from '../../lang/programs/load-program.ts';
import { toolsOfProgram } from '../../lang/programs/program-tools.ts';
import { visible } from '../../plugins/skills/suspicious.ts';
import type { CommandCall } from '../command.ts';
import { isYes } from '../flags.ts';
import { requireFiles } from './form.ts';

const WHY_OFF = {
  off: 'wooster think trust FILE shows it and switches it on',
  changed: 'it is not what you agreed to; wooster think trust FILE shows it again',
} as const;

/** The programs that are tools, or could be. Rows: `{file, place, path, state, tools, why?}`. */
export async function list({ app, session, out }: CommandCall): Promise<number> {
  const all = await app.tools.programs.list(session.project, app.tools.toolbox);
  for (const program of all) {
    const { state, file, place, tools, path, why } = program;
    out.row(program);
    out.line(`${state.padEnd(7)}  ${file.padEnd(24)}  ${place.padEnd(7)}  ${tools.join(', ')}`);
    if (state === 'off' || state === 'changed') out.line(`         ${WHY_OFF[state].replace('FILE', path)}`);
    if (why !== undefined) out.line(why);
  }
  if (all.length === 0)
    out.line(`There are no programs in ${app.tools.programs.folder}, nor in programs/ of the project.`);
  return 0;
}

/**
 * Trust a program as it is now: in `programs/`, the assistant may use its tools from then on, and its scheduled jobs
 * run again. Row: `{file, hash, tools, jobs}`.
 */
export async function trust(call: CommandCall): Promise<number> {
  const { args, app, session, out } = call;
  requireFiles(args, 'trust');
  const [file = ''] = args;
  const program = await app.tools.programs.load(file, app.tools.toolbox);
  const { hash } = program.compiled;
  const jobs = (await app.schedule.jobs.list()).filter(({ options }) => options.program?.path === program.path);
  const isTool = await app.tools.programs.isOffered(program.path, session.project);
  if (!isTool && jobs.length === 0) {
    throw new AssistantError('bad_usage', `${file} is neither in a folder of programs nor scheduled.`, {
      hint: `Put it into ${app.tools.programs.folder}, or schedule it with --program.`,
    });
  }
  showWhole(program, out);
  const agreed = session.yes || isYes(await out.ask(`Shall ${file} run as it is? [y/N] `));
  if (!agreed) {
    out.line(`${file} stays as it was. --yes agrees where nobody can be asked.`);
    return 1;
  }
  await app.tools.programs.trust(program, session.project);
  for (const { id } of jobs) await app.schedule.jobs.trustProgram(id, hash);
  const tools = isTool ? toolsOfProgram(program).map(({ name }) => name) : [];
  out.row({ file, hash, tools, jobs: jobs.map(({ id }) => id) });
  if (isTool) out.line(`${file} is on, as it is now: ${tools.join(', ')}. Any change switches it off.`);
  if (jobs.length > 0) out.line(`${counted(jobs.length, 'scheduled job')} will run it as it is now.`);
  return 0;
}

/** Switch the tools of a program off. Row: `{file, state}`. */
export async function untrust({ args, app, session, out }: CommandCall): Promise<number> {
  requireFiles(args, 'untrust');
  const [file = ''] = args;
  await app.tools.programs.distrust(file, session.project);
  out.row({ file, state: 'off' });
  out.line(`${file} is off.`);
  return 0;
}

function showWhole({ checked }: LoadedProgram, out: CommandCall['out']): void {
  for (const { path, source } of checked.modules) {
    out.line(`--- ${relative(process.cwd(), path)}`);
    out.line(visible(source).trimEnd());
  }
  out.line('---');
}
