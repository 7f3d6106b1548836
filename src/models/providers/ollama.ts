import { isRecord } from '../../base/json.ts';
import { defined } from './fields.ts';
import type { Provider } from './provider.ts';

const DEFAULT_URL = 'http://127.0.0.1:11434';
const EMBEDDING_RETRIES = 2;
/** Ollama allocates memory for the whole requested window, so more than this only if its owner set it. */
const USUAL_WINDOW = 32_768;

/** Ollama through its own API, which takes the context window per request. */
export const ollama: Provider = {
  id: 'ollama',
  label: 'Ollama',
  package: '@langchain/ollama',
  settings: {
    baseUrl: {
      key: 'ollama.baseUrl',
      env: 'OLLAMA_BASE_URL',
      about: 'Address of an Ollama server.',
      without: 'Wooster looks for Ollama on this machine when nothing else is configured',
    },
    model: {
      key: 'ollama.modelName',
      env: 'OLLAMA_MODEL_NAME',
      aliases: ['OLLAMA_MODEL'],
      about: 'Ollama model to use.',
      without: 'the first model that the server has',
    },
    embeddingModel: {
      key: 'ollama.embeddingModel',
      env: 'OLLAMA_EMBEDDING_MODEL',
      about: 'Embedding model of Ollama.',
      without: 'documents are embedded by the program itself',
    },
  },
  defaultUrl: DEFAULT_URL,
  structured: true,
  // Of a tool's arguments its servers constrain nothing.
  constraints: ['union'],
  detect({ baseUrl, model }) {
    if (baseUrl === undefined) return undefined;
    return { model, baseUrl: nativeUrl(baseUrl), source: 'OLLAMA_BASE_URL' };
  },
  modelsUrl: (baseUrl) => `${baseUrl}/v1/models`,
  windowQuestions: (baseUrl, model) => [{ url: `${baseUrl}/api/show`, body: { model }, read: shownWindow }],
  embeddings: {
    target({ providers }) {
      const { embeddingModel: model, baseUrl = DEFAULT_URL } = providers.ollama ?? {};
      if (model === undefined) return undefined;
      return { provider: 'ollama', model, url: nativeUrl(baseUrl), apiKey: undefined };
    },
    async open({ model, url }, fetch) {
      const { OllamaEmbeddings } = await import('@langchain/ollama');
      return new OllamaEmbeddings({ model, baseUrl: url, maxRetries: EMBEDDING_RETRIES, fetch });
    },
  },
  async open(options) {
    const { ChatOllama } = await import('@langchain/ollama');
    return new ChatOllama({
      ...defined({ temperature: options.temperature, numPredict: options.maxTokens }),
      // Its own default is 4096 tokens, and it silently drops what does not fit.
      numCtx: options.contextWindow,
      ...(options.jsonResponse ? { format: 'json' as const } : {}),
      ...(options.answer ? { format: options.answer.schema } : {}),
      model: options.model,
      baseUrl: options.baseUrl ?? DEFAULT_URL,
      maxRetries: 0,
      fetch: options.fetch,
    });
  },
};

/** Ollama's own API has no `/v1`, which people copy from its OpenAI-compatible address. */
function nativeUrl(url: string): string {
  return url.replace(/\/v1\/?$/u, '');
}

/** The window that a model was configured with, else the one it was trained for, up to a limit. */
function shownWindow(shown: unknown): number | undefined {
  if (!isRecord(shown)) return undefined;
  const set = /^num_ctx\s+(?<tokens>\d+)/mu.exec(String(shown.parameters ?? ''))?.groups?.tokens;
  if (set !== undefined) return Number(set);
  const info = Object.entries(isRecord(shown.model_info) ? shown.model_info : {});
  const trained = info.find(([name, value]) => name.endsWith('.context_length') && typeof value === 'number')?.[1];
  return typeof trained === 'number' ? Math.min(trained, USUAL_WINDOW) : undefined;
}
