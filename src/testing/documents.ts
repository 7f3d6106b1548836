import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { DocumentsDeps } from '../rag/documents/project-setup.ts';
import { createDocuments } from '../rag/documents.ts';
import { RAG_DEFAULTS } from '../rag/options.ts';
import { createProjects, type Projects } from '../rag/projects.ts';
import type { Documents } from '../rag/types.ts';
import type { Store } from '../store/store.ts';
import { temporaryFolder } from './home.ts';
import { openTestStore } from './stores.ts';

export interface StartedDocuments {
  readonly home: string;
  readonly store: Store;
  readonly projects: Projects;
  readonly documents: Documents;
  /** Ends this start before the test does; more than once does no harm. */
  stop(): Promise<void>;
}

/**
 * One start of the documents on a home: `w.sqlite3`, `projects/` and `vector_data/` in it. Stops with the test.
 *
 * @param deps  take the place of what is made here; a store that is given stays open, its giver closes it.
 */
export async function startDocuments(
  home = temporaryFolder(),
  deps: Partial<DocumentsDeps> = {},
): Promise<StartedDocuments> {
  const { store = await openTestStore(join(home, 'w.sqlite3')), log = silentLog } = deps;
  const projects = deps.projects ?? createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log, store });
  const vectorDataDir = join(home, 'vector_data');
  const documents = createDocuments({ options: RAG_DEFAULTS, vectorDataDir, ...deps, store, projects, log });
  const stop = async () => {
    await documents.close();
    if (!deps.store) await store.close();
  };
  onTestFinished(stop);
  return { home, store, projects, documents, stop };
}
