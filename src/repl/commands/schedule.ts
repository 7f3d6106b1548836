import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { ScheduledJob, Understood } from '../../scheduler/types.ts';
import { showWall, zoneOf } from '../../when/zone.ts';
import type { Command, CommandCall } from '../command.ts';
import { countFlag, isYes, textFlag } from '../flags.ts';
import { legacyScheduleLines } from '../legacy-schedule-lines.ts';
import { JOB_FLAGS, readJobFlags } from './schedule-flags.ts';
import { failuresText, jobRow, nextOf, policyLine, runLine } from './schedule-lines.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

/** The words behind `schedule`. */
const FORMS: Readonly<Record<string, Form>> = {
  add,
  list,
  next,
  show,
  rehearse,
  run,
  pause: (call, [id]) => changed(call, call.app.scheduler.pause(needed(id))),
  resume: (call, [id]) => changed(call, call.app.scheduler.resume(needed(id))),
  remove,
  import: importLegacy,
};

/**
 * Rows of a job have the fields of `jobRow`; `next` gives `{at}`, in UTC; `rehearse` gives the outcome and the calls.
 * A rehearsal stubs every call that would change or send something; `--pin` limits later runs to the calls it saw.
 */
export const schedule: Command = {
  name: 'schedule',
  summary: 'Run prompts later or regularly, and show their results',
  group: 'Schedules and messages',
  usage: [
    'schedule add --when "..." --prompt "..." [--to CHANNEL] [--tz ZONE]',
    'schedule add ... [--catch-up once|skip|all|ask] [--overlap skip|queue|allow]',
    'schedule list [--all]',
    'schedule show ID [--limit N]',
    'schedule pause|resume|run|remove ID',
    'schedule rehearse ID [--pin]',
    'schedule next "WHEN" [--tz ZONE] [--from ISO] [--count N]',
    'schedule import [FILE]          from a legacy Wooster',
  ],
  flags: {
    ...JOB_FLAGS,
    all: { type: 'boolean' },
    limit: { type: 'string' },
    pin: { type: 'boolean' },
    from: { type: 'string' },
    count: { type: 'string' },
  },
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    const found = FORMS[form];
    if (found) return found(call, rest);
    throw new AssistantError('bad_usage', `Unknown subcommand "schedule ${form}".`, {
      hint: `Use one of ${Object.keys(FORMS).join(', ')}.`,
    });
  },
};

/** The time is the first word, or `--when`; the prompt is the rest, or `--prompt`. */
async function add(call: CommandCall, [when, ...words]: readonly string[]): Promise<number> {
  const { app, out, flags, session } = call;
  const said = textFlag(flags, 'when') ?? when;
  const prompt =
    textFlag(flags, 'prompt') ?? (textFlag(flags, 'when') ? [when ?? '', ...words] : words).join(' ').trim();
  if (!said || !prompt) {
    throw new AssistantError('bad_usage', `schedule add needs a ${said ? 'prompt' : 'time'}.`, {
      hint: 'Usage: schedule add --when "tomorrow 8am" --prompt "..."',
    });
  }
  const timeZone = textFlag(flags, 'tz');
  const options = readJobFlags(call);
  const channels = (await app.notifier.channels()).map((channel) => channel.name);
  if (options.to !== undefined && !channels.includes(options.to)) {
    throw new AssistantError('unknown_channel', `Unknown channel "${options.to}".`, {
      hint: `Use one of ${channels.join(', ')}.`,
    });
  }
  const understood = app.scheduler.preview(said, { timeZone });
  if (!(await confirmed(call, understood))) return 1;
  const job = await app.scheduler.add({
    when: said,
    prompt,
    timeZone,
    project: session.project,
    untrusted: false,
    options,
  });
  out.row(jobRow(job));
  out.line(`Scheduled ${job.id}.`);
  return 0;
}

/** Show how the time was understood; on a terminal, ask before anything is saved. */
async function confirmed({ out, session }: CommandCall, understood: Understood): Promise<boolean> {
  out.line(`${understood.description}`);
  for (const warning of understood.warnings) out.line(`  note: ${warning}`);
  for (const time of understood.next) out.line(`  ${showWall(time, understood.timeZone)}`);
  if (session.yes || !session.interactive || session.json) return true;
  const answer = await out.ask('Save it? (Y/n) ');
  if (answer === undefined || /^(?:y(?:es)?)?$/iu.test(answer.trim())) return true;
  out.line('Nothing was saved.');
  return false;
}

/** Without `--all`, jobs that have run for the last time are only counted. */
async function list({ app, out, flags }: CommandCall): Promise<number> {
  const jobs = await app.scheduler.list();
  const shown = flags.all === true ? jobs : jobs.filter((job) => job.enabled || job.pausedBecause !== 'done');
  for (const job of shown) {
    out.row(jobRow(job));
    out.line(`${job.id}  ${nextOf(job)}  ${preview(job.prompt, 60)}`);
    out.line(`    ${job.description}${job.failures > 0 ? `; ${failuresText(job)}` : ''}`);
  }
  const hidden = jobs.length - shown.length;
  if (shown.length === 0) out.line('Nothing is scheduled.');
  if (hidden > 0) out.line(`(${hidden} finished; --all shows them)`);
  return 0;
}

