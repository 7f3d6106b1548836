import { resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import { MISSING_TEXT, servedBy, whatIsMissing } from '../../notify/presence.ts';
import { HERE, parseRoute, type Route } from '../../notify/routes.ts';
import { idOf, jobNamed } from '../../scheduler/find-job.ts';
import { isOverdue } from '../../scheduler/overdue.ts';
import type { ScheduledJob, Understood } from '../../scheduler/types.ts';
import { addToDate, localDate, sayTime, sayWeekday, startOfDay } from '../../when/calendar.ts';
import { sayRuns } from '../../when/confirm.ts';
import { readIso } from '../../when/one-off.ts';
import { showWall, zoneOf } from '../../when/zone.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, countFlag, isYes, textFlag } from '../flags.ts';
import { legacyScheduleLines } from '../legacy-schedule-lines.ts';
import { formOf } from '../own-words.ts';
import { JOB_FLAGS, readJobFlags, readJobProgram } from './schedule-flags.ts';
import { freeze, frozenLines, frozenRow, thaw } from './schedule-freeze.ts';
import { failuresText, jobRow, nextOf, policyLine, restrictedLine, runLine } from './schedule-lines.ts';

/** How many jobs people are shown at first, and how many are read at once. */
const [FIRST, PAGE] = [50, 500];

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

/** The words behind `schedule`. */
const FORMS: Readonly<Record<string, Form>> = {
  add,
  list,
  next: previewTimes,
  show,
  rehearse,
  run,
  reschedule,
  rename,
  pause: async (call, rest) => changed(call, call.app.schedule.jobs.pause((await meant(call, rest)).id)),
  resume: async (call, rest) => changed(call, call.app.schedule.jobs.resume((await meant(call, rest)).id)),
  freeze: async (call, rest) => freeze(call, (await meant(call, rest)).id),
  thaw: async (call, rest) => thaw(call, (await meant(call, rest)).id),
  remove,
  cancel: remove,
  import: importLegacy,
};

/** Who gives a command. */
const OWNER = { untrusted: false };

/**
 * Rows of a job have the fields of `jobRow`; `next` gives `{at}`, in UTC; `rehearse` gives the outcome and the calls.
 * A rehearsal stubs every call that would change or send something; `--pin` limits later runs to the calls it saw.
 */
export const schedule: Command = {
  name: 'schedule',
  summary: 'Run prompts later or regularly, and show their results',
  group: 'Schedules and messages',
  usage: [
    'schedule add --when "..." --prompt "..." [--to ROUTE] [--urgent] [--tz ZONE]',
    'schedule add --when "..." --message "..."     delivered word for word, without a model',
    'schedule add --when "..." --program NAME [--arg NAME=VALUE ...]    a ThinkLang program, as it is now',
    'schedule add ... [--catch-up once|skip|all|ask] [--overlap skip|queue|allow]',
    'schedule list [--limit N] [--all] [--week]    --week: the next seven days, by day',
    'schedule show ID [--limit N]',
    'schedule reschedule ID "WHEN"    schedule rename ID "TEXT"',
    'schedule pause|resume|run|cancel ID            ID: the id, or words of its text',
    'schedule rehearse ID [--pin]',
    'schedule freeze|thaw ID [--yes]                what always went the same way runs without a model',
    'schedule next "WHEN" [--tz ZONE] [--from ISO] [--count N]',
    'schedule import [FILE]          from a legacy Wooster',
  ],
  examples: [
    'schedule add --when "every weekday at 8:30" --prompt "What is due today?"',
    'schedule add --when "tomorrow at 18:00" --message "Take the bins out."',
    'schedule list --week',
    'schedule cancel bins',
  ],
  basic: true,
  flags: {
    ...JOB_FLAGS,
    all: { type: 'boolean' },
    week: { type: 'boolean' },
    limit: { type: 'string' },
    pin: { type: 'boolean' },
    from: { type: 'string' },
    count: { type: 'string' },
  },
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    return formOf(schedule, FORMS, form)(call, rest);
  },
};

/**
 * The time is the first word, or `--when`; the prompt the rest, or `--prompt`; `--message` is delivered as it is.
 *
 * @param usual the text of a job that runs a program.
 */
function whenAndText(
  { flags }: CommandCall,
  [when, ...words]: readonly string[],
  usual: string | undefined,
): { said: string; prompt: string } {
  const said = textFlag(flags, 'when') ?? when;
  const rest = (textFlag(flags, 'when') ? [when ?? '', ...words] : words).join(' ').trim();
  const prompt = textFlag(flags, 'message') ?? textFlag(flags, 'prompt') ?? (rest || usual);
  if (said && prompt) return { said, prompt };
  throw new AssistantError('bad_usage', `schedule add needs a ${said ? 'prompt' : 'time'}.`, {
    hint: 'Usage: schedule add --when "tomorrow 8am" --prompt "..."',
  });
}

