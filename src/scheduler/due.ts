import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { preview } from '../base/text.ts';
import type { Store } from '../store/store.ts';
import { elapsed, nextAfter } from '../when/timing.ts';
import { showWall } from '../when/zone.ts';
import { exclusiveOf, type JobTable, makerOf, optionsOf, type StoredJob, timingOf } from './job-table.ts';
import { GRACE_MS, type PlannedRow, plan, timesToKeep } from './plan.ts';
import type { NewRun, RunTable } from './run-table.ts';
import type { OwnerNotices } from './types.ts';

/** Jobs per transaction: others must not wait long for the database. */
const BATCH = 200;
const DIGEST_LINES = 20;
/** Announces runs that may start. */
export const RUNS_TOPIC = 'runs';

export interface DueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly notices: OwnerNotices;
  /** Other programs know from `nextLook` when jobs are due, and look by themselves. */
  readonly ticked?: boolean | undefined;
}

/**
 * Enter a run for every job that is due and move the job to its next time.
 *
 * Both happen in one transaction, so a crash leaves both or neither and a second process finds nothing left to do.
 */
export async function enterDue(deps: DueDeps): Promise<void> {
  const { store, clock, jobs } = deps;
  for (;;) {
    const now = clock.now();
    if ((await jobs.due(now.toISOString(), 1)).length === 0) return;
    await store.transaction(() => enterBatch(deps, now));
  }
}

/** Other programs are told, since this one may have no free slot for what it entered. */
async function enterBatch(deps: DueDeps, now: Date): Promise<void> {
  const due = await deps.jobs.due(now.toISOString(), BATCH);
  const lines: string[] = [];
  const busy = await deps.runs.withOpen(due.map(({ id }) => id));
  const free: NewRun[] = [];
  const moved = new Map<string | null, string[]>();
  for (const job of due) lines.push(...(await enterJob(deps, job, { now, busy: busy.has(job.id), free, moved })));
  await deps.runs.insertAll(free);
  for (const [next, ids] of moved) await deps.jobs.moveTo(next, ids);
  if (lines.length > 0) {
    const key = `digest:${now.toISOString()}`;
    await deps.notices.post({ key, text: digest(lines), voice: makerOf(due) });
  }
  if (due.length > 0 && !deps.ticked) await deps.store.wake.notify(RUNS_TOPIC);
}

interface Entering {
  readonly now: Date;
  /** Whether the job has an open run. */
  readonly busy: boolean;
  readonly free: NewRun[];
  readonly moved: Map<string | null, string[]>;
}

/**
 * A job without open runs need not read them: its new runs are added to `free`, to be inserted together, and the job
 * is added to `moved` under its next time, which jobs often share.
 *
 * @returns lines for the digest: what was missed and what happens about it.
 */
async function enterJob(deps: DueDeps, job: StoredJob, { now, busy, free, moved }: Entering): Promise<string[]> {
  const timing = timingOf(job);
  const options = optionsOf(job);
  const first = new Date(job.next_run_utc ?? now);
  const due = elapsed(timing, first, { until: now, keep: timesToKeep(options) });
  const rows = plan({ kind: job.kind, options, due, now });
  if (!busy) free.push(...rows.map((row) => newRun(deps, job, row, undefined)));
  else
    for (const row of rows)
      await deps.runs.insert(newRun(deps, job, row, row.run ? await overlapState(deps, job) : undefined));
  const next = nextAfter(timing, now)?.toISOString() ?? null;
  const alike = moved.get(next) ?? [];
  moved.set(next, alike);
  alike.push(job.id);
  const missedForGood = next === null && !rows.some((row) => row.run);
  if (missedForGood) await deps.jobs.update(job.id, { enabled: 0, paused_because: 'its time was missed' });
  return digestLines(job, rows, due.capped, now);
}

/** Why a run is skipped because others are not finished; undefined when it may start or wait. */
async function overlapState(deps: DueDeps, job: StoredJob): Promise<string | undefined> {
  const { overlap } = optionsOf(job);
  if (overlap === 'allow') return undefined;
  const open = await deps.runs.open(job.id);
  if (overlap === 'queue' && !open.some((run) => run.state === 'due')) return undefined;
  const [other] = open;
  return overlap === 'queue' ? 'one run is already waiting' : `run ${other?.id ?? ''} was not over`;
}

/** The row is unique by job and time, so entering it twice changes nothing. */
function newRun(deps: DueDeps, job: StoredJob, row: PlannedRow, skipped: string | undefined): NewRun {
  return {
    id: newId('run', deps.clock.now()),
    schedule_id: job.id,
    scheduled_for: row.scheduledFor.toISOString(),
    reason: row.reason,
    state: skipped !== undefined ? 'skipped' : row.run ? 'due' : 'missed',
    exclusive: exclusiveOf(job),
    missed: row.missed,
    first_missed: row.firstMissed?.toISOString() ?? null,
    error: skipped === undefined ? null : `overlap: ${skipped}`,
  };
}

function digestLines(job: StoredJob, rows: readonly PlannedRow[], capped: boolean, now: Date): string[] {
  const total = rows.reduce((sum, row) => sum + row.missed + (wasMissed(row, now) ? 1 : 0), 0);
  if (total === 0) return [];
  const runs = rows.filter((row) => row.run);
  const latest = rows.at(-1)?.scheduledFor ?? now;
  const count = capped ? `more than ${total}` : String(total);
  const times =
    total === 1
      ? `its run of ${showWall(latest, job.time_zone)}`
      : `${count} runs, the latest of ${showWall(latest, job.time_zone)}`;
  return [`- ${nameOf(job)}: missed ${times}; ${whatNow(job, rows, runs.length)}`];
}

function wasMissed(row: PlannedRow, now: Date): boolean {
  return now.getTime() - row.scheduledFor.getTime() > GRACE_MS;
}

/** What happens about the missed runs, as the end of a sentence. */
function whatNow(job: StoredJob, rows: readonly PlannedRow[], runs: number): string {
  if (runs > 0) return runs === 1 ? 'it runs once now.' : `it runs ${runs} times now.`;
  if (rows.some((row) => row.reason === 'ask')) return `run it now with \`wooster schedule run ${job.id}\`?`;
  if (job.kind === 'at') return `not run; \`wooster schedule run ${job.id}\` runs it after all.`;
  return 'not run.';
}

/** The name of a job in messages: the beginning of its prompt, and its id. */
export function nameOf(job: StoredJob): string {
  const what = job.task === 'AGENT_PROMPT' ? (JSON.parse(job.payload) as string) : job.description;
  return `"${preview(what, 60)}" (${job.id})`;
}

function digest(lines: readonly string[]): string {
  const shown = lines.slice(0, DIGEST_LINES);
  const more =
    lines.length > shown.length ? [`… and ${lines.length - shown.length} more; see \`wooster schedule list\`.`] : [];
  return ['Scheduled runs were missed while Wooster was not running:', ...shown, ...more].join('\n');
}
