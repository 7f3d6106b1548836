import { commonFields, defined } from './fields.ts';
import type { Provider } from './provider.ts';
import { acceptUnstreamedReplies } from './unstreamed-replies.ts';

const DEFAULT_MODEL = 'claude-sonnet-4-5';

/** Claude models, and other servers that speak Anthropic's protocol. */
export const anthropic: Provider = {
  id: 'anthropic',
  aliases: ['claude'],
  label: 'Anthropic',
  package: '@langchain/anthropic',
  settings: {
    apiKey: {
      key: 'anthropic.apiKey',
      env: 'ANTHROPIC_API_KEY',
      about: 'API key for Anthropic.',
      without: 'no Claude model',
    },
    baseUrl: {
      key: 'anthropic.baseUrl',
      env: 'ANTHROPIC_BASE_URL',
      about: "Address of another server that speaks Anthropic's protocol.",
      without: 'requests go to Anthropic when its key is set',
    },
    model: {
      key: 'anthropic.modelName',
      env: 'ANTHROPIC_MODEL_NAME',
      about: 'Claude model to use.',
      without: DEFAULT_MODEL,
    },
  },
  needsKey: 'ANTHROPIC_API_KEY',
  defaultUrl: 'https://api.anthropic.com',
  defaultModel: DEFAULT_MODEL,
  models: [
    [/claude-opus-(?:4-[5-9]|[5-9])/u, 200_000, 5, 2, [5, 0.5, 25]],
    [/claude-opus-4/u, 200_000, 5, 1, [15, 1.5, 75]],
    [/claude-(?:sonnet-[4-9]|3-7-sonnet|3-5-sonnet|3\.5-sonnet)/u, 200_000, 5, 3, [3, 0.3, 15]],
    [/claude-haiku-[4-9]/u, 200_000, 4, 4, [1, 0.1, 5]],
    [/claude-3-5-haiku/u, 200_000, 3, 4, [0.8, 0.08, 4]],
  ],
  async open(options) {
    const { ChatAnthropic } = await import('@langchain/anthropic');
    return new ChatAnthropic({
      ...commonFields(options),
      ...defined({ apiKey: options.apiKey, anthropicApiUrl: options.baseUrl }),
      clientOptions: { fetch: acceptUnstreamedReplies(options.fetch), maxRetries: 0, logLevel: 'off' },
    });
  },
};
