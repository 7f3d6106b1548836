import { type ScheduledTask as CronTask, createTask, type Logger } from 'node-cron';
import type { Clock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { ownerName } from '../base/owner.ts';
import type { Store } from '../store/store.ts';
import { type DueParts, enterDue } from './due.ts';
import { JobTable, type StoredJob, timingOf, toJob } from './job-table.ts';
import { NoticeBoard } from './notice-board.ts';
import { jobDefaults, type SchedulerOptions } from './options.ts';
import { Recovery } from './recovery.ts';
import { RunTable, type StoredRun, toRecord } from './run-table.ts';
import { Runner } from './runner.ts';
import { seedTasks } from './tasks.ts';
import { nextAfter, nextTimes } from './timing.ts';
import type { CheckCondition, Job, NewJob, OnDue, OnNotice, RunRecord, TaskCode, Understood } from './types.ts';
import { understand } from './understand.ts';
import { MINUTE_MS, SECOND_MS, zoneData } from './zone.ts';

export interface SchedulerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The owner's IANA zone, for jobs that name none. */
  readonly timeZone: string;
  readonly options?: Partial<SchedulerOptions> | undefined;
  readonly onDue: OnDue;
  readonly onNotice: OnNotice;
  readonly checkCondition?: CheckCondition | undefined;
  /** Functions of plugins, by key. */
  readonly tasks?: readonly TaskCode[] | undefined;
}

export interface JobDetails {
  readonly job: Job;
  /** The next three times. */
  readonly next: readonly Date[];
  /** Newest first. */
  readonly history: readonly RunRecord[];
}

export interface PreviewOptions {
  readonly timeZone?: string | undefined;
  readonly from?: Date | undefined;
  readonly count?: number | undefined;
}

export interface Scheduler {
  /** Understand a time without saving anything. @throws AssistantError `bad_time`. */
  preview(when: string, options?: PreviewOptions): Understood;
  /** @throws AssistantError `bad_time`. */
  add(job: NewJob): Promise<Job>;
  /** By next run; those that run no more at the end. */
  list(project?: string): Promise<readonly Job[]>;
  /** @throws AssistantError `unknown_schedule`, as every method that takes an id. */
  show(id: string, historyLimit?: number): Promise<JobDetails>;
  pause(id: string): Promise<Job>;
  /** The next run is computed from now. */
  resume(id: string): Promise<Job>;
  remove(id: string): Promise<void>;
  /** Run now, in this process, and wait for the end. A missed one-off or one that asks is run for its own time. */
  runNow(id: string): Promise<RunRecord>;
  /** Documents of a project changed: jobs that wait for that are due. */
  projectChanged(project: string, documents: readonly string[]): void;
  /** One wake-up: enter what is due, start what may start, hand over notices. Never rejects. */
  tick(): Promise<void>;
  start(): void;
  /** Runs under way get their signal and at most five seconds. */
  stop(): Promise<void>;
}

const LEASE_MS = MINUTE_MS;
const RENEW_MS = 20 * SECOND_MS;
const DEFAULT_CONCURRENCY = 8;
/** Changes that come together are one event. */
const SETTLE_MS = 2 * SECOND_MS;

