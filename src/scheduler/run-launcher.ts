import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS, SECOND_MS } from '../when/zone.ts';
import { type JobTable, optionsOf, type StoredJob } from './job-table.ts';
import type { NoticeQueue } from './notice-queue.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { Runner } from './runner.ts';

export interface RunLauncherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly notices: NoticeQueue;
  readonly runner: Runner;
  readonly owner: string;
  /** How many runs may be in progress at once. */
  readonly concurrency: number;
}

/** A run whose lease is not renewed for this long may be taken over by another process. */
const LEASE_MS = MINUTE_MS;
const RENEW_MS = 20 * SECOND_MS;

/** Claims the runs that may start, starts them, and renews their leases while they are in progress. */
export class RunLauncher {
  readonly #deps: RunLauncherDeps;
  readonly #active = new Map<string, Promise<void>>();
  #renewedAt = 0;
  #looking = false;
  #stopped = false;

  constructor(deps: RunLauncherDeps) {
    this.#deps = deps;
  }

  /** Start no more runs, fire the signal of those in progress and wait for them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#deps.runner.stop();
    await Promise.all(this.#active.values());
  }

  /** Claim a run of this job right now: a new one, or the missed one that was waiting for the user. */
  armNow(job: StoredJob): StoredRun {
    const now = this.#deps.clock.now();
    const [latest] = this.#deps.runs.history(job.id, 1);
    const rearm = latest?.state === 'missed' && (latest.reason === 'ask' || job.kind === 'at') ? latest : undefined;
    const id = rearm?.id ?? newId('run', now);
    if (rearm) this.#deps.runs.set(id, { state: 'due', reason: 'catch-up' });
    else this.#insertManual(id, job.id, now);
    if (!this.#take(id, job)) throw new Error(`run ${id} was taken by another process`);
    return this.#deps.runs.find(id) ?? unreachable(id);
  }

  #insertManual(id: string, scheduleId: string, now: Date): void {
    for (let at = now.getTime(); ; at++) {
      const row = { id, schedule_id: scheduleId, scheduled_for: new Date(at).toISOString() };
      if (this.#deps.runs.insert({ ...row, reason: 'manual', state: 'due' })) return;
    }
  }

  renewLeases(): void {
    const now = this.#deps.clock.monotonicMs();
    if (this.#active.size === 0 || now - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = now;
    this.#deps.runs.renew(this.#deps.owner, this.#leaseEnd());
  }

  /** Start what is due, as far as there are places. */
  startDue(): void {
    const free = this.#deps.concurrency - this.#active.size;
    if (free <= 0 || this.#stopped) return;
    const now = this.#deps.clock.now().toISOString();
    if (this.#deps.runs.startable(now, 1).length === 0) return;
    const claimed = this.#deps.store.transaction(() => this.#claim(now, free));
    for (const run of claimed) void this.launch(run);
  }

  /** One at a time, because each claim may keep the next run of the same job from starting. */
  #claim(now: string, free: number): StoredRun[] {
    const claimed: StoredRun[] = [];
    for (const candidate of this.#deps.runs.startable(now, free)) {
      const job = this.#deps.jobs.get(candidate.schedule_id);
      const alone = claimed.every((other) => other.schedule_id !== job.id) || optionsOf(job).overlap === 'allow';
      if (!alone || !this.#take(candidate.id, job)) continue;
      claimed.push(this.#deps.runs.find(candidate.id) ?? unreachable(candidate.id));
    }
    return claimed;
  }

  /** A run with a condition only counts as started once the condition is met. */
  #take(id: string, job: StoredJob): boolean {
    const { owner, clock, runs } = this.#deps;
    const state = optionsOf(job).condition === undefined ? 'running' : 'claimed';
    return runs.claim(id, { owner, leaseUntil: this.#leaseEnd(), state, now: clock.now().toISOString() });
  }

  /** Execute a claimed run. Never rejects. */
  launch(run: StoredRun): Promise<void> {
    const done = this.#deps.runner.run(run).then(() => {
      this.#active.delete(run.id);
      this.#afterRun();
    });
    this.#active.set(run.id, done);
    return done;
  }

  /**
   * A place is free and there may be notices, so do not wait for the next tick. Runs that end together count as one.
   */
  #afterRun(): void {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      void this.#startMore();
    });
  }

  async #startMore(): Promise<void> {
    if (this.#stopped) return;
    try {
      this.startDue();
      await this.#deps.notices.hand();
    } catch (error) {
      this.#deps.log.error('next run not started', { error: messageOf(error) });
    }
  }

  #leaseEnd(): string {
    return new Date(this.#deps.clock.now().getTime() + LEASE_MS).toISOString();
  }
}

function unreachable(id: string): never {
  throw new Error(`run ${id} vanished`);
}
