import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS, SECOND_MS, showWall } from '../when/zone.ts';
import { nameOf, RUNS_TOPIC } from './due.ts';
import { exclusiveOf, type JobTable, makerOf, optionsOf, type StoredJob, wayOf } from './job-table.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { HasEffects, IsDecided, OwnerNotices, RunOutcome } from './types.ts';
import { hasWaited, type WaitingRuns } from './waiting-runs.ts';

export interface RunRecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly waiting: WaitingRuns;
  readonly notices: OwnerNotices;
  readonly hasEffects: HasEffects;
  readonly isDecided?: IsDecided | undefined;
}

/**
 * How a run ended. Besides its caller's outcomes: `stopped`, because the program ends, and `skipped` by its condition.
 */
export type FinalOutcome = RunOutcome | (Omit<RunOutcome, 'state'> & { readonly state: 'skipped' | 'stopped' });

/** An outcome that waits to be written. */
interface Ended {
  readonly row: StoredRun;
  readonly job: StoredJob;
  readonly outcome: FinalOutcome;
  written(stored: boolean): void;
}

const FIRST_RETRY_MS = 30 * SECOND_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;
/** Answers that begin with this are not sent. */
const SILENT = /^\s*\[SILENT\]/iu;
/** How often a busy database is tried; each attempt may itself wait for some seconds. */
const WRITE_TRIES = 10;

/** Stores how runs ended; runs that end together share a transaction, which is what makes many small runs fast. */
export class RunRecorder {
  readonly #deps: RunRecorderDeps;
  readonly #ended: Ended[] = [];
  #writing = false;

  constructor(deps: RunRecorderDeps) {
    this.#deps = deps;
  }

