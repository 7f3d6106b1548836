import type { Store } from '../../store/store.ts';
import { type Author, type KeptStates, THERE } from './kept-states.ts';

/** The part of the scheduler that is needed to put a job back. */
export interface JobSource {
  /** A whole job as text; undefined: there is none. */
  state(id: string): Promise<string | undefined>;
}

/** Changes in the database that are kept in the same transaction, so that there is neither one without the other. */
export class Undoable {
  readonly #store: Store;
  readonly #states: KeptStates;
  readonly #jobs: JobSource;

  constructor(deps: { readonly store: Store; readonly states: KeptStates; readonly jobs: JobSource }) {
    this.#store = deps.store;
    this.#states = deps.states;
    this.#jobs = deps.jobs;
  }

  newArtifact(project: string, make: () => Promise<string>, by: Author): Promise<string> {
    return this.#store.transaction(async () => {
      const thing = await make();
      await this.#states.keep({ project, kind: 'artifact', thing, before: undefined, after: THERE }, by);
      return thing;
    });
  }

  newJob<T extends { readonly id: string }>(project: string, make: () => Promise<T>, by: Author): Promise<T> {
    return this.#store.transaction(async () => {
      const job = await make();
      const after = await this.#jobs.state(job.id);
      await this.#states.keep({ project, kind: 'job', thing: job.id, before: undefined, after }, by);
      return job;
    });
  }

  /** @param change changes or removes the job. */
  changedJob<T>(
    { project, id }: { readonly project: string; readonly id: string },
    change: () => Promise<T>,
    by: Author,
  ): Promise<T> {
    return this.#store.transaction(async () => {
      const before = await this.#jobs.state(id);
      const result = await change();
      const after = await this.#jobs.state(id);
      await this.#states.keep({ project, kind: 'job', thing: id, before, after }, by);
      return result;
    });
  }
}
