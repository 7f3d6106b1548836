import { withWriterLock } from '../ingest/writer-lock.ts';
import { trialName } from '../trial-name.ts';
import type { IngestOptions, IngestReport } from '../types.ts';
import type { Ingester } from './ingester.ts';
import type { DocumentsDeps, ProjectSetup } from './project-setup.ts';
import type { Searchers } from './searchers.ts';
import { beginTrial, clearProject, hasAbandonedTrial, promoteTrial, type TrialDirs } from './trial.ts';

export interface RebuilderDeps extends Pick<DocumentsDeps, 'store'> {
  readonly setup: ProjectSetup;
  readonly ingester: Ingester;
  readonly searchers: Searchers;
}

/** Builds a project's index again beside the old one, which stays in use until the new one is accepted. */
export class Rebuilder {
  readonly #deps: RebuilderDeps;
  readonly #running = new Set<string>();

  constructor(deps: RebuilderDeps) {
    this.#deps = deps;
  }

  isRunning(project: string): boolean {
    return this.#running.has(project);
  }

  /** @param paths absolute; further files and folders to take in. */
  async rebuild(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    const { store, searchers } = this.#deps;
    const dirs = this.#dirs(project);
    const trial = trialName(project);
    await searchers.idle();
    // Nobody else may write meanwhile: folders they add would be lost when the rows are replaced.
    return withWriterLock(store, project, async (lost, confirm) => {
      this.#running.add(project);
      try {
        await beginTrial(store, project, dirs);
        const { report, accepted } = await this.#build(project, paths, {
          ...options,
          signal: AbortSignal.any([options.signal, lost]),
        });
        await searchers.closeThread(trial);
        if (!accepted) return { ...report, refused: !report.aborted };
        await searchers.closeThread(project);
        await promoteTrial(store, project, { dirs, confirm });
        return report;
      } finally {
        this.#running.delete(project);
        await searchers.closeThread(trial);
        // Without the lock, the trial may by now belong to another program that has cleared away this one's.
        const held = await confirm().then(
          () => true,
          () => false,
        );
        if (held) await clearProject(store, trial, dirs.trial);
      }
    });
  }

  /** Remove what a killed rebuild left behind. */
  async clearAbandoned(project: string): Promise<void> {
    const { store } = this.#deps;
    const dirs = this.#dirs(project);
    if (!(await hasAbandonedTrial(store, project, dirs.trial))) return;
    await withWriterLock(store, project, () => clearProject(store, trialName(project), dirs.trial));
  }

  async #build(project: string, paths: readonly string[], options: IngestOptions) {
    const { setup, ingester } = this.#deps;
    const trial = trialName(project);
    const request = { ...setup.ingestRequest(project), project: trial, importedOf: project };
    const named = paths.length > 0 ? await ingester.ingest(trial, { ...request, paths }, options) : undefined;
    const all = await ingester.ingest(trial, request, options);
    const report = { ...all, missing: [...new Set([...(named?.missing ?? []), ...all.missing])] };
    return { report, accepted: !report.aborted && ((await options.accept?.(trial)) ?? true) };
  }

  #dirs(project: string): TrialDirs {
    const { setup } = this.#deps;
    return { project: setup.dir(project), trial: setup.dir(trialName(project)) };
  }
}
