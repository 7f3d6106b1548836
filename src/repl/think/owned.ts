import { basename, relative } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import type { ListedProgram } from '../../lang/programs/listed.ts';
import type { LoadedProgram } from '../../lang/programs/load-program.ts';
import { toolsOfProgram } from '../../lang/programs/program-tools.ts';
import { visible } from '../../plugins/skills/suspicious.ts';
import type { CommandCall } from '../command.ts';
import { commandCalls } from '../command-calls.ts';
import { badUsage, isYes } from '../flags.ts';
import { installPrograms, startersQuestion } from '../setup/starters-step.ts';
import { requireFiles } from './forms.ts';

const WHY_OFF = {
  off: 'wooster think trust NAME shows it and switches it on',
  changed: 'it is not what you agreed to; wooster think trust NAME shows it again',
} as const;

/** The programs that are tools, or could be. Rows: `{file, place, path, state, tools, why?}`. */
export async function list({ app, session, out }: CommandCall): Promise<number> {
  const all = await app.tools.programs.list({ ...app.tools, ...session });
  for (const program of all) {
    const { state, file, place, tools, why } = program;
    out.show(program, `${state.padEnd(7)}  ${file.padEnd(24)}  ${place.padEnd(7)}  ${tools.join(', ')}`);
    if (state === 'off' || state === 'changed') out.line(`         ${WHY_OFF[state].replace('NAME', nameIn(program))}`);
    if (why !== undefined) out.line(why);
  }
  if (all.length === 0)
    out.line(`There are no programs in ${app.tools.programs.folders.home}, nor in programs/ of the project.`);
  return 0;
}

/** The words for a program, as a command line takes them. */
function nameIn({ file }: ListedProgram): string {
  const name = basename(file, '.tl');
  return /^[\w-]+$/u.test(name) ? name : `"${name}"`;
}

/**
 * Trust a program as it is now: in `programs/`, the assistant may use its tools from then on, and its scheduled jobs
 * run again. Row: `{file, hash, tools, jobs}`.
 */
export async function trust(call: CommandCall): Promise<number> {
  const { args, app, session, out } = call;
  const file = requireFiles(args, 'trust');
  const program = await app.tools.programs.load(file, { ...app.tools, ...session });
  const { hash } = program.compiled;
  const jobs = (await app.schedule.jobs.list()).filter(({ options }) => options.program?.path === program.path);
  const isTool = await app.tools.programs.isOffered(program.path, session.project);
  if (!isTool && jobs.length === 0) {
    const hint = `Put it into ${app.tools.programs.folders.home}, or schedule it with --program.`;
    throw badUsage(`${file} is neither in a folder of programs nor scheduled.`, hint);
  }
  showWhole(program, out);
  if (!session.yes && !isYes(await out.ask(`Shall ${file} run as it is? [y/N] `))) {
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
  const file = requireFiles(args, 'untrust');
  await app.tools.programs.distrust(file, session.project);
  out.show({ file, state: 'off' }, `${file} is off.`);
  return 0;
}

function showWhole({ checked }: LoadedProgram, out: CommandCall['out']): void {
  for (const { path, source } of checked.modules) {
    out.line(`--- ${relative(process.cwd(), path)}`);
    out.line(visible(source).trimEnd());
  }
  out.line('---');
}

/** Install the programs that come along. Row: `{programs}`; exit code 1 without a yes. */
export async function add(call: CommandCall): Promise<number> {
  const { out, session } = call;
  if (!session.yes && !isYes(await out.ask(`${await startersQuestion()} [y/N] `))) {
    out.line('Nothing was installed. --yes agrees where nobody can be asked.');
    return 1;
  }
  return installPrograms(call, (text) => out.line(text));
}

/** Delete a program with its test. Row: `{name, jobs}`. */
export async function remove(call: CommandCall): Promise<number> {
  const { args, out } = call;
  const name = requireFiles(args, 'remove');
  const result = await commandCalls(call).call('delete_program', { name }, call.signal);
  if (!result.ok)
    throw new AssistantError('bad_usage', result.error, { hint: '"wooster think list" shows the names.' });
  const { jobs = [] } = isRecord(result.value) ? result.value : {};
  out.row(result.value);
  out.line(`Deleted ${name}. "wooster undo" brings it back.`);
  for (const job of [jobs].flat()) out.line(`  still scheduled, and will fail: ${String(job)}`);
  return 0;
}
