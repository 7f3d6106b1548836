import { canonicalJson, isRecord, parseJson } from '../base/json.ts';
import type { Store } from '../store/store.ts';
import { RUNS_TOPIC } from './due.ts';
import { writtenBy } from './job-edits.ts';
import type { JobTable, StoredJob } from './job-table.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { UndoneJob } from './types.ts';

/** How many of its latest runs a restored job gets back. */
const RUNS = 50;
/** What identifies a job, however often it has run since. */
const ESSENTIAL = ['kind', 'expression', 'time_zone', 'task', 'payload', 'options', 'project'] as const;

interface State {
  readonly job: StoredJob;
  readonly runs: readonly StoredRun[];
}

/** Whole jobs as text, so that a changed or removed one can be restored. */
export class JobStates {
  readonly #deps: { readonly store: Store; readonly jobs: JobTable; readonly runs: RunTable };

  constructor(deps: { readonly store: Store; readonly jobs: JobTable; readonly runs: RunTable }) {
    this.#deps = deps;
  }

  /** A job and its history; undefined: there is no such job. */
  async read(id: string): Promise<string | undefined> {
    const job = await this.#deps.jobs.find(id);
    if (!job) return undefined;
    const runs = (await this.#deps.runs.history(id, RUNS)).filter(({ finished_at }) => finished_at !== null);
    return canonicalJson({ job, runs } satisfies State);
  }

  /** Restore a job. If its time has passed meanwhile it is due at once, as its catch-up policy says. */
  async putBack(id: string, state: string | undefined, { after, by }: UndoneJob = {}): Promise<void> {
    const { store, jobs, runs } = this.#deps;
    await store.transaction(async () => {
      const there = await jobs.find(id);
      if (state === undefined) {
        if (there) await jobs.remove(id);
        return;
      }
      const { job: before, runs: past } = JSON.parse(state) as State;
      const decided = there && after !== undefined ? decidedSince((JSON.parse(after) as State).job, there) : {};
      const job = { ...before, ...decided, ...(by?.untrusted ? writtenBy(by) : {}) };
      if (there) await jobs.update(id, changeable(job));
      else if (job.task_key === null || !(await jobs.byTaskKey(job.task_key))) await jobs.insert(job);
      else return;
      await runs.insertAll(past);
      await store.wake.notify(RUNS_TOPIC);
    });
  }
}

/** Whether two states have the same time, text and options. */
export function isSameJob(a: string | undefined, b: string | undefined): boolean {
  return essence(a) === essence(b);
}

function essence(state: string | undefined): string | undefined {
  const known = state === undefined ? undefined : parseJson(state);
  if (!isRecord(known) || !isRecord(known.job)) return undefined;
  const { job } = known;
  return canonicalJson(ESSENTIAL.map((column) => job[column]));
}

/** What the owner has allowed or stopped since a change: that is no part of it, and undoing it leaves that alone. */
function decidedSince(after: StoredJob, now: StoredJob): Partial<StoredJob> {
  const { enabled, paused_because, pin, untrusted } = now;
  return {
    ...(pin === after.pin ? {} : { pin }),
    ...(untrusted === after.untrusted ? {} : { untrusted }),
    ...(paused_because === 'you' && after.paused_because !== 'you' && { enabled, paused_because }),
  };
}

/** Revisions keep counting up, and what runs have recorded since stays. */
function changeable(job: StoredJob): Partial<StoredJob> {
  const { id: _id, revision: _revision, memory: _memory, seen: _seen, ...rest } = job;
  return rest;
}
