import { isRecord } from '../../base/json.ts';
import { commonFields } from './fields.ts';
import type { EmbeddingTarget, Provider, ProviderOptions } from './provider.ts';
import { acceptUnstreamedReplies } from './unstreamed-replies.ts';

const URL_OF_OPENAI = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-4o-mini';
/** OpenAI's reasoning models answer 400 to any temperature. */
const FIXED_TEMPERATURE = /^(?:o\d|gpt-5)/u;
const EMBEDDING_TIMEOUT_MS = 60_000;
const EMBEDDING_RETRIES = 2;

/** OpenAI itself. Its settings may point at any compatible server, which then counts as `compatible`. */
export const openai: Provider = {
  id: 'openai',
  label: 'OpenAI',
  package: '@langchain/openai',
  settings: {
    apiKey: {
      key: 'openai.apiKey',
      env: 'OPENAI_API_KEY',
      about: 'API key for OpenAI, or for a server that speaks its protocol.',
      without: 'no OpenAI model; the next configured provider is used, or else the built-in model',
    },
    baseUrl: {
      key: 'openai.baseUrl',
      env: 'OPENAI_BASE_URL',
      about: 'Address of an OpenAI-compatible server (Ollama, LM Studio, llama.cpp, MLX, vLLM); enough by itself.',
      without: 'requests go to OpenAI when a key is set',
    },
    model: {
      key: 'openai.modelName',
      env: 'OPENAI_MODEL_NAME',
      about: 'Model to use there.',
      without: `${DEFAULT_MODEL}, or the first model that a local server offers`,
    },
    enabled: {
      key: 'openai.enabled',
      env: 'OPENAI_ENABLED',
      about: 'Use the OpenAI key and address when they are set.',
      without: 'they are used',
    },
    embeddingModel: {
      key: 'openai.embeddingModelName',
      env: 'OPENAI_EMBEDDING_MODEL_NAME',
      about: 'Embedding model of OpenAI or of OPENAI_BASE_URL; documents are sent there.',
      without: 'documents are embedded on this machine',
    },
  },
  needsKey: 'OPENAI_API_KEY',
  defaultUrl: URL_OF_OPENAI,
  defaultModel: DEFAULT_MODEL,
  structured: true,
  constraints: ['strict-closed'],
  detect({ enabled = true, apiKey, baseUrl, model }) {
    if (!enabled || (apiKey === undefined && baseUrl === undefined)) return undefined;
    if (baseUrl === undefined) return { model: model ?? DEFAULT_MODEL, baseUrl, apiKey, source: 'OPENAI_API_KEY' };
    const source = 'OPENAI_BASE_URL';
    // Any other host only speaks the protocol: no default model, no key needed, and never the Responses API.
    if (new URL(baseUrl).hostname !== 'api.openai.com')
      return { provider: 'compatible', model, baseUrl, apiKey, source };
    return { model: model ?? DEFAULT_MODEL, baseUrl, apiKey, source };
  },
  modelsUrl: (baseUrl) => `${baseUrl}/models`,
  models: [
    [/gpt-4o-mini/u, 128_000, 3, 4, [0.15, 0.075, 0.6]],
    [/gpt-4o/u, 128_000, 4, 3, [2.5, 1.25, 10]],
    [/gpt-4\.1-nano/u, 1_000_000, 2, 5, [0.1, 0.025, 0.4]],
    [/gpt-4\.1-mini/u, 1_000_000, 3, 4, [0.4, 0.1, 1.6]],
    [/gpt-4\.1/u, 1_000_000, 4, 3, [2, 0.5, 8]],
    [/gpt-5(?:\.\d+)?-nano/u, 400_000, 3, 4, [0.05, 0.005, 0.4]],
    [/gpt-5(?:\.\d+)?(?:-codex)?-mini/u, 400_000, 4, 3, [0.25, 0.025, 2]],
    [/gpt-5(?:\.\d+)?-pro/u, 400_000, 5, 1, [15, 15, 120]],
    [/gpt-5(?:\.[01])?(?:$|-(?:\d{4}|chat|codex))/u, 400_000, 5, 2, [1.25, 0.125, 10]],
    [/gpt-5\.\d+(?:$|-)/u, 400_000, 5, 2, [1.75, 0.175, 14]],
    [/gpt-oss-120b/u, 131_072, 3, 3],
    [/gpt-oss/u, 131_072, 3, 4],
    [/\bo[34]-mini/u, 200_000, 4, 3, [1.1, 0.275, 4.4]],
    [/\bo3-pro/u, 200_000, 5, 1, [20, 20, 80]],
    [/\bo3$|\bo3-\d{4}/u, 200_000, 5, 1, [2, 0.5, 8]],
    [/gpt-4-turbo/u, 128_000, 4, 2, [10, 10, 30]],
    [/gpt-4(?:$|-\d{4})/u, 8192, 3, 2, [30, 30, 60]],
    [/gpt-3\.5-turbo/u, 16_385, 2, 4, [0.5, 0.5, 1.5]],
  ],
  embeddings: {
    target({ providers }) {
      const { embeddingModel: model, baseUrl: url = URL_OF_OPENAI, apiKey } = providers.openai ?? {};
      return model === undefined ? undefined : { provider: 'openai', model, url, apiKey };
    },
    open: openAiEmbeddings,
  },
  lasting: true,
  async open(options) {
    const { ChatOpenAI } = await import('@langchain/openai');
    return new ChatOpenAI(openAiFields(options));
  },
};

