import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { leaseTime } from '../store/lease-time.ts';
import type { Store } from '../store/store.ts';
import { goneOwners } from '../store/workers.ts';
import { nextAfter } from '../when/timing.ts';
import { SECOND_MS, showWall, zoneData } from '../when/zone.ts';
import { nameOf } from './due.ts';
import { type JobTable, makerOf, optionsOf, type StoredJob, timingOf } from './job-table.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { HasEffects, OwnerNotices } from './types.ts';

export interface RecoveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly notices: OwnerNotices;
  readonly owner: string;
  readonly hasEffects: HasEffects;
  /** Whether this process has begun the run and not ended it. */
  isActive(runId: string): boolean;
  /** Whether a run that belongs to this process was ever begun by it. */
  hasBegun(runId: string): boolean;
}

/** A process that is alive renews its lease within this time, even right after the clock was set. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Cleans up after other processes, and applies new time zone rules. */
export class Recovery {
  readonly #deps: RecoveryDeps;
  /** Expired leases by run, and when each was first seen, on the monotonic clock. */
  readonly #overdue = new Map<string, { readonly lease: string; readonly sinceMs: number }>();

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
  }

  /**
   * Take over runs whose process is gone or has not renewed its lease. Our own may be among them: if the answer to a
   * claim was lost, the run is ours without having been started.
   */
  async takeUp(): Promise<void> {
    const { runs, owner, store, clock, isActive } = this.#deps;
    const held = (await runs.inProgress()).filter((run) => run.owner !== owner || !isActive(run.id));
    if (held.length === 0) {
      this.#overdue.clear();
      return;
    }
    const owners = held.flatMap((run) => run.owner ?? []);
    const gone = await goneOwners(store, owners, { leased: true });
    const now = (await leaseTime(store, () => clock.now())).toISOString();
    const lost = held.filter((run) => gone.has(run.owner ?? '') || this.#isOverdue(run, now));
    if (lost.length === 0) return;
    await store.transaction(async () => {
      for (const run of lost) await this.#takeUpOne(run);
    });
  }

  /** A lease may look expired because the clock was set, so it also has to stay unrenewed for a while. */
  #isOverdue(run: StoredRun, now: string): boolean {
    const lease = run.lease_until ?? '';
    if (lease > now) return false;
    const seen = this.#overdue.get(run.id);
    const nowMs = this.#deps.clock.monotonicMs();
    if (seen?.lease === lease) return nowMs - seen.sinceMs >= PATIENCE_MS;
    this.#overdue.set(run.id, { lease, sinceMs: nowMs });
    return false;
  }

  /** A run without effects so far starts again; one that may have had effects ends as `unknown`. */
  async #takeUpOne({ id, owner, lease_until }: StoredRun): Promise<void> {
    const { runs, jobs, log, hasEffects } = this.#deps;
    const run = await runs.find(id);
    const job = run && (await jobs.find(run.schedule_id));
    if (!run || !job || (run.state !== 'claimed' && run.state !== 'running')) return;
    if (run.owner !== owner || run.lease_until !== lease_until) return;
    log.warn('run was left behind', { run: id, state: run.state, owner: run.owner });
    const released = { owner: null, lease_until: null };
    const mayRepeat = job.task === 'AGENT_PROMPT' && run.attempt <= optionsOf(job).retries;
    const acted = await hasEffects(id);
    // Our own run with effects was begun here, taken for lost and claimed again meanwhile.
    const neverBegun = run.owner === this.#deps.owner && !this.#deps.hasBegun(id) && !acted;
    const notBegun = run.state === 'claimed' || neverBegun;
    if (notBegun) await runs.change(run, { ...released, state: 'due', attempt: run.attempt - 1 });
    else if (mayRepeat && !acted)
      await runs.change(run, { ...released, state: 'due', error: 'interrupted before it did anything; started again' });
    else await this.#endUnknown(run, job);
  }

  /** The run may have had effects, so only the user may repeat it. */
  async #endUnknown(run: StoredRun, job: StoredJob): Promise<void> {
    const { runs, notices, clock, jobs } = this.#deps;
    const error = 'interrupted; what it had done by then is not known';
    const left = await runs.change(run, {
      state: 'unknown',
      error,
      owner: null,
      lease_until: null,
      finished_at: clock.now().toISOString(),
    });
    if (!left) return;
    const text = [
      `Scheduled job ${nameOf(job)} was interrupted during its run of`,
      `${showWall(new Date(run.scheduled_for), job.time_zone)}; what it had done by then is not known.`,
      `It is not repeated; \`wooster schedule run ${job.id}\` runs it again.`,
    ].join(' ');
    await notices.post({ key: `unknown:${run.id}`, runId: run.id, to: optionsOf(job).to, text, voice: makerOf([job]) });
    if (job.kind === 'at') await jobs.update(job.id, { enabled: 0, paused_because: 'interrupted' });
  }

  /** A new Node may bring new time zone rules: compute the next run of every job by local time again. */
  async moveAfterZoneUpdate(): Promise<void> {
    const { store, jobs, notices, clock } = this.#deps;
    const version = zoneData();
    if ((await jobs.withOtherZoneData(version)).length === 0) return;
    await store.transaction(async () => {
      const lines: string[] = [];
      const moved = await jobs.withOtherZoneData(version);
      for (const job of moved) lines.push(...(await this.#move(job, version)));
      if (lines.length === 0) return;
      const text = ['New time zone rules move these scheduled runs:', ...lines].join('\n');
      await notices.post({ key: `zones:${version}:${clock.now().toISOString()}`, text, voice: makerOf(moved) });
    });
  }

  /** A run that is already due stays: it was missed under the old rules. */
  async #move(job: StoredJob, version: string): Promise<string[]> {
    const { jobs, clock } = this.#deps;
    const now = clock.now();
    const keep = job.next_run_utc === null || job.next_run_utc <= now.toISOString();
    const next = keep ? job.next_run_utc : (nextAfter(timingOf(job), now)?.toISOString() ?? null);
    await jobs.update(job.id, { tz_data: version, next_run_utc: next });
    if (next === job.next_run_utc || next === null) return [];
    return [`- ${nameOf(job)}: now ${showWall(new Date(next), job.time_zone)}`];
  }
}