async function add(call: CommandCall, rest: readonly string[]): Promise<number> {
  const { app, out, flags, session } = call;
  const program = await readJobProgram(call);
  const { said, prompt } = whenAndText(call, rest, program?.text);
  const timeZone = textFlag(flags, 'tz');
  const options = { ...readJobFlags(call), program: program?.program };
  if (options.to !== undefined) await requireRoute(call, options.to);
  const understood = app.schedule.jobs.preview(said, { timeZone });
  if (!(await confirmed(call, understood))) return 1;
  const { project } = session;
  const job = await app.schedule.jobs.add({ when: said, prompt, timeZone, project, untrusted: false, options });
  out.show(jobRow(job), `Scheduled ${job.id}. ${comesOn(understood.next, understood.timeZone)}`);
  const missing = whatIsMissing(servedBy(await app.schedule.present()), job.next, new Date());
  if (missing) out.line(MISSING_TEXT[missing]);
  return 0;
}

/** @throws AssistantError `bad_usage` for what is no route, `unknown_channel` for a step that nobody knows. */
async function requireRoute({ app }: CommandCall, to: string): Promise<void> {
  const names = [...(await app.schedule.notifier.channels()).map(({ name }) => name), HERE];
  const unknown = readRoute(to).find((step) => !names.includes(step.to));
  if (!unknown) return;
  throw new AssistantError('unknown_channel', `Unknown channel "${unknown.to}".`, {
    hint: `Use one of ${names.join(', ')}.`,
  });
}

function readRoute(to: string): Route {
  try {
    return parseRoute(to);
  } catch (error) {
    throw badUsage(`--to: ${messageOf(error)}.`, 'For example --to "here, desktop after 2m".', error);
  }
}

function comesOn(next: readonly Date[], timeZone: string): string {
  return next.length === 0 ? 'It comes when something changes.' : `It comes on ${sayRuns(next, timeZone)}.`;
}

/** Move a job to another time and show it; a one-off keeps the parts that are not named. */
async function reschedule(call: CommandCall, [given, ...words]: readonly string[]): Promise<number> {
  const { app, flags } = call;
  const { id } = await meant(call, [needed(given)]);
  const when = textFlag(flags, 'when') ?? words.join(' ');
  if (when.trim() === '') {
    const hint = 'Usage: schedule reschedule ID "friday at 9"';
    throw badUsage('schedule reschedule needs a time.', hint);
  }
  return edited(call, await app.schedule.jobs.reschedule(id, when, OWNER));
}

async function rename(call: CommandCall, [given, ...words]: readonly string[]): Promise<number> {
  const { app, flags } = call;
  const { id } = await meant(call, [needed(given)]);
  const text = (textFlag(flags, 'prompt') ?? textFlag(flags, 'message') ?? words.join(' ')).trim();
  if (text !== '') return edited(call, await app.schedule.jobs.rename(id, text, OWNER));
  const hint = 'Usage: schedule rename ID "water the orchids"';
  throw badUsage('schedule rename needs a text.', hint);
}