/** Preview a time without saving anything. */
async function next({ app, out, flags, args }: CommandCall): Promise<number> {
  const when = textFlag(flags, 'when') ?? args.slice(1).join(' ');
  const timeZone = textFlag(flags, 'tz');
  if (timeZone !== undefined) zoneOf(timeZone);
  const from = readFrom(textFlag(flags, 'from'), timeZone ?? app.timeZone);
  const count = countFlag(flags, 'count', { fallback: 3 });
  const understood = app.scheduler.preview(when, { timeZone, from, count });
  out.line(understood.description);
  for (const warning of understood.warnings) out.line(`  note: ${warning}`);
  for (const at of understood.next) {
    out.row({ at: at.toISOString() });
    out.line(`  ${showWall(at, understood.timeZone)}  (${at.toISOString()})`);
  }
  return 0;
}

/** An instant in ISO 8601; without an offset it is local time in `timeZone`. */
function readFrom(from: string | undefined, timeZone: string): Date | undefined {
  if (from === undefined) return undefined;
  const local = !/(?:Z|[+-]\d\d:?\d\d)$/iu.test(from);
  const time = Date.parse(local ? `${from.length === 10 ? `${from}T00:00:00` : from}Z` : from);
  if (Number.isNaN(time)) {
    throw new AssistantError('bad_usage', `"--from ${from}" is not valid.`, {
      hint: 'Use ISO 8601, like 2026-12-24T18:00:00Z.',
    });
  }
  return new Date(local ? zoneOf(timeZone).instantAt(time) : time);
}

async function show({ app, out, flags }: CommandCall, [id]: readonly string[]): Promise<number> {
  const {
    job,
    next: times,
    history,
  } = await app.scheduler.show(needed(id), countFlag(flags, 'limit', { fallback: 20 }));
  out.row({ ...jobRow(job), options: job.options, pin: job.pin, next: times, history });
  out.line(`${job.id}: ${job.prompt}`);
  out.line(`  ${job.description}, project ${job.project}, zone ${job.timeZone}`);
  if (times.length === 0) out.line(`  ${nextOf(job)}`);
  if (job.failures > 0) out.line(`  ${failuresText(job)}`);
  for (const time of times) out.line(`  next ${showWall(time, job.timeZone)}`);
  out.line(`  ${policyLine(job, await app.notifier.defaultChannel())}`);
  if (job.pin)
    out.line(
      `  approved: ${job.pin.tools.join(', ') || 'no tools'}; ${job.pin.destinations.join(', ') || 'no destinations'}`,
    );
  for (const past of history) out.line(`  ${runLine(past, job.timeZone)}`);
  if (history.length === 0) out.line('  It has not run yet.');
  return 0;
}

/** Run a job now, outside its schedule, and wait for its result. */
async function run({ app, out }: CommandCall, [id]: readonly string[]): Promise<number> {
  const done = await app.scheduler.runNow(needed(id));
  out.row(done);
  // Delivered to this terminal, it has been printed already.
  if (done.output && !done.delivery.startsWith('sent (terminal')) out.line(done.output);
  out.line(`${done.state}${done.error ? `: ${done.error}` : ''}`);
  return done.state === 'succeeded' || done.state === 'skipped' ? 0 : 1;
}

/** Run a job with stubbed effects; with `--pin`, approve the calls it made for all later runs. */
async function rehearse({ app, out, flags, signal }: CommandCall, [id]: readonly string[]): Promise<number> {
  const pin = flags.pin === true;
  const { outcome, calls, job } = await app.scheduler.rehearse(needed(id), { pin, signal });
  out.row({ ...outcome, calls, pin: job.pin });
  for (const call of calls) {
    const where = call.destination ? ` -> ${call.destination}` : '';
    const verb = call.stubbed ? 'would call' : 'called';
    out.line(`  ${verb} ${call.tool}${where} ${preview(JSON.stringify(call.input), 100)}`);
  }
  if (calls.length === 0) out.line('  calls no tool');
  out.line(`  answer: ${outcome.output}`);
  const why = outcome.error ? `: ${outcome.error}` : '';
  const cost = outcome.costUsd ? `, $${outcome.costUsd.toFixed(4)}` : '';
  out.line(`  ${outcome.state}${why}${cost}; nothing was changed or sent`);
  if (pin) out.line(`Approved from now on: ${job.pin?.tools.join(', ') || 'no tools'}; nothing else.`);
  return outcome.state === 'succeeded' ? 0 : 1;
}

async function remove({ app, out, session }: CommandCall, [given]: readonly string[]): Promise<number> {
  const id = needed(given);
  const { job } = await app.scheduler.show(id, 1);
  const answer =
    session.yes || !session.interactive
      ? 'y'
      : await out.ask(`Remove "${preview(job.prompt, 60)}" and its history? (y/N) `);
  if (answer !== undefined && !isYes(answer)) {
    out.line('Nothing was removed.');
    return 1;
  }
  await app.scheduler.remove(id);
  out.row({ removed: id });
  out.line(`Removed ${id}.`);
  return 0;
}

/** Import the jobs of the legacy Wooster. Each is imported once; the file is only read. */
async function importLegacy({ app, out }: CommandCall, [path]: readonly string[]): Promise<number> {
  const report = await app.scheduler.importLegacy(path === undefined ? undefined : resolve(path));
  out.row(report);
  for (const line of legacyScheduleLines(report)) out.line(line);
  return report.problem === undefined && report.found ? 0 : 1;
}

/** Show a job after it was paused or resumed. */
async function changed({ out }: CommandCall, work: Promise<ScheduledJob>): Promise<number> {
  const job = await work;
  out.row(jobRow(job));
  out.line(`${job.id}: ${nextOf(job)}`);
  return 0;
}

function needed(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new AssistantError('bad_usage', 'The id of a schedule is missing.', { hint: '"schedule list" shows the ids.' });
}
