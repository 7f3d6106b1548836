import { sql } from 'kysely';
import { AssistantError, messageOf } from '../base/errors.ts';
import { oneAtATime } from '../base/one-at-a-time.ts';
import { leaseHolder } from '../base/process-identity.ts';
import type { Store } from '../store/store.ts';
import { type Most, nextAfter, nextTimes } from '../when/timing.ts';
import { understand } from '../when/understand.ts';
import { SECOND_MS } from '../when/zone.ts';
import { approvalCode } from './approval-code.ts';
import { Changes } from './changes.ts';
import { FAR_MS, planAnew } from './clock-return.ts';
import type { ArmedRun, JobDetails, PreviewOptions, Scheduler, SchedulerDeps } from './contract.ts';
import { type DueDeps, enterDue, RUNS_TOPIC } from './due.ts';
import { dropWaiting, insertJob, movedTo, pinOf, renamedBy, renamedTo, trusting, writtenBy } from './job-edits.ts';
import { JobStates } from './job-states.ts';
import { JobTable, type StoredJob, timingOf, toJob } from './job-table.ts';
import { importLegacy, type LegacyReport } from './legacy-import.ts';
import { jobDefaults } from './options.ts';
import { Recovery } from './recovery.ts';
import { RunLauncher } from './run-launcher.ts';
import { RunRecorder } from './run-recorder.ts';
import { RunTable, toldSince, toRecord } from './run-table.ts';
import { Runner } from './runner.ts';
import { SilentRuns } from './silent-runs.ts';
import { ownSlots } from './slots.ts';
import { seedTasks } from './tasks.ts';
import type {
  JobWriter,
  NewJob,
  Outlook,
  Rehearsal,
  RunRecord,
  ScheduledJob,
  TaskCode,
  Understood,
  UndoneJob,
  WhichJobs,
} from './types.ts';
import { WaitingRuns } from './waiting-runs.ts';
import { WakeUp } from './wake-up.ts';

const DEFAULT_CONCURRENCY = 8;
/** If the database does not answer, shutdown waits no longer than this. */
const LONGEST_STOP_MS = 20_000;

