import { join } from 'node:path';
import type { Store } from '../store/store.ts';
import { readManifest } from './index/manifest.ts';

/** How far a project's index is behind its documents, in changes of the corpus. Searches read what is missing. */
export interface IndexLag {
  readonly project: string;
  /** Revision of the documents' rows. */
  readonly revision: number;
  /** Revision of this machine's index files; -1 if there are none. */
  readonly indexed: number;
  /** Revision of the index in the database, for other machines to fetch; null if none was published, as on SQLite. */
  readonly published: number | null;
  /** How far the rows are ahead of the newer of the two. */
  readonly behind: number;
}

/** Every project that has documents, by name. */
export async function indexLags(store: Store, vectorDataDir: string): Promise<IndexLag[]> {
  const corpora = await store.read.selectFrom('corpora').selectAll().orderBy('project').execute();
  const manifests = await store.read
    .selectFrom('index_manifests')
    .select(({ fn }) => ['project', fn.max('revision').as('revision')])
    .groupBy('project')
    .execute();
  const publishedOf = new Map(manifests.map(({ project, revision }) => [project, revision]));
  return corpora.map(({ project, revision }) => {
    const indexed = readManifest(join(vectorDataDir, project)).revision;
    const published = publishedOf.get(project) ?? null;
    return { project, revision, indexed, published, behind: revision - Math.max(indexed, published ?? 0, 0) };
  });
}