  /** @returns false when the outcome could not be stored after many tries. Never rejects. */
  finish(row: StoredRun, job: StoredJob, outcome: FinalOutcome): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#ended.push({ row, job, outcome, written: resolve });
    void this.#writeAll();
    return promise;
  }

  /** Runs that end during a transaction share the next one. */
  async #writeAll(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    // Wait for others that end at the same moment.
    await nextTurn();
    while (this.#ended.length > 0) {
      const ended = this.#ended.splice(0);
      let stored = await this.#write(ended);
      for (let tries = 1; !stored && tries < WRITE_TRIES; tries++) {
        await delay(SECOND_MS);
        stored = await this.#write(ended);
      }
      for (const each of ended) each.written(stored);
    }
    this.#writing = false;
  }

  async #write(ended: readonly Ended[]): Promise<boolean> {
    const { store, log } = this.#deps;
    try {
      await store.transaction(() => this.#finishAll(ended), { shared: true });
      for (const { row, job, outcome } of ended) {
        const { state, error } = outcome;
        log.info('run ended', { run: row.id, job: job.id, state, ...(error === undefined ? {} : { error }) });
      }
      return true;
    } catch (error) {
      log.error('runs not recorded', { runs: ended.map(({ row }) => row.id), error: messageOf(error) });
      return false;
    }
  }

  /** Final states and notices, run by run; then the jobs, grouped by what changes. */
  async #finishAll(ended: readonly Ended[]): Promise<void> {
    const over: Ended[] = [];
    for (const each of ended) if (await this.#finishOne(each)) over.push(each);
    // If runs overlap, another run of the job may have failed since this one was claimed.
    const mayHaveFailed = (job: StoredJob) => job.failures > 0 || exclusiveOf(job) === 0;
    const mended = over.filter(({ job, outcome }) => outcome.state === 'succeeded' && mayHaveFailed(job));
    const last = over.filter(({ job }) => job.next_run_utc === null);
    if (mended.length > 0) await this.#deps.jobs.clearFailures(mended.map(({ job }) => job.id));
    if (last.length > 0) await this.#deps.jobs.retire(last.map(({ job }) => job.id));
  }

  /** @returns whether this ended the run: it may start again, wait, or belong to another process by now. */
  async #finishOne({ row, job, outcome }: Ended): Promise<boolean> {
    if ((await this.#startsAgain(row, job, outcome)) || !(await this.#record(row, outcome))) return false;
    await this.#tell(row, job, outcome);
    if (outcome.suspended) {
      const { proposal } = outcome.suspended;
      await this.#deps.waiting.add(row.id, outcome.suspended);
      // Whoever decided before this knew of no run that waits.
      if (await this.#deps.isDecided?.(proposal)) await this.#deps.waiting.goOn(proposal);
      return false;
    }
    if (hasWaited(row)) await this.#deps.waiting.remove(row.id);
    if (outcome.state === 'failed' || outcome.state === 'denied') await this.#countFailure(row, job, outcome);
    return true;
  }

  /** Make the run due again if it had no effects: after a failure with retries left, or because the program stops. */
  async #startsAgain(row: StoredRun, job: StoredJob, outcome: FinalOutcome): Promise<boolean> {
    const { store, runs, clock, hasEffects } = this.#deps;
    const stopped = outcome.state === 'stopped';
    const until = waitsUntil(row, job, outcome, clock.now());
    const again = stopped || until || (outcome.state === 'failed' && row.attempt <= optionsOf(job).retries);
    const watched = row.reason === 'manual' && !stopped;
    if (!again || watched || job.task === 'DIRECT_FUNCTION' || (await hasEffects(row.id))) return false;
    if (stopped) await store.wake.notify(RUNS_TOPIC);
    const waitMs = stopped ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (row.attempt - 1));
    const notBefore = new Date(clock.now().getTime() + waitMs).toISOString();
    const attempt = stopped ? row.attempt - 1 : row.attempt;
    if (until) await this.#tellWaiting(row, job, outcome, until);
    return runs.change(row, {
      state: 'due',
      not_before: notBefore,
      attempt,
      error: outcome.error ?? null,
      owner: null,
      lease_until: null,
    });
  }

  /** Once for each run: the owner may not wait for what does not come. */
  async #tellWaiting(row: StoredRun, job: StoredJob, { error = '' }: FinalOutcome, until: Date): Promise<void> {
    const text = [
      `Scheduled job ${nameOf(job)} was due, but no model can be reached: ${error.replace(/\.$/u, '')}.`,
      `It is tried again until ${showWall(until, job.time_zone)}, and its result comes then.`,
    ].join(' ');
    await this.#deps.notices.post({ key: `waiting:${row.id}`, ...wayOf(job), text, voice: makerOf([job]) });
  }

  /** @returns false when another process has taken the run over, whose outcome counts. */
  async #record(row: StoredRun, outcome: FinalOutcome): Promise<boolean> {
    const { runs, clock } = this.#deps;
    return runs.change(row, {
      state: outcome.state === 'stopped' ? 'cancelled' : outcome.state,
      output: outcome.output,
      error: outcome.error ?? null,
      delivery: outcome.suspended?.tells === 'nothing' ? row.delivery : deliveryOf(outcome),
      conversation_id: outcome.conversationId ?? null,
      turn_id: outcome.turnId ?? null,
      cost_usd: outcome.costUsd ?? null,
      finished_at: clock.now().toISOString(),
      lease_until: null,
    });
  }

  /** Send the answer, or say what went wrong; only the first of several failures in a row is reported. */
  async #tell(row: StoredRun, job: StoredJob, outcome: FinalOutcome): Promise<void> {
    if (outcome.suspended?.tells === 'nothing') return;
    // A run that went on has been told of before.
    const which = hasWaited(row) ? `${row.id}:${row.attempt}` : row.id;
    if (delivers(outcome)) {
      await this.#deps.notices.post({
        key: `run:${which}`,
        runId: row.id,
        ...wayOf(job),
        urgent: optionsOf(job).urgent,
        text: outcome.output,
        voice: outcome.voice ?? makerOf([job]),
      });
      return;
    }
    const text = trouble(job, outcome);
    if (text && (outcome.state === 'denied' || outcome.insists || job.failures === 0)) {
      await this.#deps.notices.post({
        ...{ key: `trouble:${which}`, runId: row.id, ...wayOf(job), text },
        voice: outcome.voice ?? makerOf([job]),
      });
    }
  }

  /** Count failures in a row and pause the job after too many. */
  async #countFailure(row: StoredRun, job: StoredJob, outcome: FinalOutcome): Promise<void> {
    const { jobs, notices } = this.#deps;
    const failures = await jobs.countFailure(job.id);
    const { pauseAfter } = optionsOf(job);
    const pause = pausedBecause(job, outcome, failures, pauseAfter);
    if (pause === undefined) return;
    await jobs.update(job.id, { enabled: 0, paused_because: pause });
    if (failures < pauseAfter) return;
    const resume = `Resume it with \`wooster schedule resume ${job.id}\`.`;
    const text = `${nameOf(job)} failed ${failures} times in a row and is paused now. ${resume}`;
    await notices.post({ key: `paused:${row.id}`, ...wayOf(job), text, voice: outcome.voice ?? makerOf([job]) });
  }
}

