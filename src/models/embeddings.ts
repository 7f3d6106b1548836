import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { isLoopback } from './detect.ts';
import { guardFetch, type WireWatch } from './guard-fetch.ts';
import type { ModelsOptions } from './options.ts';
import { PROVIDERS } from './providers/list.ts';
import type { EmbeddingsSupport, EmbeddingTarget } from './providers/provider.ts';
import type { FetchFor } from './servers.ts';
import type { EmbeddingsChoice } from './types.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const UNWATCHED: WireWatch = { onActivity() {}, onFault() {} };

interface Chosen {
  readonly target: EmbeddingTarget;
  readonly support: EmbeddingsSupport;
}

/** The last provider wins: local servers come last in the list, and documents stay on this machine where they can. */
function chosenTarget(options: ModelsOptions): Chosen | undefined {
  for (const { embeddings: support } of PROVIDERS.toReversed()) {
    const target = support?.target(options);
    if (support && target) return { target, support };
  }
  return undefined;
}

/**
 * The configured embedding model; nothing is loaded or asked before its first use.
 *
 * @param isLocalOnly whether nothing of a project may leave this machine.
 * @returns undefined when none is configured: the caller embeds by itself.
 */
export function configuredEmbedding(
  options: ModelsOptions,
  { fetchFor, isLocalOnly }: { fetchFor: FetchFor; isLocalOnly: (project: string) => boolean },
): EmbeddingsChoice | undefined {
  const chosen = chosenTarget(options);
  if (!chosen) return undefined;
  const { provider, model, url } = chosen.target;
  const local = isLoopback(url);
  return {
    name: `${provider}:${model}`,
    local,
    allows: (project) => local || !isLocalOnly(project),
    embeddings: new LazyEmbeddings(chosen, fetchFor),
  };
}

/** Loads the provider's client with the first document or query. */
class LazyEmbeddings implements EmbeddingsInterface {
  readonly #chosen: Chosen;
  readonly #fetchFor: FetchFor;
  #opened: Promise<EmbeddingsInterface> | undefined;

  constructor(chosen: Chosen, fetchFor: FetchFor) {
    this.#chosen = chosen;
    this.#fetchFor = fetchFor;
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    return (await this.#open()).embedDocuments(documents);
  }

  async embedQuery(document: string): Promise<number[]> {
    return (await this.#open()).embedQuery(document);
  }

  #open(): Promise<EmbeddingsInterface> {
    const { target, support } = this.#chosen;
    const fetch = guardFetch(this.#fetchFor('embeddings', [new URL(target.url).origin]), () => UNWATCHED, MAX_BYTES);
    this.#opened ??= support.open(target, fetch);
    return this.#opened;
  }
}