/** Fields of a LangChain client for any server that speaks OpenAI's protocol. */
export function openAiFields(options: ProviderOptions) {
  return {
    ...commonFields(FIXED_TEMPERATURE.test(options.model) ? { ...options, temperature: undefined } : options),
    // The client refuses to start without a key, even for servers that want none.
    apiKey: options.apiKey ?? 'none',
    streamUsage: true,
    configuration: {
      // Always named: left out, the client would take an address from the environment, past the network policy.
      baseURL: options.baseUrl ?? URL_OF_OPENAI,
      fetch: acceptUnstreamedReplies(options.fetch),
      maxRetries: 0,
      // It would print broken chunks to the terminal.
      logLevel: 'off' as const,
    },
    ...responseFormat(options),
  };
}

function responseFormat({ jsonResponse, answer }: ProviderOptions) {
  if (answer) {
    const json_schema = { name: answer.name, schema: answer.schema, strict: isStrict(answer.schema) };
    return { modelKwargs: { response_format: { type: 'json_schema', json_schema } } };
  }
  return jsonResponse ? { modelKwargs: { response_format: { type: 'json_object' } } } : {};
}

/** Embeddings of any server that speaks OpenAI's protocol. */
export async function openAiEmbeddings({ model, url, apiKey }: EmbeddingTarget, fetch: typeof globalThis.fetch) {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  return new OpenAIEmbeddings({
    model,
    apiKey: apiKey ?? 'none',
    maxRetries: EMBEDDING_RETRIES,
    timeout: EMBEDDING_TIMEOUT_MS,
    configuration: { baseURL: url, fetch, maxRetries: 0, logLevel: 'off' },
  });
}

/** What OpenAI's strict mode cannot express. */
const LOOSE = ['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'oneOf'];

/** Whether OpenAI can hold a model to the schema: objects are closed and every field of theirs is required. */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isRecord(schema)) return true;
  if (LOOSE.some((key) => key in schema)) return false;
  const { properties, required, additionalProperties, ...rest } = schema;
  if (schema.type === 'object') {
    const names = Object.keys(isRecord(properties) ? properties : {});
    const all = names.every((name) => Array.isArray(required) && required.includes(name));
    if (additionalProperties !== false || !all) return false;
  }
  return [...Object.values(isRecord(properties) ? properties : {}), ...Object.values(rest)].every(isStrict);
}
