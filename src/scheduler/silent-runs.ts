import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { SECOND_MS } from '../when/zone.ts';
import { nameOf } from './due.ts';
import { makerOf, type StoredJob, wayOf } from './job-table.ts';
import type { StoredRun } from './run-table.ts';
import type { OwnerNotices } from './types.ts';

interface SilentRunsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly notices: OwnerNotices;
}

/** A model that says nothing for this long may hang; its owner has to hear of the job within half a minute. */
const SILENT_MS = 20 * SECOND_MS;

/** The runs in progress whose model has not been heard of. */
export class SilentRuns {
  readonly #deps: SilentRunsDeps;
  readonly #runs = new Map<string, { readonly run: StoredRun; readonly job: StoredJob; readonly sinceMs: number }>();

  constructor(deps: SilentRunsDeps) {
    this.#deps = deps;
  }

  /** A run has asked its model. */
  begin(run: StoredRun, job: StoredJob): void {
    this.#runs.set(run.id, { run, job, sinceMs: this.#deps.clock.monotonicMs() });
  }

  /** Its model was heard of, or it is over. */
  end(runId: string): void {
    this.#runs.delete(runId);
  }

  /** Tell the owner of those that have been silent for too long, once each. */
  async tell(): Promise<void> {
    const { store, clock, notices } = this.#deps;
    for (const { run, job, sinceMs } of [...this.#runs.values()]) {
      if (clock.monotonicMs() - sinceMs < SILENT_MS) continue;
      this.end(run.id);
      const due = `Scheduled job ${nameOf(job)} was due, but its model says nothing.`;
      const text = `${due} Its result comes if the model answers.`;
      const notice = { key: `waiting:${run.id}`, ...wayOf(job), text, voice: makerOf([job]) };
      await store.transaction(() => notices.post(notice));
    }
  }
}
