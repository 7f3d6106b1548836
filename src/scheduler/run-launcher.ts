import type { Clock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { oneAtATime } from '../base/one-at-a-time.ts';
import { leaseTime } from '../store/lease-time.ts';
import type { Store } from '../store/store.ts';
import { isTaken } from '../store/unique.ts';
import { MINUTE_MS, SECOND_MS } from '../when/zone.ts';
import { exclusiveOf, type JobTable, optionsOf, type StoredJob } from './job-table.ts';
import { type Claim, held, type NewRun, type RunTable, type StoredRun } from './run-table.ts';
import type { Runner } from './runner.ts';
import type { Slots } from './slots.ts';
import type { OwnerNotices } from './types.ts';

export interface RunLauncherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly notices: OwnerNotices;
  readonly runner: Runner;
  readonly owner: string;
  /** How many runs may be in progress at once. */
  readonly concurrency: number;
  readonly slots: Slots;
}

/** A run whose lease is not renewed for this long may be taken over by another process. */
const LEASE_MS = MINUTE_MS;
const RENEW_MS = 20 * SECOND_MS;

/** Claims the runs that may start, starts them, and renews their leases while they are in progress. */
export class RunLauncher {
  readonly #deps: RunLauncherDeps;
  readonly #active = new Map<string, Promise<void>>();
  /** Runs that began here but whose outcome could not be stored. */
  readonly #unrecorded = new Set<string>();
  /** Start what is due, as far as there are free slots. */
  readonly startDue = oneAtATime(() => this.#startDue());
  /** Claims whose answer was lost: they may have been committed, but none of their runs has begun. */
  readonly #unanswered: Claim[] = [];
  #renewedAt = 0;
  /** Renews leases while runs are in progress, since a program that runs a job by hand may not tick. */
  #renewing: NodeJS.Timeout | undefined;
  #looking = false;
  #stopped = false;

  constructor(deps: RunLauncherDeps) {
    this.#deps = deps;
    deps.slots.onFree(() => this.startDue());
  }

  /** Start no more runs, abort those in progress and wait for them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#deps.runner.stop();
    await this.#startMore();
    await Promise.all(this.#active.values());
  }

  /** Whether this run is in progress here. */
  isActive(runId: string): boolean {
    return this.#active.has(runId);
  }

  /** Whether this run of ours may have had effects. If the answer to its claim was lost, it never began. */
  hasBegun(runId: string): boolean {
    return this.#active.has(runId) || this.#unrecorded.has(runId);
  }

  /**
   * Claim a run of this job right now: a new one, or the missed one that was waiting for the user. Within the caller's
   * transaction.
   *
   * @throws AssistantError `bad_usage` when the job is running and its runs are exclusive.
   */
  async armNow(job: StoredJob): Promise<StoredRun> {
    const { runs, clock } = this.#deps;
    await this.#mustBeAlone(job);
    const now = clock.now();
    const claimed = await this.#claimed(job);
    const [latest] = await runs.history(job.id, 1);
    const rearm = latest?.state === 'missed' && (latest.reason === 'ask' || job.kind === 'at') ? latest : undefined;
    const id = rearm?.id ?? newId('run', now);
    if (rearm) await runs.set(id, { ...claimed, reason: 'catch-up', attempt: rearm.attempt + 1 });
    else await this.#insertManual({ ...claimed, id, schedule_id: job.id, attempt: 1 }, now);
    return (await runs.find(id)) ?? unreachable(id);
  }

  async #mustBeAlone(job: StoredJob): Promise<void> {
    const open = await this.#deps.runs.open(job.id);
    if (exclusiveOf(job) === 0 || open.every((run) => run.state === 'due')) return;
    throw new AssistantError('bad_usage', `${job.id} is running right now.`, {
      hint: `Try again when it is over; \`wooster schedule show ${job.id}\` tells.`,
    });
  }

