import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { isLoopback } from './detect.ts';
import type { ModelsOptions } from './options.ts';
import { DEFAULT_URLS } from './providers.ts';
import type { FetchFor } from './servers.ts';
import type { EmbeddingsChoice } from './types.ts';
import { guardFetch, type WireWatch } from './wire.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const RETRIES = 2;
const UNWATCHED: WireWatch = { onActivity() {}, onFault() {} };

interface Target {
  readonly provider: 'openai' | 'ollama' | 'mlx';
  readonly model: string;
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** Where documents are embedded by a model, if anywhere: only an embedding model that was set counts, never a key alone. */
function target(options: ModelsOptions): Target | undefined {
  if (options.mlxEmbeddingsEnabled) {
    return { provider: 'mlx', model: options.mlxEmbeddingsModel, url: options.mlxEmbeddingsUrl, apiKey: undefined };
  }
  if (options.ollamaEmbeddingModel !== undefined) {
    const url = (options.ollamaBaseUrl ?? DEFAULT_URLS.ollama ?? '').replace(/\/v1\/?$/u, '');
    return { provider: 'ollama', model: options.ollamaEmbeddingModel, url, apiKey: undefined };
  }
  if (options.openaiEmbeddingModel === undefined) return undefined;
  const url = options.openaiBaseUrl ?? DEFAULT_URLS.openai ?? '';
  return { provider: 'openai', model: options.openaiEmbeddingModel, url, apiKey: options.openaiApiKey };
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
  const chosen = target(options);
  if (!chosen) return undefined;
  const local = isLoopback(chosen.url);
  return {
    name: `${chosen.provider}:${chosen.model}`,
    local,
    allows: (project) => local || !isLocalOnly(project),
    embeddings: new LazyEmbeddings(chosen, fetchFor),
  };
}

class LazyEmbeddings implements EmbeddingsInterface {
  readonly #target: Target;
  readonly #fetchFor: FetchFor;
  #opened: Promise<EmbeddingsInterface> | undefined;

  constructor(chosen: Target, fetchFor: FetchFor) {
    this.#target = chosen;
    this.#fetchFor = fetchFor;
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    return (await this.#open()).embedDocuments(documents);
  }

  async embedQuery(document: string): Promise<number[]> {
    return (await this.#open()).embedQuery(document);
  }

  #open(): Promise<EmbeddingsInterface> {
    const { url, provider } = this.#target;
    const fetch = guardFetch(this.#fetchFor('embeddings', [new URL(url).origin]), UNWATCHED, MAX_BYTES);
    this.#opened ??= provider === 'ollama' ? ollama(this.#target, fetch) : openAi(this.#target, fetch);
    return this.#opened;
  }
}

async function openAi({ model, url, apiKey }: Target, fetch: typeof globalThis.fetch) {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  return new OpenAIEmbeddings({
    model,
    apiKey: apiKey ?? 'none',
    maxRetries: RETRIES,
    timeout: TIMEOUT_MS,
    configuration: { baseURL: url, fetch, maxRetries: 0, logLevel: 'off' },
  });
}

async function ollama({ model, url }: Target, fetch: typeof globalThis.fetch) {
  const { OllamaEmbeddings } = await import('@langchain/ollama');
  return new OllamaEmbeddings({ model, baseUrl: url, maxRetries: RETRIES, fetch });
}