/** A scheduler on `deps.store`. Nothing runs before `start`. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  return new StoredScheduler(deps);
}

class StoredScheduler implements Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #jobs: JobTable;
  readonly #runs: RunTable;
  readonly #waiting: WaitingRuns;
  readonly #launcher: RunLauncher;
  readonly #silent: SilentRuns;
  readonly #recovery: Recovery;
  readonly #due: DueDeps;
  readonly #changes: Changes;
  readonly #states: JobStates;
  readonly #tasks = new Map<string, TaskCode>();
  readonly #wakeUp: WakeUp;
  /** Bring the runs up to date. */
  readonly #look = oneAtATime(() => this.#lookOnce());
  /** The time of the last look. One before the first may have been anywhere. */
  #latestMs = Number.POSITIVE_INFINITY;
  #tickedAt = new Date(0);
  #unlisten: (() => void) | undefined;
  #stopped = false;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    this.#jobs = new JobTable(deps.store);
    this.#runs = new RunTable(deps.store);
    this.#waiting = new WaitingRuns(deps.store);
    this.#due = { ...deps, jobs: this.#jobs, runs: this.#runs };
    const shared = { ...deps, jobs: this.#jobs, runs: this.#runs, waiting: this.#waiting, owner: leaseHolder() };
    this.#silent = new SilentRuns(shared);
    const runner = new Runner({
      ...{ ...shared, silent: this.#silent, tasks: this.#tasks },
      recorder: new RunRecorder(shared),
    });
    this.#launcher = new RunLauncher({
      ...shared,
      runner,
      concurrency: deps.options?.concurrency ?? DEFAULT_CONCURRENCY,
      slots: deps.slots ?? ownSlots,
    });
    this.#recovery = new Recovery({
      ...shared,
      isActive: (id) => this.#launcher.isActive(id),
      hasBegun: (id) => this.#launcher.hasBegun(id),
    });
    this.#changes = new Changes(shared);
    this.#states = new JobStates(shared);
    this.#wakeUp = new WakeUp({ ...deps, tick: () => this.#tickIfDue() });
  }

  preview(when: string, options: PreviewOptions = {}): Understood {
    const { timeZone = this.#deps.timeZone, from = this.#deps.clock.now(), count } = options;
    return understand(when, { timeZone, from, count });
  }

  async add(job: NewJob): Promise<ScheduledJob> {
    return this.#deps.store.transaction(async () => {
      const { idempotencyKey: key } = job;
      const known = key === undefined ? undefined : await this.#jobs.byIdempotencyKey(key);
      const stored = known ?? (await this.#jobs.get(await insertJob(this.#jobs, job, this.#deps)));
      await this.#deps.store.wake.notify(RUNS_TOPIC);
      return toJob(stored);
    });
  }

  async list(project?: string): Promise<readonly ScheduledJob[]> {
    return (await this.#jobs.all(project)).map(toJob);
  }

  ids(which: WhichJobs = {}): Promise<readonly string[]> {
    return this.#jobs.ids(which);
  }

  async named(ids: readonly string[]): Promise<readonly ScheduledJob[]> {
    const found = new Map((await this.#jobs.named(ids)).map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []).map(toJob);
  }

  async alike(job: NewJob): Promise<readonly ScheduledJob[]> {
    const when = this.preview(job.when, { timeZone: job.timeZone, count: 1 });
    return (await this.#jobs.alike(job, when)).map(toJob);
  }

  outlook(project?: string): Promise<Outlook> {
    return this.#jobs.outlook(project);
  }

  async show(id: string, historyLimit = 20, times: number | Most = 3): Promise<JobDetails> {
    const row = await this.#jobs.get(id);
    const first = row.enabled === 1 && row.next_run_utc !== null ? new Date(row.next_run_utc) : undefined;
    const further = typeof times === 'number' ? times - 1 : { ...times, count: times.count - 1 };
    const next = first ? [first, ...nextTimes(timingOf(row), first, further)] : [];
    const past = await this.#runs.history(id, historyLimit);
    const waiting = await this.#waiting.among(past.map((run) => run.id));
    const history = await toldSince(past, waiting, this.#deps.reported);
    return { job: toJob(row), next, history };
  }

  async pause(id: string): Promise<ScheduledJob> {
    return this.#change(id, () => ({ enabled: 0, paused_because: 'you' }));
  }

  async resume(id: string): Promise<ScheduledJob> {
    return this.#change(id, (row) => {
      const next = nextAfter(timingOf(row), this.#deps.clock.now());
      if (!next && row.kind !== 'on') {
        throw new AssistantError('bad_time', `The time of ${id} has passed.`, {
          hint: `Run it now with \`wooster schedule run ${id}\`, or add it again.`,
        });
      }
      return { enabled: 1, paused_because: null, failures: 0, next_run_utc: next?.toISOString() ?? null };
    });
  }

  async reschedule(id: string, when: string, by: JobWriter): Promise<ScheduledJob> {
    return this.#deps.store.transaction(async () => {
      const moved = await this.#change(id, (row) => ({
        ...movedTo(row, when, this.#deps.clock.now()),
        ...(by.untrusted ? writtenBy(by) : {}),
      }));
      await dropWaiting(this.#runs, id);
      return moved;
    });
  }

  async rename(id: string, text: string, by: JobWriter): Promise<ScheduledJob> {
    return this.#change(id, (row) => ({ ...renamedTo(row, text), ...renamedBy(row, by) }));
  }

  /** @throws AssistantError `unknown_schedule`. */
  async #change(id: string, changes: (row: StoredJob) => Partial<StoredJob>): Promise<ScheduledJob> {
    return this.#deps.store.transaction(async () => {
      await this.#jobs.update(id, changes(await this.#jobs.get(id)));
      await this.#deps.store.wake.notify(RUNS_TOPIC);
      return toJob(await this.#jobs.get(id));
    });
  }

  async approve(id: string, code: string): Promise<ScheduledJob | undefined> {
    return this.#deps.store.transaction(async () => {
      if (approvalCode(toJob(await this.#jobs.get(id))) !== code) return undefined;
      return await this.#change(id, () => ({ untrusted: 0 }));
    });
  }

  async trustProgram(id: string, hash: string): Promise<ScheduledJob> {
    return this.#change(id, (row) => trusting(row, hash));
  }

  async remove(id: string): Promise<void> {
    await this.#deps.store.transaction(async () => {
      await this.#jobs.get(id);
      await this.#jobs.remove(id);
    });
  }

  state(id: string): Promise<string | undefined> {
    return this.#states.read(id);
  }

  putBack(id: string, state: string | undefined, undone?: UndoneJob): Promise<void> {
    return this.#states.putBack(id, state, undone);
  }

  async runNow(id: string): Promise<RunRecord> {
    return (await this.arm(id)).go();
  }

  async arm(id: string): Promise<ArmedRun> {
    const { job, run } = await this.#deps.store.transaction(async () => {
      const job = await this.#jobs.get(id);
      return { job, run: await this.#launcher.armNow(job) };
    });
    const go = async () => {
      await this.#launcher.launch(run, job);
      await this.#deps.notices.advance();
      const waits = (await this.#waiting.among([run.id])).has(run.id);
      return toRecord((await this.#runs.find(run.id)) ?? run, waits);
    };
    return { id: run.id, go };
  }

  async rehearse(
    id: string,
    options: { pin: boolean; signal: AbortSignal },
  ): Promise<Rehearsal & { job: ScheduledJob }> {
    const job = toJob(await this.#jobs.get(id));
    if (!this.#deps.onRehearse || job.task !== 'AGENT_PROMPT' || job.options.verbatim) {
      throw new AssistantError('bad_usage', `${id} cannot be rehearsed.`, {
        hint: 'Only prompts can; functions of plugins and plain messages cannot.',
      });
    }
    const { deadlineMs } = job.options;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]);
    const rehearsal = await this.#deps.onRehearse(job, signal);
    const pin = options.pin && rehearsal.outcome.state === 'succeeded';
    if (pin) await this.#jobs.update(id, { pin: JSON.stringify(pinOf(rehearsal)) });
    return { ...rehearsal, job: toJob(await this.#jobs.get(id)) };
  }

  goOn(proposal: string): Promise<void> {
    return this.#waiting.goOn(proposal);
  }

  async unpin(id: string): Promise<ScheduledJob> {
    return this.#change(id, () => ({ pin: null }));
  }

  async projectChanged(project: string, documents: readonly string[]): Promise<void> {
    await this.#changes.enter(project, documents);
  }

  async tick(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#look();
      await this.#deps.notices.advance();
    } catch (error) {
      // A busy or broken database must not stop the clock; the next tick tries again.
      this.#deps.log.error('scheduler tick failed', { error: messageOf(error) });
    }
  }

  /** Every second: an idle home answers one small question, and nothing else is read. */
  async #tickIfDue(): Promise<void> {
    const now = this.#deps.clock.now();
    const next = await this.nextLook(this.#tickedAt).catch(() => now);
    if (next === undefined || next > now) return;
    this.#tickedAt = now;
    await this.tick();
  }

  nextLook(tickedAt: Date): Promise<Date | undefined> {
    return nextLook(this.#deps.store, tickedAt, this.#deps.clock.now());
  }

  async #lookOnce(): Promise<void> {
    if (this.#stopped) return;
    const now = this.#deps.clock.now().getTime();
    if (this.#latestMs > now + FAR_MS) await planAnew(this.#due);
    this.#latestMs = now;
    await this.#launcher.renewLeases();
    await this.#silent.tell();
    await this.#recovery.takeUp();
    await this.#waiting.endWaits(this.#deps.clock.now());
    await enterDue(this.#due);
    await this.#changes.look();
    await this.#launcher.startDue();
  }

  async seed(tasks: readonly TaskCode[]): Promise<void> {
    this.#tasks.clear();
    // The map is shared with the runner.
    for (const task of tasks) this.#tasks.set(task.taskKey, task);
    await seedTasks({ ...this.#deps, jobs: this.#jobs, tasks, defaults: jobDefaults(this.#deps.options ?? {}) });
  }

  async importLegacy(path = this.#deps.legacySchedule ?? ''): Promise<LegacyReport> {
    const defaults = jobDefaults(this.#deps.options ?? {});
    return importLegacy({ ...this.#deps, jobs: this.#jobs, defaults }, path);
  }

  async start(): Promise<void> {
    this.#stopped = false;
    await this.#recovery.moveAfterZoneUpdate();
    if (this.#stopped || this.#deps.ticked) return;
    this.#unlisten ??= this.#deps.store.wake.on(RUNS_TOPIC, () => this.#launcher.lookSoon());
    this.#wakeUp.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unlisten?.();
    this.#unlisten = undefined;
    await this.#wakeUp.stop();
    if (!(await endsWithin(LONGEST_STOP_MS, this.#endRuns())))
      this.#deps.log.warn('the database does not answer: the runs in progress are taken up by another program');
  }

  async #endRuns(): Promise<void> {
    await this.#launcher.stop();
    // Wait for a tick in progress; it logs its own failure.
    await this.#look().catch(() => {});
    await this.#deps.notices.advance();
  }
}

/** Wait for `work`, up to a limit. @returns whether it has ended. */
async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How often to check on the runs of other programs and on changed documents. */
const WATCH_MS = 5 * SECOND_MS;

/**
 * When there is something to do next, as far as the tables tell now: a job or run is due, or something has to
 * be watched since `lookedAt`. One statement, so that asking is much cheaper than a tick.
 */
async function nextLook(store: Store, lookedAt: Date, now: Date): Promise<Date | undefined> {
  if (lookedAt.getTime() > now.getTime() + FAR_MS) return now;
  const { rows } = await sql<{ job: string | null; run: string | null; wait: string | null; watch: 0 | 1 }>`select
    (select min(next_run_utc) from schedules where enabled = 1) as job,
    (select min(coalesce(not_before, scheduled_for)) from runs where state = 'due') as run,
    (select min(until) from waiting_runs) as wait,
    case when exists (select 1 from runs where state in ('claimed', 'running'))
      or exists (select 1 from schedules where kind = 'on' and enabled = 1) then 1 else 0 end as watch`.execute(
    store.read,
  );
  const { job, run, wait, watch } = rows[0] ?? { job: null, run: null, wait: null, watch: 0 };
  const times = [job, run, wait].flatMap((time) => (time === null ? [] : Date.parse(time)));
  if (watch === 1) times.push(lookedAt.getTime() + WATCH_MS);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