  /** The columns of a run of this job that starts now. With a condition, it only starts once that is met. */
  async #claimed(job: StoredJob) {
    const { owner, leaseUntil, now } = await this.#newClaim();
    const begun = optionsOf(job).condition === undefined;
    const columns = { ...held(owner, leaseUntil), exclusive: exclusiveOf(job) };
    return begun
      ? { ...columns, state: 'running' as const, started_at: now }
      : { ...columns, state: 'claimed' as const };
  }

  async #insertManual(run: Omit<NewRun, 'scheduled_for' | 'reason'>, now: Date): Promise<void> {
    for (let at = now.getTime(); ; at++) {
      const row = { ...run, scheduled_for: new Date(at).toISOString(), reason: 'manual' } as const;
      if (await this.#deps.runs.insert(row)) return;
    }
  }

  async renewLeases(): Promise<void> {
    const now = this.#deps.clock.monotonicMs();
    if (this.#active.size === 0 || now - this.#renewedAt < RENEW_MS) return;
    await this.#deps.runs.renew([...this.#active.keys()], await this.#newClaim());
    this.#renewedAt = now;
  }

  async #renewInBackground(): Promise<void> {
    try {
      await this.renewLeases();
    } catch (error) {
      this.#deps.log.warn('leases not renewed', { error: messageOf(error) });
    }
  }

  async #startDue(): Promise<void> {
    const free = this.#deps.concurrency - this.#active.size;
    if (free <= 0 || this.#stopped) return;
    await this.#undoUnanswered();
    const now = this.#deps.clock.now().toISOString();
    if (!(await this.#deps.runs.anyStartable(now))) return;
    const { slots } = this.#deps;
    const places = slots.take(free);
    let begun = 0;
    try {
      for (const [run, job] of places > 0 ? await this.#claim(places) : []) {
        begun++;
        void this.launch(run, job).finally(() => slots.give(1));
      }
    } finally {
      if (begun < places) slots.enough();
      slots.give(places - begun);
    }
  }

  /** If one of the jobs turns out to have a run in progress, nothing is claimed and the next tick tries again. */
  async #claim(free: number): Promise<[StoredRun, StoredJob][]> {
    const { store, log } = this.#deps;
    let claim: Claim | undefined;
    try {
      return await store.transaction(
        async () => {
          claim = await this.#newClaim();
          return this.#claimUpTo(free, claim);
        },
        { shared: true },
      );
    } catch (error) {
      if (!isTaken(error)) {
        if (claim) this.#unanswered.push(claim);
        throw error;
      }
      log.warn('runs not claimed, one of their jobs is running', { error: messageOf(error) });
      return [];
    }
  }

  /**
   * Runs of a claim whose answer was lost start at once instead of after their lease. A claim that the database has not
   * committed yet is not visible here; its runs do wait for the lease.
   */
  async #undoUnanswered(): Promise<void> {
    for (let claim = this.#unanswered[0]; claim; claim = this.#unanswered[0]) {
      await this.#deps.runs.unclaim(claim, [...this.#active.keys(), ...this.#unrecorded]);
      this.#unanswered.shift();
    }
  }

  /** A run with a condition only counts as started once the condition is met. */
  async #claimUpTo(free: number, claim: Claim): Promise<[StoredRun, StoredJob][]> {
    const { runs, jobs } = this.#deps;
    const claimed = (await runs.claim(claim, free)).sort((a, b) => (a.scheduled_for < b.scheduled_for ? -1 : 1));
    if (claimed.length === 0) return [];
    const theirs = new Map((await jobs.named(claimed.map((run) => run.schedule_id))).map((job) => [job.id, job]));
    const jobOf = (run: StoredRun) => theirs.get(run.schedule_id) ?? unreachable(run.id);
    const waits = (run: StoredRun) => optionsOf(jobOf(run)).condition !== undefined;
    const waiting = claimed.filter(waits);
    if (waiting.length > 0) await runs.hold(waiting.map(({ id }) => id));
    const notBegun = { state: 'claimed', started_at: null } as const;
    return claimed.map((run) => [waits(run) ? { ...run, ...notBegun } : run, jobOf(run)]);
  }

  async #newClaim(): Promise<Claim> {
    const { store, clock, owner } = this.#deps;
    const end = (await leaseTime(store, () => clock.now())).getTime() + LEASE_MS;
    return { owner, leaseUntil: new Date(end).toISOString(), now: clock.now().toISOString() };
  }

  /**
   * Execute a claimed run. Never rejects.
   *
   * One that is still in progress here was taken for lost, for example because this machine slept, and claimed again;
   * it is not executed twice at once.
   */
  launch(run: StoredRun, job: StoredJob): Promise<void> {
    const active = this.#active.get(run.id);
    if (active) return active;
    const done = this.#deps.runner.run(run, job).then((stored) => {
      if (!stored) this.#unrecorded.add(run.id);
      this.#active.delete(run.id);
      if (this.#active.size === 0) this.#endRenewing();
      this.lookSoon();
    });
    this.#active.set(run.id, done);
    this.#renewing ??= setInterval(() => void this.#renewInBackground(), RENEW_MS).unref();
    return done;
  }

  #endRenewing(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  /**
   * Look for more work without waiting for the next tick, because a slot is free or another program entered runs.
   * Requests are coalesced.
   */
  lookSoon(): void {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      void this.#startMore();
    });
  }

  async #startMore(): Promise<void> {
    try {
      await this.startDue();
      if (!this.#stopped) await this.#deps.notices.advance();
    } catch (error) {
      this.#deps.log.error('next run not started', { error: messageOf(error) });
    }
  }
}

function unreachable(id: string): never {
  throw new Error(`run ${id} vanished`);
}