/** Seeds the tasks of the code; nothing runs before `start`. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  return new SqliteScheduler(parts);
}

class SqliteScheduler implements Scheduler {
  readonly #parts: SchedulerParts;
  readonly #jobs: JobTable;
  readonly #runs: RunTable;
  readonly #board: NoticeBoard;
  readonly #runner: Runner;
  readonly #recovery: Recovery;
  readonly #due: DueParts;
  readonly #owner = ownerName();
  readonly #active = new Map<string, Promise<void>>();
  #wakeUp: CronTask | undefined;
  #renewedAt = 0;
  #stopped = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#jobs = new JobTable(parts.store);
    this.#runs = new RunTable(parts.store);
    this.#board = new NoticeBoard(parts);
    this.#due = { ...parts, jobs: this.#jobs, runs: this.#runs, board: this.#board };
    const tasks = new Map((parts.tasks ?? []).map((task) => [task.taskKey, task]));
    const shared = { ...parts, jobs: this.#jobs, runs: this.#runs, board: this.#board, owner: this.#owner };
    this.#runner = new Runner({ ...shared, tasks: () => tasks });
    this.#recovery = new Recovery(shared);
    seedTasks({ ...shared, tasks: parts.tasks ?? [], defaults: jobDefaults(parts.options ?? {}) });
  }

  preview(when: string, options: PreviewOptions = {}): Understood {
    const { timeZone = this.#parts.timeZone, from = this.#parts.clock.now(), count } = options;
    return understand(when, { timeZone, from, count });
  }

  async add(job: NewJob): Promise<Job> {
    const known = job.idempotencyKey === undefined ? undefined : this.#jobs.byIdempotencyKey(job.idempotencyKey);
    if (known) return toJob(known);
    const now = this.#parts.clock.now();
    const when = understand(job.when, { timeZone: job.timeZone ?? this.#parts.timeZone, from: now, count: 1 });
    const id = newId('job', now);
    this.#jobs.insert({
      id,
      kind: when.kind,
      expression: when.expression,
      said: job.when,
      description: when.description,
      time_zone: when.timeZone,
      task: 'AGENT_PROMPT',
      task_key: null,
      seeded: null,
      payload: JSON.stringify(job.prompt),
      options: JSON.stringify({ ...jobDefaults(this.#parts.options ?? {}), ...defined(job.options ?? {}) }),
      project: job.project,
      untrusted: job.untrusted ? 1 : 0,
      next_run_utc: when.next[0]?.toISOString() ?? null,
      anchor_utc: when.anchor.toISOString(),
      tz_data: zoneData(),
      idempotency_key: job.idempotencyKey ?? null,
      created_at: now.toISOString(),
    });
    return toJob(this.#jobs.get(id));
  }

  async list(project?: string): Promise<readonly Job[]> {
    return this.#jobs.all(project).map(toJob);
  }

  async show(id: string, historyLimit = 20): Promise<JobDetails> {
    const row = this.#jobs.get(id);
    const next = row.enabled === 1 && row.next_run_utc !== null ? this.#timesFrom(row, new Date(row.next_run_utc)) : [];
    return { job: toJob(row), next, history: this.#runs.history(id, historyLimit).map(toRecord) };
  }

  #timesFrom(row: StoredJob, first: Date): Date[] {
    return [first, ...nextTimes(timingOf(row), first, 2)];
  }

  async pause(id: string): Promise<Job> {
    this.#jobs.get(id);
    this.#jobs.update(id, { enabled: 0, paused_because: 'you' });
    return toJob(this.#jobs.get(id));
  }

  async resume(id: string): Promise<Job> {
    const row = this.#jobs.get(id);
    const next = nextAfter(timingOf(row), this.#parts.clock.now());
    if (!next && row.kind === 'at') {
      throw new AssistantError('bad_time', `The time of ${id} has passed.`, {
        hint: `Run it now with \`wooster schedule run ${id}\`, or add it anew.`,
      });
    }
    this.#jobs.update(id, { enabled: 1, paused_because: null, failures: 0, next_run_utc: next?.toISOString() ?? null });
    return toJob(this.#jobs.get(id));
  }

  async remove(id: string): Promise<void> {
    this.#jobs.get(id);
    this.#jobs.remove(id);
  }

  async runNow(id: string): Promise<RunRecord> {
    const row = this.#jobs.get(id);
    const run = this.#parts.store.transaction(() => this.#armNow(row));
    await this.#launch(run);
    await this.#board.hand();
    return toRecord(this.#runs.find(run.id) ?? run);
  }

  /** A claimed row for now, or the missed one that waited for this word. */
  #armNow(job: StoredJob): StoredRun {
    const now = this.#parts.clock.now();
    const [latest] = this.#runs.history(job.id, 1);
    const rearm = latest?.state === 'missed' && (latest.reason === 'ask' || job.kind === 'at') ? latest : undefined;
    const id = rearm?.id ?? newId('run', now);
    if (rearm) this.#runs.set(id, { state: 'due', reason: 'catch-up' });
    else this.#insertManual(id, job.id, now);
    if (!this.#runs.claim(id, this.#owner, this.#leaseEnd())) throw new Error(`run ${id} was taken by another process`);
    return this.#runs.find(id) ?? unreachable(id);
  }

  #insertManual(id: string, scheduleId: string, now: Date): void {
    for (let at = now.getTime(); ; at++) {
      const row = { id, schedule_id: scheduleId, scheduled_for: new Date(at).toISOString() };
      if (this.#runs.insert({ ...row, reason: 'manual', state: 'due' })) return;
    }
  }

  projectChanged(project: string, documents: readonly string[]): void {
    const now = this.#parts.clock.now();
    this.#parts.store.transaction(() => {
      for (const job of this.#jobs.listening(project)) this.#enterEvent(job, documents, now);
    });
  }

  /** Changes that come before the run starts join it. */
  #enterEvent(job: StoredJob, documents: readonly string[], now: Date): void {
    const waiting = this.#runs.open(job.id).find((run) => run.state === 'due' && run.event !== null);
    const known = JSON.parse(waiting?.event ?? '[]') as string[];
    const event = JSON.stringify([...new Set([...known, ...documents])]);
    const notBefore = new Date(now.getTime() + SETTLE_MS).toISOString();
    if (waiting) {
      this.#runs.set(waiting.id, { event, not_before: notBefore });
      return;
    }
    const id = newId('run', now);
    const row = { id, schedule_id: job.id, scheduled_for: now.toISOString(), event, not_before: notBefore };
    this.#runs.insert({ ...row, reason: 'event', state: 'due' });
  }

  async tick(): Promise<void> {
    if (this.#stopped) return;
    try {
      this.#renewLeases();
      this.#recovery.takeUp();
      enterDue(this.#due);
      this.#startDue();
      await this.#board.hand();
    } catch (error) {
      // A busy or broken database must not end the clock: the next wake-up tries again.
      this.#parts.log.error('scheduler tick failed', { error: messageOf(error) });
    }
  }

  #renewLeases(): void {
    const now = this.#parts.clock.monotonicMs();
    if (this.#active.size === 0 || now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    this.#runs.renew(this.#owner, this.#leaseEnd());
  }

  #startDue(): void {
    const free = (this.#parts.options?.concurrency ?? DEFAULT_CONCURRENCY) - this.#active.size;
    if (free <= 0 || this.#stopped) return;
    const now = this.#parts.clock.now().toISOString();
    if (this.#runs.startable(now, 1).length === 0) return;
    const claimed = this.#parts.store.transaction(() => this.#claim(now, free));
    for (const run of claimed) void this.#launch(run);
  }

  /** One at a time, because each claim may make the next one of its job unstartable. */
  #claim(now: string, free: number): StoredRun[] {
    const claimed: StoredRun[] = [];
    for (const candidate of this.#runs.startable(now, free)) {
      const still =
        claimed.every((other) => other.schedule_id !== candidate.schedule_id) || this.#mayOverlap(candidate);
      if (!still || !this.#runs.claim(candidate.id, this.#owner, this.#leaseEnd())) continue;
      claimed.push({ ...candidate, attempt: candidate.attempt + 1, state: 'claimed' });
    }
    return claimed;
  }

  #mayOverlap(run: StoredRun): boolean {
    return toJob(this.#jobs.get(run.schedule_id)).options.overlap === 'allow';
  }

  #launch(run: StoredRun): Promise<void> {
    const done = this.#runner.run(run).then(() => {
      this.#active.delete(run.id);
      this.#afterRun();
    });
    this.#active.set(run.id, done);
    return done;
  }

  /** A place is free and there may be news: no need to wait for the next wake-up. */
  #afterRun(): void {
    if (this.#stopped) return;
    try {
      this.#startDue();
    } catch (error) {
      this.#parts.log.error('next run not started', { error: messageOf(error) });
    }
    void this.#board
      .hand()
      .catch((error: unknown) => this.#parts.log.error('notices not handed over', { error: messageOf(error) }));
  }

  #leaseEnd(): string {
    return new Date(this.#parts.clock.now().getTime() + LEASE_MS).toISOString();
  }

  start(): void {
    this.#stopped = false;
    this.#recovery.moveAfterZoneUpdate();
    this.#wakeUp ??= createTask('* * * * * *', () => this.tick(), {
      name: 'scheduler',
      logger: quiet(this.#parts.log),
    });
    void this.#wakeUp.start();
    void this.tick();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#wakeUp?.destroy();
    this.#wakeUp = undefined;
    this.#runner.stop();
    await Promise.all(this.#active.values());
    await this.#board
      .hand()
      .catch((error: unknown) => this.#parts.log.error('notices not handed over', { error: messageOf(error) }));
  }
}

/** node-cron reports slow ticks and jumps of the clock; the ledger deals with both, so they are only logged. */
function quiet(log: Log): Logger {
  return {
    debug: () => {},
    info: () => {},
    warn: (message) => log.debug(message),
    error: (message) => log.error(messageOf(message)),
  };
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function unreachable(id: string): never {
  throw new Error(`run ${id} vanished`);
}
