import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS, SECOND_MS } from '../when/zone.ts';
import { exclusiveOf, type JobTable, type StoredJob } from './job-table.ts';
import type { RunTable } from './run-table.ts';
import type { DocumentChange, ReadChanges } from './types.ts';

export interface ChangesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly readChanges?: ReadChanges | undefined;
}

/** Changes this close together are one event. */
const SETTLE_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** A document is timestamped before its rows are committed, so look back this far for late arrivals. */
const LATE_MS = MINUTE_MS;
/**
 * A job that is triggered more often than this has to wait: something that we cannot trace may be writing whenever it
 * runs, which would be an endless loop.
 */
const MOST_EVENTS = 5;
const EVENTS_SPAN_MS = 10 * MINUTE_MS;

/**
 * Triggers jobs that wait for changed documents (`on: project-changed`).
 *
 * The changes that a job has been told about are stored with it, so changes made while no program was running are found
 * later and each is reported once, however many programs share the database.
 */
export class Changes {
  readonly #deps: ChangesDeps;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  /** Look for changes that other programs made; at most every five seconds. */
  async look(): Promise<void> {
    const { clock, jobs, store, readChanges } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (!readChanges || nowMs - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = nowMs;
    if ((await jobs.listening()).length === 0) return;
    await store.transaction(async () => {
      for (const job of await jobs.listening()) await this.#lookFor(job, readChanges);
    });
  }

  /** Enter the changes that this job has not been told about, less those that it caused itself. */
  async #lookFor(job: StoredJob, readChanges: ReadChanges): Promise<void> {
    const created = Date.parse(job.created_at);
    const since = new Date(Math.max(created, Date.parse(job.anchor_utc) - LATE_MS)).toISOString();
    const seen = JSON.parse(job.seen) as string[];
    const fresh = (await readChanges(job.project, since)).filter((change) => !seen.includes(keyOf(change)));
    const latest = fresh.map((change) => change.at).reduce((a, b) => (a > b ? a : b), job.anchor_utc);
    if (fresh.length === 0) return;
    const { documents, chain } = await this.#newsFor(job, fresh);
    if (documents.length > 0) await this.#enterFor(job, documents, chain);
    const border = new Date(Date.parse(latest) - LATE_MS).toISOString();
    const kept = [...seen, ...fresh.map(keyOf)].filter((key) => key.slice(0, border.length) > border);
    await this.#deps.jobs.update(job.id, { anchor_utc: latest, seen: JSON.stringify(kept) });
  }

  /** What to tell the job of these changes: those that it did not cause, and the jobs behind them. */
  async #newsFor(job: StoredJob, changes: readonly DocumentChange[]) {
    const documents: string[] = [];
    const chain: string[] = [];
    for (const { document, run } of changes) {
      const behind = await this.#chainOf(run);
      if (behind.includes(job.id)) continue;
      documents.push(document);
      chain.push(...behind);
    }
    return { documents, chain };
  }

  /** Documents of a project were changed by this program. */
  async enter(project: string, documents: readonly string[]): Promise<void> {
    const { store, jobs } = this.#deps;
    await store.transaction(async () => {
      for (const job of await jobs.listening()) if (job.project === project) await this.#enterFor(job, documents);
    });
  }

  /**
   * The jobs behind what a run wrote: its own, and those whose changes triggered it. None of them is triggered by it.
   */
  async #chainOf(runId: string | null | undefined): Promise<string[]> {
    const run = runId ? await this.#deps.runs.find(runId) : undefined;
    return run ? [run.schedule_id, ...listOf(run.chain)] : [];
  }

  /** Changes that arrive before the run starts are added to it. */
  async #enterFor(job: StoredJob, documents: readonly string[], chain: readonly string[] = []): Promise<void> {
    const { runs, clock } = this.#deps;
    const now = clock.now();
    const open = await runs.open(job.id);
    const waiting = open.find((run) => run.state === 'due' && run.event !== null && run.attempt === 0);
    const details = {
      event: joined(waiting?.event, documents),
      chain: joined(waiting?.chain, chain),
      not_before: await this.#notBefore(job, now),
    };
    if (waiting && (await runs.changeDue(waiting.id, details))) return;
    const entered = { schedule_id: job.id, reason: 'event', state: 'due', exclusive: exclusiveOf(job) } as const;
    for (let at = now.getTime(); ; at++) {
      const row = { ...details, ...entered, id: newId('run', now), scheduled_for: new Date(at).toISOString() };
      if (await runs.insert(row)) return;
    }
  }

  /** When the run may start: once the changes have settled, and not more than five times in ten minutes. */
  async #notBefore(job: StoredJob, now: Date): Promise<string> {
    const fifth = (await this.#deps.runs.eventStarts(job.id, MOST_EVENTS))[MOST_EVENTS - 1];
    const rested = fifth ? fifth.getTime() + EVENTS_SPAN_MS : Number.NEGATIVE_INFINITY;
    return new Date(Math.max(now.getTime() + SETTLE_MS, rested)).toISOString();
  }
}

function listOf(json: string | null | undefined): string[] {
  return JSON.parse(json ?? '[]') as string[];
}

function joined(known: string | null | undefined, more: readonly string[]): string {
  return JSON.stringify([...new Set([...listOf(known), ...more])]);
}

/** The time comes first, so that old keys can be dropped by comparing text. */
function keyOf({ at, document }: DocumentChange): string {
  return `${at} ${document}`;
}