async function edited({ app, out }: CommandCall, job: ScheduledJob): Promise<number> {
  const { next } = await app.schedule.jobs.show(job.id, 1);
  out.show(jobRow(job), `${job.id}: ${preview(job.prompt, 60)}`);
  out.line(`  ${comesOn(next, job.timeZone)}`);
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

/**
 * Without `--all`, jobs that have run for the last time are only counted, and people see the first ones. Read and
 * written a page at a time: there may be very many.
 */
async function list(call: CommandCall): Promise<number> {
  const { app, out, flags, session } = call;
  if (flags.week === true) return listWeek(call);
  const ids = await app.schedule.jobs.ids({ finished: flags.all === true });
  const fallback = flags.all === true || session.json ? ids.length : FIRST;
  const most = countFlag(flags, 'limit', { fallback, max: 1_000_000 });
  for (let at = 0; at < Math.min(most, ids.length); at += PAGE)
    for (const job of await app.schedule.jobs.named(ids.slice(at, Math.min(at + PAGE, most)))) {
      out.show(jobRow(job), `${job.id}  ${nextOf(job)}  ${preview(job.prompt, 60)}`);
      out.line(`    ${job.description}${job.failures > 0 ? `; ${failuresText(job)}` : ''}`);
    }
  const [more, finished] = [ids.length - most, (await app.schedule.jobs.outlook()).jobs - ids.length];
  if (ids.length === 0) out.line('Nothing is scheduled.');
  if (more > 0) out.line(`(${more} more; --limit N shows more of them, --all every one)`);
  if (finished > 0 && flags.all !== true) out.line(`(${finished} finished; --all shows them)`);
  return 0;
}

const DAYS = 7;
/** Runs of one job that are looked up; those of one day are counted, not listed. */
const MAX_TIMES = 400;
/** Above this many runs of one job on one day, they share one line. */
const MAX_LINES = 2;
const DAY_CHARS = 12;

/** One line of a day. */
interface Entry {
  readonly at: Date;
  readonly line: string;
}

/** `schedule list --week`: today and the six days after it, in the owner's zone. Rows: `{at, id}`. */
async function listWeek({ app, out }: CommandCall): Promise<number> {
  const { timeZone } = app.home;
  const now = new Date();
  const days = Array.from({ length: DAYS }, (_, day) =>
    addToDate(startOfDay(now, timeZone), day, { unit: 'day', timeZone }),
  );
  const end = addToDate(startOfDay(now, timeZone), DAYS, { unit: 'day', timeZone });
  const byDay = new Map<string, Entry[]>(days.map((day) => [localDate(day, timeZone), []]));
  for (const job of await app.schedule.jobs.named(await app.schedule.jobs.ids({ before: end }))) {
    const { next } = await app.schedule.jobs.show(job.id, 0, { count: MAX_TIMES, before: end });
    const times = next.filter((at) => at < end);
    for (const at of times) out.row({ at: at.toISOString(), id: job.id, ...(isOverdue(at, now) && { overdue: true }) });
    // What has not run in time belongs to no day to come.
    for (const at of times.filter((each) => isOverdue(each, now)))
      out.line(
        `${'overdue'.padEnd(DAY_CHARS)}since ${showWall(at, timeZone)}  ${preview(job.prompt, 40)}  (${job.id})`,
      );
    const coming = times.filter((each) => !isOverdue(each, now));
    for (const [date, ofDay] of Map.groupBy(coming, (at) => localDate(at, timeZone))) {
      byDay.get(date)?.push(...entriesOf(job, ofDay, timeZone));
    }
  }
  for (const day of days) {
    const entries = (byDay.get(localDate(day, timeZone)) ?? []).sort((a, b) => a.at.getTime() - b.at.getTime());
    const label = `${sayWeekday(day, timeZone).slice(0, 3)} ${localDate(day, timeZone).slice(5)}`.padEnd(DAY_CHARS);
    for (const [index, line] of (entries.length > 0 ? entries.map(({ line }) => line) : ['-']).entries()) {
      out.line(`${index === 0 ? label : ' '.repeat(DAY_CHARS)}${line}`);
    }
  }
  return 0;
}

function entriesOf({ prompt, id }: ScheduledJob, times: readonly Date[], timeZone: string): Entry[] {
  const text = `${preview(prompt, 40)}  (${id})`;
  const clock = (at: Date) => sayTime(at, timeZone);
  const [first, last] = [times[0], times.at(-1)];
  if (times.length <= MAX_LINES || !first || !last) return times.map((at) => ({ at, line: `${clock(at)}  ${text}` }));
  return [{ at: first, line: `${clock(first)} to ${clock(last)}, ${times.length} times  ${text}` }];
}

async function show(call: CommandCall, rest: readonly string[]): Promise<number> {
  const { app, out, flags, signal } = call;
  const { id } = await meant(call, rest);
  const { job, next: times, history } = await app.schedule.jobs.show(id, countFlag(flags, 'limit', { fallback: 20 }));
  const frozen = await (await app.schedule.freezer()).stateOf(id, signal);
  const about = { options: job.options, pin: job.pin, restricted: job.restricted, frozen: frozenRow(frozen) };
  out.row({ ...jobRow(job), ...about, next: times, history });
  out.line(`${job.id}: ${job.prompt}`);
  out.line(`  ${job.description}, project ${job.project}, zone ${job.timeZone}`);
  if (times.length === 0) out.line(`  ${nextOf(job)}`);
  if (job.failures > 0) out.line(`  ${failuresText(job)}`);
  if (job.restricted) out.line(restrictedLine(job));
  for (const time of times) out.line(`  next ${showWall(time, job.timeZone)}`);
  out.line(`  ${policyLine(job, await app.schedule.notifier.defaultChannel())}`);
  const { tools, destinations } = job.pin ?? { tools: [], destinations: [] };
  if (job.pin)
    out.line(`  approved: ${tools.join(', ') || 'no tools'}; ${destinations.join(', ') || 'no destinations'}`);
  for (const line of frozenLines(id, frozen, job.timeZone)) out.line(`  ${line}`);
  for (const past of history) out.line(`  ${runLine(past, job.timeZone)}`);
  if (history.length === 0) out.line('  It has not run yet.');
  return 0;
}

/** Run a job now, outside its schedule, and wait for its result. */
async function run(call: CommandCall, rest: readonly string[]): Promise<number> {
  const { app, out } = call;
  const done = await app.schedule.jobs.runNow((await meant(call, rest)).id);
  out.row(done);
  const told = (await app.schedule.notifier.notices.reported([done.id])).get(done.id);
  // A face of this program has shown it already; otherwise nobody need show what was read here.
  if (done.output && told !== 'delivered (prompt)') {
    out.line(done.output);
    await app.schedule.notifier.notices.readBy(done.id, 'command');
  }
  out.line(`${done.state}${done.error ? `: ${done.error}` : ''}`);
  return done.state === 'succeeded' || done.state === 'skipped' ? 0 : 1;
}

/** Run a job with stubbed effects; with `--pin`, approve the calls it made for all later runs. */
async function rehearse(call: CommandCall, rest: readonly string[]): Promise<number> {
  const { app, out, flags, signal } = call;
  const pin = flags.pin === true;
  const { outcome, calls, job } = await app.schedule.jobs.rehearse((await meant(call, rest)).id, { pin, signal });
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

async function remove(call: CommandCall, rest: readonly string[]): Promise<number> {
  const { app, out, session } = call;
  const { id, prompt } = await meant(call, rest);
  const question = `Remove "${preview(prompt, 60)}" and its history? (y/N) `;
  const answer = session.yes || !session.interactive ? 'y' : await out.ask(question);
  if (answer !== undefined && !isYes(answer)) {
    out.line('Nothing was removed.');
    return 1;
  }
  await app.schedule.jobs.remove(id);
  out.show({ removed: id }, `Removed ${id}.`);
  return 0;
}

/** Import the jobs of the legacy Wooster. Each is imported once; the file is only read. */
async function importLegacy({ app, out }: CommandCall, [path]: readonly string[]): Promise<number> {
  const report = await app.schedule.jobs.importLegacy(path === undefined ? undefined : resolve(path));
  out.row(report);
  for (const line of legacyScheduleLines(report)) out.line(line);
  return report.problem === undefined && report.found ? 0 : 1;
}

/** Show a job after it was paused or resumed. */
async function changed({ out }: CommandCall, work: Promise<ScheduledJob>): Promise<number> {
  const job = await work;
  out.show(jobRow(job), `${job.id}: ${nextOf(job)}`);
  return 0;
}

/** The job that is named by its id or by words of its text. @throws AssistantError `unknown_schedule`. */
async function meant({ app }: CommandCall, [given, ...more]: readonly string[]): Promise<ScheduledJob> {
  const said = [needed(given), ...more].join(' ');
  const [job] = await app.schedule.jobs.named([idOf(said)]);
  return job ?? jobNamed(await app.schedule.jobs.list(), said);
}

function needed(id: string | undefined): string {
  if (id !== undefined) return id;
  throw badUsage('The id of a schedule is missing.', '"schedule list" shows the ids.');
}

/** `schedule next`: preview a time without saving anything. */
async function previewTimes({ app, out, flags, args }: CommandCall): Promise<number> {
  const when = textFlag(flags, 'when') ?? args.slice(1).join(' ');
  const timeZone = textFlag(flags, 'tz');
  if (timeZone !== undefined) zoneOf(timeZone);
  const from = readFrom(textFlag(flags, 'from'), timeZone ?? app.home.timeZone);
  const count = countFlag(flags, 'count', { fallback: 3 });
  const understood = app.schedule.jobs.preview(when, { timeZone, from, count });
  out.line(understood.description);
  for (const warning of understood.warnings) out.line(`  note: ${warning}`);
  for (const at of understood.next) {
    out.show({ at: at.toISOString() }, `  ${showWall(at, understood.timeZone)}  (${at.toISOString()})`);
  }
  return 0;
}

/** An instant in ISO 8601; without an offset it is local time in `timeZone`, without a time of day its midnight. */
function readFrom(from: string | undefined, timeZone: string): Date | undefined {
  if (from === undefined) return undefined;
  const read = readIso(from.length === 10 ? `${from}T00:00` : from, timeZone);
  if (read) return read.at;
  throw badUsage(`"--from ${from}" is not valid.`, 'Use ISO 8601, like 2026-12-24T18:00:00Z.');
}
