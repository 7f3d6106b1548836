import { isRecord } from '../../base/json.ts';
import { windowOf, windowsIn } from '../window-fields.ts';
import { openAiEmbeddings } from './openai.ts';
import type { Provider } from './provider.ts';

/**
 * Any server that speaks OpenAI's protocol without being OpenAI. It has no settings of its own: `OPENAI_BASE_URL` and
 * the `ROUTING_*` servers lead here.
 */
export const compatible: Provider = {
  id: 'compatible',
  aliases: ['openai-compatible', 'custom', 'lmstudio', 'llamacpp', 'vllm', 'mlx'],
  label: 'OpenAI-compatible server',
  package: '@langchain/openai',
  settings: {},
  needsUrl: 'OPENAI_BASE_URL',
  structured: true,
  constraints: ['strict', 'union'],
  standsInFor: 'openai',
  urlFrom: ({ providers, localServerUrl }) => providers.openai?.baseUrl ?? localServerUrl,
  modelsUrl: (baseUrl) => `${baseUrl}/models`,
  windowQuestions: (baseUrl, model) => [
    { url: `${baseUrl}/models`, read: (list) => windowsIn(list).get(model) },
    // llama.cpp and LM Studio report it elsewhere.
    {
      url: new URL('/props', baseUrl).href,
      read: (props) => (isRecord(props) ? windowOf(props.default_generation_settings) : undefined),
    },
    { url: new URL('/api/v0/models', baseUrl).href, read: (list) => windowsIn(list).get(model) },
  ],
  embeddings: {
    target: ({ mlxEmbeddings: { enabled, model, url } }) =>
      enabled ? { provider: 'mlx', model, url, apiKey: undefined } : undefined,
    open: openAiEmbeddings,
  },
  lasting: true,
  async open(options) {
    // Never ChatOpenAI here: it sends some model names to /responses, which such servers do not have.
    const { openCompatible } = await import('./compatible-model.ts');
    return openCompatible(options);
  },
};
