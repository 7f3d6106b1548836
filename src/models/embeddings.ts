import { AssistantError } from '../base/errors.ts';
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
 * The configured embedding model.
 *
 * @returns undefined when none is configured: the caller embeds by itself.
 * @throws AssistantError `local_only` rather than sending a local project's documents away.
 */
export async function openEmbeddings(
  options: ModelsOptions,
  { fetchFor, localOnly, project }: { fetchFor: FetchFor; localOnly: boolean; project: string },
): Promise<EmbeddingsChoice | undefined> {
  const chosen = target(options);
  if (!chosen) return undefined;
  const local = isLoopback(chosen.url);
  if (localOnly && !local) {
    throw new AssistantError(
      'local_only',
      `The project ${project} stays on this machine, and the embedding model ${chosen.model} does not.`,
      {
        hint: 'Unset the embedding model, use a local one, or take "localOnly" out of wooster.config.json.',
      },
    );
  }
  const fetch = guardFetch(fetchFor('embeddings', [new URL(chosen.url).origin]), UNWATCHED, MAX_BYTES);
  const embeddings = chosen.provider === 'ollama' ? await ollama(chosen, fetch) : await openAi(chosen, fetch);
  return { embeddings, name: `${chosen.provider}:${chosen.model}`, local };
}

async function openAi({ model, url, apiKey }: Target, fetch: typeof globalThis.fetch) {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  return new OpenAIEmbeddings({
    model,
    apiKey: apiKey ?? 'none',
    maxRetries: RETRIES,
    timeout: TIMEOUT_MS,
    configuration: { baseURL: url, fetch, maxRetries: 0 },
  });
}

async function ollama({ model, url }: Target, fetch: typeof globalThis.fetch) {
  const { OllamaEmbeddings } = await import('@langchain/ollama');
  return new OllamaEmbeddings({ model, baseUrl: url, maxRetries: RETRIES, fetch });
}
