import { join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import { Embedder, type EmbeddingModel } from '../embedder.ts';
import { readManifest } from '../index/manifest.ts';
import type { IngestRequest } from '../ingest/types.ts';
import type { Projects } from '../projects.ts';
import type { Reranker } from '../search/rerank.ts';
import type { IndexRequest } from '../threads/ingest-thread.ts';
import { projectOfTrial } from '../trial-name.ts';
import type { RagOptions } from '../types.ts';
import type { FieldReader } from './paper-fields.ts';

export interface DocumentsDeps {
  /** Not in memory, since every thread opens it for itself. */
  readonly store: Store;
  readonly projects: Projects;
  /** Where the indexes are kept, one folder per project. */
  readonly vectorDataDir: string;
  readonly log: Log;
  readonly options: RagOptions;
  /** Other machines may write to the projects' folders, so watching means polling. */
  readonly sharedFolders?: boolean | undefined;
  /** How often to poll; every 10 s by default. */
  readonly pollMs?: number | undefined;
  /** The embedding model whose vectors replace LSA. */
  readonly embedding?: EmbeddingModel | undefined;
  /** The reranker used by the `rerank` option `model`; without it that option has no effect. */
  readonly reranker?: Reranker | undefined;
  /** Used by the `fields` option `model`; without it that option has no effect. */
  readonly fieldReader?: FieldReader | undefined;
}

/**
 * Where each project's files lie and which embedding model may see its documents. A trial index (see trial.ts) has a
 * name and a folder of its own and otherwise follows its project.
 */
export class ProjectSetup {
  readonly #deps: DocumentsDeps;
  readonly #embedder: Embedder | undefined;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    this.#embedder = deps.embedding && new Embedder(deps.store, deps.embedding);
  }

  /** @returns the folder of the index. @throws AssistantError `bad_usage` for a name that would lead elsewhere. */
  dir(project: string): string {
    // Checks the name.
    this.#deps.projects.folder(projectOfTrial(project));
    return join(this.#deps.vectorDataDir, project);
  }

  /** The name of the embedding model if it is set but may not see this project's documents. */
  withheldFrom(project: string): string | undefined {
    const { embedding } = this.#deps;
    return embedding?.allows?.(projectOfTrial(project)) === false ? embedding.name : undefined;
  }

  /** Undefined if no model is set or it may not see this project's documents. */
  embedderOf(project: string): Embedder | undefined {
    return this.withheldFrom(project) === undefined ? this.#embedder : undefined;
  }

  /**
   * Vectors of two models cannot be compared, and embedding everything again may cost money: the person has to decide.
   *
   * @throws AssistantError `index_unavailable` when the project was embedded with another model than the one set now.
   */
  async refuseMixing(project: string): Promise<void> {
    const embedder = this.embedderOf(project);
    if (!embedder) return;
    const indexed = readManifest(this.dir(project)).dense?.id;
    const isOthers = indexed?.startsWith('model:') === true && indexed !== embedder.id;
    // If the index files were deleted or never written, only the database knows.
    const former = isOthers ? indexed : await embedder.otherModelOf(project);
    if (former === undefined) return;
    const [was, is] = [modelName(former), modelName(embedder.id)];
    const message = `The index of project ${project} was built with ${was}, but the model is now set to ${is}.`;
    const hint = 'Set the former model again, or rebuild the index: wooster ingest --rebuild';
    throw new AssistantError('index_unavailable', message, { hint });
  }

  /** A request to check everything the project knows. */
  ingestRequest(project: string): IngestRequest {
    const { projects } = this.#deps;
    const { places } = projects;
    const [folder, attached, named] = [projects.folder(project), projects.attached(project), projects.named(project)];
    return { project, places, folder, attached, named, paths: [] };
  }

  indexRequest(project: string, rebuild: boolean): IndexRequest {
    return { project, dir: this.dir(project), model: this.embedderOf(project)?.id, rebuild };
  }
}

/** An embedding model's name as the person set it. */
function modelName(id: string): string {
  return id.replace(/^model:/u, '');
}
