import { existsSync } from 'node:fs';
import { AssistantError } from '../../base/errors.ts';
import type { Embedder } from '../embedder.ts';
import type { ImportRequest, Sample } from '../ingest/import-store.ts';
import type { CallOptions, Thread } from '../threads/rpc.ts';
import type { ImportReport } from '../types.ts';

/** The project that is imported into, and what does the work. */
export interface ImportDeps {
  readonly project: string;
  readonly ingester: Thread;
  /** Undefined when no model is set, or it may not see the project's documents. */
  readonly embedder: Embedder | undefined;
}

/** Bring the project's rows up to date with a saved store. The caller updates the index. */
export async function importChecked(
  deps: ImportDeps,
  { folder, storedFolder, vectors }: { folder: string; storedFolder: string; vectors: string | undefined },
  calling: CallOptions,
): Promise<ImportReport> {
  const { ingester, project } = deps;
  if (!existsSync(folder)) {
    const hint = 'Give the folder that HNSWLib.save wrote. A relative path starts at the current folder.';
    throw new AssistantError('file_not_found', `There is no folder ${folder}.`, { hint });
  }
  const model = vectors === undefined ? undefined : await checkedModel(deps, folder, vectors);
  const request: ImportRequest = { project, folder, storedFolder, model };
  return ingester.call<ImportReport>('import', request, calling);
}

/**
 * The folder does not say which model made its vectors, so the person does, and some texts are embedded again to verify
 * it. Vectors of two models in one index would silently make every search worse.
 */
async function checkedModel(
  { embedder, ingester }: ImportDeps,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const hint = 'Omit --vectors: the texts are then embedded by the model that is set, or searched without one.';
  if (!embedder)
    throw new AssistantError('bad_usage', 'This project has no embedding model to use vectors with.', { hint });
  if (embedder.id !== `model:${name}`)
    throw new AssistantError('bad_usage', `The embedding model set is ${embedder.name}, not ${name}.`, { hint });
  const sample = await ingester.call<Sample>('sample', folder);
  if (await embedder.made(sample)) return embedder.id;
  throw new AssistantError('index_unavailable', `The vectors in ${folder} were not made by ${name}.`, { hint });
}
