import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { Job, RunRecord, Understood } from '../../scheduler/types.ts';
import { showWall, zoneOf } from '../../when/zone.ts';
import type { Command, CommandCall } from '../command.ts';
import { earlierLines } from '../earlier-lines.ts';
import { JOB_FLAGS, readJobFlags } from './schedule-flags.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

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
  import: takeOver,
};

export const schedule: Command = {
  name: 'schedule',
  summary: 'Run prompts later or again and again, and see what came of them',
  usage: [
    'schedule add --when "..." --prompt "..." [--to CHANNEL] [--tz ZONE] [--catch-up once|skip|all|ask] [--overlap skip|queue|allow]',
    'schedule list [--all]',
    'schedule show ID [--limit N]',
    'schedule pause|resume|run|remove ID',
    'schedule rehearse ID [--pin]',
    'schedule next "WHEN" [--tz ZONE] [--from ISO] [--count N]',
    'schedule import [FILE]          those of an earlier Wooster, each once',
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
    throw new AssistantError('bad_usage', `"schedule ${form}" is not known.`, {
      hint: `Use one of ${Object.keys(FORMS).join(', ')}.`,
    });
  },
};

async function add(call: CommandCall, [when, ...words]: readonly string[]): Promise<number> {
  const { app, out, flags, session } = call;
  const said = text(flags.when) ?? when;
  const prompt = text(flags.prompt) ?? (text(flags.when) ? [when ?? '', ...words] : words).join(' ').trim();
  if (!said || !prompt) {
    throw new AssistantError('bad_usage', `A ${said ? 'prompt' : 'time'} is needed.`, {
      hint: 'Usage: schedule add --when "tomorrow 8am" --prompt "..."',
    });
  }
  const timeZone = text(flags.tz);
  const options = readJobFlags(call);
  const channels = app.notifier.channels().map((channel) => channel.name);
  if (options.to !== undefined && !channels.includes(options.to)) {
    throw new AssistantError('unknown_channel', `There is no channel "${options.to}".`, {
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

/** The exact next times, before anything is saved. */
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

async function list({ app, out, flags }: CommandCall): Promise<number> {
  const jobs = await app.scheduler.list();
  const shown = flags.all === true ? jobs : jobs.filter((job) => job.enabled || job.pausedBecause !== 'done');
  for (const job of shown) {
    out.row(jobRow(job));
    out.line(`${job.id}  ${nextOf(job)}  ${preview(job.prompt, 60)}`);
    out.line(`    ${job.description}${job.failures > 0 ? `; ${job.failures} failures in a row` : ''}`);
  }
  const hidden = jobs.length - shown.length;
  if (shown.length === 0) out.line('Nothing is scheduled.');
  if (hidden > 0) out.line(`(${hidden} done; --all shows them)`);
  return 0;
}

function nextOf(job: Job): string {
  if (!job.enabled) return `paused (${job.pausedBecause ?? 'off'})`;
  if (job.next) return showWall(job.next, job.timeZone);
  return job.kind === 'on' ? 'when something changes' : 'running or over';
}

async function next({ app, out, flags, args }: CommandCall): Promise<number> {
  const when = text(flags.when) ?? args.slice(1).join(' ');
  const timeZone = text(flags.tz);
  if (timeZone !== undefined) zoneOf(timeZone);
  const from = readFrom(text(flags.from), timeZone);
  const count = readCount(text(flags.count), 3);
  const understood = app.scheduler.preview(when, { timeZone, from, count });
  out.line(understood.description);
  for (const warning of understood.warnings) out.line(`  note: ${warning}`);
  for (const at of understood.next) {
    out.row({ at: at.toISOString() });
    out.line(`  ${showWall(at, understood.timeZone)}  (${at.toISOString()})`);
  }
  return 0;
}

/** An instant; without an offset the wall of the zone. */
function readFrom(from: string | undefined, timeZone: string | undefined): Date | undefined {
  if (from === undefined) return undefined;
  const wall = !/(?:Z|[+-]\d\d:?\d\d)$/iu.test(from);
  const time = Date.parse(wall ? `${from.length === 10 ? `${from}T00:00:00` : from}Z` : from);
  if (Number.isNaN(time)) {
    throw new AssistantError('bad_usage', `"--from ${from}" is not a time.`, {
      hint: 'Use ISO 8601, 2026-12-24T18:00:00Z.',
    });
  }
  return new Date(wall && timeZone !== undefined ? zoneOf(timeZone).instantAt(time) : time);
}

function readCount(count: string | undefined, fallback: number): number {
  const number = Number(count ?? fallback);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number;
  throw new AssistantError('bad_usage', `"${count}" is not a count.`, { hint: 'Give a whole number from 1 to 1000.' });
}

async function show({ app, out, flags }: CommandCall, [id]: readonly string[]): Promise<number> {
  const { job, next: times, history } = await app.scheduler.show(needed(id), readCount(text(flags.limit), 20));
  out.row({ ...jobRow(job), options: job.options, pin: job.pin, next: times, history });
  out.line(`${job.id}: ${job.prompt}`);
  out.line(`  ${job.description}, project ${job.project}, zone ${job.timeZone}`);
  if (times.length === 0) out.line(`  ${nextOf(job)}`);
  if (job.failures > 0) out.line(`  ${job.failures} failures in a row`);
  for (const time of times) out.line(`  next ${showWall(time, job.timeZone)}`);
  const { catchUp, overlap, deadlineMs, retries, pauseAfter, to } = job.options;
  out.line(
    `  missed: ${catchUp}, overlap: ${overlap}, deadline: ${deadlineMs / 1000} s, retries: ${retries}, paused after ${pauseAfter} failures, to: ${to ?? app.notifier.defaultChannel()}`,
  );
  if (job.pin)
    out.line(
      `  allowed: ${job.pin.tools.join(', ') || 'no tools'}; ${job.pin.destinations.join(', ') || 'no destinations'}`,
    );
  for (const past of history) out.line(`  ${runLine(past, job.timeZone)}`);
  if (history.length === 0) out.line('  It has not run yet.');
  return 0;
}

function runLine(run: RunRecord, timeZone: string): string {
  const took = run.startedAt && run.finishedAt ? ` in ${run.finishedAt.getTime() - run.startedAt.getTime()} ms` : '';
  const cost = run.costUsd ? ` $${run.costUsd.toFixed(4)}` : '';
  const missed = run.missed > 0 ? ` (+${run.missed} missed before)` : '';
  const where = run.conversationId ? ` [${run.conversationId}]` : '';
  const said = preview(run.error ?? run.output ?? '', 80);
  return `${showWall(run.scheduledFor, timeZone)} ${run.reason}: ${run.state}${took}${cost}${missed}, delivery ${run.delivery}${where}${said ? `: ${said}` : ''}`;
}

async function run({ app, out }: CommandCall, [id]: readonly string[]): Promise<number> {
  const done = await app.scheduler.runNow(needed(id));
  out.row(done);
  if (done.output && !done.delivery.startsWith('sent (terminal')) out.line(done.output);
  out.line(`${done.state}${done.error ? `: ${done.error}` : ''}`);
  return done.state === 'succeeded' || done.state === 'skipped' ? 0 : 1;
}

async function rehearse({ app, out, flags, signal }: CommandCall, [id]: readonly string[]): Promise<number> {
  const pin = flags.pin === true;
  const { outcome, calls, job } = await app.scheduler.rehearse(needed(id), { pin, signal });
  out.row({ ...outcome, calls, pin: job.pin });
  for (const call of calls) {
    const where = call.destination ? ` -> ${call.destination}` : '';
    out.line(
      `  ${call.stubbed ? 'would call' : 'called'} ${call.tool}${where} ${preview(JSON.stringify(call.input), 100)}`,
    );
  }
  if (calls.length === 0) out.line('  no tool is called');
  out.line(`  answer: ${outcome.output}`);
  out.line(
    `  ${outcome.state}${outcome.error ? `: ${outcome.error}` : ''}${outcome.costUsd ? `, $${outcome.costUsd.toFixed(4)}` : ''}; nothing was changed or sent`,
  );
  if (pin) out.line(`Allowed from now on, and nothing else: ${job.pin?.tools.join(', ') || 'no tools'}.`);
  return outcome.state === 'succeeded' ? 0 : 1;
}

async function remove({ app, out, session }: CommandCall, [given]: readonly string[]): Promise<number> {
  const id = needed(given);
  const { job } = await app.scheduler.show(id, 1);
  const answer =
    session.yes || !session.interactive
      ? 'y'
      : await out.ask(`Remove "${preview(job.prompt, 60)}" and its history? (y/N) `);
  if (answer !== undefined && !/^y(?:es)?$/iu.test(answer.trim())) {
    out.line('Nothing was removed.');
    return 1;
  }
  await app.scheduler.remove(id);
  out.row({ removed: id });
  out.line(`Removed ${id}.`);
  return 0;
}

async function takeOver({ app, out }: CommandCall, [path]: readonly string[]): Promise<number> {
  const report = app.scheduler.importEarlier(path === undefined ? undefined : resolve(path));
  out.row(report);
  for (const line of earlierLines(report)) out.line(line);
  return report.problem === undefined && report.found ? 0 : 1;
}

async function changed({ out }: CommandCall, work: Promise<Job>): Promise<number> {
  const job = await work;
  out.row(jobRow(job));
  out.line(`${job.id}: ${nextOf(job)}`);
  return 0;
}

function jobRow(job: Job): Record<string, unknown> {
  const { id, prompt, task, taskKey, kind, description, timeZone, project, enabled, pausedBecause, failures } = job;
  const nextAt = job.next?.toISOString() ?? null;
  return {
    id,
    prompt,
    task,
    taskKey,
    kind,
    when: job.said,
    description,
    timeZone,
    project,
    enabled,
    pausedBecause,
    failures,
    next: nextAt,
  };
}

function needed(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new AssistantError('bad_usage', 'Which schedule?', { hint: 'See "schedule list" for the ids.' });
}

function text(flag: unknown): string | undefined {
  return typeof flag === 'string' && flag.trim() !== '' ? flag.trim() : undefined;
}
