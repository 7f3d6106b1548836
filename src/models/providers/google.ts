import type { Provider } from './provider.ts';

const DEFAULT_MODEL = 'gemini-2.5-flash';

/** Gemini models through a Google AI Studio key; Vertex AI is a third-party provider. */
export const google: Provider = {
  id: 'google',
  aliases: ['gemini', 'google-genai'],
  label: 'Google Gemini',
  package: '@langchain/google',
  settings: {
    apiKey: {
      key: 'gemini.apiKey',
      env: 'GEMINI_API_KEY',
      aliases: ['GOOGLE_API_KEY'],
      about: 'API key for Google AI Studio.',
      without: 'no Gemini model',
    },
    baseUrl: {
      key: 'gemini.baseUrl',
      env: 'GEMINI_BASE_URL',
      about: "Address of another server that speaks Gemini's protocol.",
      without: 'requests go to Google when its key is set',
    },
    model: {
      key: 'gemini.modelName',
      env: 'GEMINI_MODEL_NAME',
      about: 'Gemini model to use.',
      without: DEFAULT_MODEL,
    },
  },
  needsKey: 'GEMINI_API_KEY',
  defaultUrl: 'https://generativelanguage.googleapis.com',
  defaultModel: DEFAULT_MODEL,
  structured: true,
  models: [
    [/gemini-3(?:\.\d+)?-flash/u, 1_000_000, 4, 4, [0.5, 0.05, 3]],
    [/gemini-3/u, 1_000_000, 5, 2, [2, 0.2, 12]],
    [/gemini-2\.5-flash-lite/u, 1_000_000, 2, 5, [0.1, 0.025, 0.4]],
    [/gemini-2\.5-flash/u, 1_000_000, 3, 4, [0.3, 0.075, 2.5]],
    [/gemini-2\.5-pro/u, 1_000_000, 5, 2, [1.25, 0.31, 10]],
    [/gemini-flash-lite-latest/u, 1_000_000, 2, 5, [0.1, 0.025, 0.4]],
    [/gemini-flash-latest/u, 1_000_000, 3, 4, [0.3, 0.075, 2.5]],
    [/gemini-2\.0-flash/u, 1_000_000, 3, 5, [0.1, 0.025, 0.4]],
  ],
  async open(options) {
    const { openGoogle } = await import('./google-model.ts');
    return openGoogle(options);
  },
};