/** How long a run waits for a model: as long as one that was missed would still be caught up on. */
function waitsUntil(row: StoredRun, job: StoredJob, outcome: FinalOutcome, now: Date): Date | undefined {
  if (outcome.state !== 'failed' || !outcome.modelAway) return undefined;
  const until = new Date(Date.parse(row.scheduled_for) + optionsOf(job).windowMs);
  return now < until ? until : undefined;
}

function pausedBecause(
  job: StoredJob,
  outcome: FinalOutcome,
  failures: number,
  pauseAfter: number,
): string | undefined {
  if (outcome.state === 'denied' && job.pin !== null) return 'it wanted more than was allowed';
  return failures >= pauseAfter ? `${failures} failures in a row` : undefined;
}

function delivers(outcome: FinalOutcome): boolean {
  return deliveryOf(outcome) === 'pending';
}

function deliveryOf({ state, told, output, suspended }: FinalOutcome): string {
  if (SILENT.test(output)) return 'silent';
  const isAnswer = state === 'succeeded' || suspended?.tells === 'answer';
  if (!isAnswer || output.trim() === '') return 'none';
  return told ? 'sent by the run' : 'pending';
}

/** What to tell the user about a run that did not succeed. */
function trouble(job: StoredJob, outcome: FinalOutcome): string | undefined {
  if (outcome.state === 'succeeded' || outcome.state === 'skipped') return undefined;
  const why = outcome.error ? `: ${outcome.error.replace(/\.$/u, '')}` : '';
  if (outcome.suspended) {
    const { proposal } = outcome.suspended;
    const then = `\`wooster approve ${proposal}\` lets it go on, \`wooster deny ${proposal}\` goes on without.`;
    return `Scheduled job ${nameOf(job)} waits for your approval${why}. ${then}`;
  }
  if (outcome.state === 'denied' && job.pin !== null) {
    const commands = [`wooster schedule rehearse ${job.id} --pin`, `wooster schedule resume ${job.id}`];
    const allow = `To allow it: ${commands.map((command) => `\`${command}\``).join(', then ')}.`;
    return `Scheduled job ${nameOf(job)} is paused: it wanted more than you allowed${why}. ${allow}`;
  }
  if (outcome.state === 'denied') {
    const allow = `To see what it would do and allow exactly that: \`wooster schedule rehearse ${job.id} --pin\`.`;
    return `Scheduled job ${nameOf(job)} was not allowed something it needs${why}. ${allow}`;
  }
  const verb = outcome.state === 'cancelled' || outcome.state === 'stopped' ? 'was stopped' : 'failed';
  return `Scheduled job ${nameOf(job)} ${verb}${why}. See \`wooster schedule show ${job.id}\`.`;
}
