import { existsSync } from 'node:fs';
import { AssistantError } from '../../base/errors.ts';
import type { Embedder } from '../embedder.ts';
import type { ImportRequest, Sample } from '../ingest/import-store.ts';
import type { CallOptions, Thread } from '../threads/rpc.ts';
import type { ImportReport } from '../types.ts';

/** One project and what works on it. */
export interface ImportDeps {
  readonly project: string;
  /** Of its index. */
  readonly dir: string;
  readonly ingester: Thread;
  /** Undefined when no model is set, or the project's documents are kept from it. */
  readonly embedder: Embedder | undefined;
}

/** Bring the project's rows up to date with a store; the index is the caller's to follow. */
export async function importChecked(
  deps: ImportDeps,
  { folder, vectors }: { folder: string; vectors: string | undefined },
  calling: CallOptions,
): Promise<ImportReport> {
  const { ingester, project, dir } = deps;
  if (!existsSync(folder)) {
    const hint = 'Give the folder that HNSWLib.save wrote; the path is relative to where you are.';
    throw new AssistantError('file_not_found', `There is no folder ${folder}.`, { hint });
  }
  const model = vectors === undefined ? undefined : await checkedModel(deps, folder, vectors);
  const request: ImportRequest = { project, folder, model };
  return ingester.call<ImportReport>('import', { request, dir }, calling);
}

/**
 * The folder does not say which model made its vectors, so the person does; some of its texts are embedded again to see
 * whether that is so. Vectors of two models in one index would make every search worse without a sign.
 */
async function checkedModel(
  { embedder, ingester }: ImportDeps,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const hint = 'Leave --vectors out: the texts are then embedded by the model that is set, or searched without one.';
  if (!embedder)
    throw new AssistantError('bad_usage', 'This project has no embedding model to use vectors with.', { hint });
  if (embedder.id !== `model:${name}`)
    throw new AssistantError('bad_usage', `The embedding model set is ${embedder.name}, not ${name}.`, { hint });
  const sample = await ingester.call<Sample>('sample', folder);
  if (await embedder.made(sample)) return embedder.id;
  throw new AssistantError('index_unavailable', `The vectors in ${folder} were not made by ${name}.`, { hint });
}
