import { expect, test } from 'vitest';
import { PROVIDERS } from '../models/providers/list.ts';
import { temporaryFolder } from '../testing/home.ts';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { isChatModel, isModelProvider, settingsFrom } from './settings.ts';
import type { AssistantOptions } from './types.ts';

const OWN = { complete: async () => ({ data: '', usage: { inputTokens: 0, outputTokens: 0 }, model: 'm' }) };

/** Which model is used and how its provider is reached, with these variables around. */
function modelsOf(model: AssistantOptions['model'], env: AssistantOptions['env'] = {}) {
  const { models } = settingsFrom({ home: temporaryFolder(), env, ...(model === undefined ? {} : { model }) });
  return { use: models.use, ...(models.providers as Record<'openai' | 'anthropic' | 'google' | 'ollama', unknown>) };
}

test('a chat model, a provider of ones own and the description of a model are told apart', () => {
  const models = [undefined, 'openai:x', { provider: 'openai' }, OWN, new ScriptedModel([])] as const;
  expect(models.map(isChatModel)).toEqual([false, false, false, false, true]);
  expect(models.map(isModelProvider)).toEqual([false, false, false, true, false]);
  expect(isModelProvider(Object.assign(new ScriptedModel([]), OWN))).toBe(false);
});

test.each<[string, AssistantOptions['model'], string | undefined]>([
  ['nothing', undefined, undefined],
  ['a name', 'openai:x', 'openai:x'],
  ['a chat model', new ScriptedModel([]), 'own:ScriptedModel'],
  ['a provider of ones own', OWN, 'own:default'],
  ['a provider', { provider: 'gemini' }, 'gemini:gemini-2.5-flash'],
  ['a provider and a model', { provider: 'gemini', model: 'm' }, 'gemini:m'],
  ['a provider that only others know', { provider: 'theirs', model: 'm' }, 'theirs:m'],
  ['a provider that is asked what it has', { provider: 'ollama' }, undefined],
  ['one that nobody knows', { provider: 'theirs' }, undefined],
])('the model of %s', (_what, model, use) => {
  expect(modelsOf(model).use).toBe(use);
});

test.each([
  [{ provider: 'openai', model: 'm', apiKey: 'k', baseUrl: 'http://a/v1' }, 'openai'],
  [{ provider: 'anthropic', model: 'm', apiKey: 'k', baseUrl: 'http://a/v1' }, 'anthropic'],
  [{ provider: 'google', model: 'm', apiKey: 'k', baseUrl: 'http://a/v1' }, 'google'],
  [{ provider: 'gemini', model: 'm', apiKey: 'k', baseUrl: 'http://a/v1' }, 'google'],
  [{ provider: 'compatible', model: 'm', apiKey: 'k', baseUrl: 'http://a/v1' }, 'openai'],
] as const)('%j is reached by its key and its address', (setup, provider) => {
  const models = modelsOf(setup);
  expect(models[provider]).toMatchObject({ apiKey: 'k', baseUrl: 'http://a/v1', model: 'm' });
  expect(models.use).toBe(`${setup.provider}:m`);
});

test('what is left out comes from the variables', () => {
  const env = { ANTHROPIC_API_KEY: 'theirs', ANTHROPIC_BASE_URL: 'http://b', ANTHROPIC_MODEL_NAME: 'n' };
  expect(modelsOf({ provider: 'anthropic' }, env).anthropic).toEqual({
    apiKey: 'theirs',
    baseUrl: 'http://b',
    model: 'n',
  });
  expect(modelsOf({ provider: 'anthropic', apiKey: 'mine' }, env).anthropic).toMatchObject({ apiKey: 'mine' });
});

/** Every provider is set up. */
const ALL = Object.fromEntries(
  PROVIDERS.flatMap(({ settings }) => [settings.apiKey, settings.baseUrl]).flatMap((each) =>
    each ? [[each.env, `http://${each.env.toLowerCase()}`]] : [],
  ),
);

test('where a server is asked what it has, no other goes first', () => {
  const ollama = modelsOf({ provider: 'ollama' }, ALL);
  expect(ollama.ollama).toEqual({ baseUrl: 'http://127.0.0.1:11434' });
  expect([ollama.openai, ollama.anthropic, ollama.google]).toEqual([{ enabled: true }, {}, {}]);
  const compatible = modelsOf({ provider: 'compatible', baseUrl: 'http://mine' }, ALL);
  expect(compatible.openai).toMatchObject({ apiKey: 'http://openai_api_key', baseUrl: 'http://mine' });
  expect([compatible.anthropic, compatible.google, compatible.ollama]).toEqual([{}, {}, {}]);
  const unknown = modelsOf({ provider: 'theirs' }, ALL);
  expect([unknown.openai, unknown.anthropic, unknown.google, unknown.ollama]).toEqual([{ enabled: true }, {}, {}, {}]);
});

test('a server with an address of its own keeps it', () => {
  expect(modelsOf({ provider: 'ollama', baseUrl: 'http://mine:1' }, ALL).ollama).toEqual({ baseUrl: 'http://mine:1' });
  expect(modelsOf({ provider: 'ollama', model: 'm' }, {}).ollama).toEqual({ model: 'm' });
});

test.each([
  { provider: 'theirs', model: 'm', apiKey: 'k' },
  { provider: 'theirs', model: 'm', baseUrl: 'http://a' },
  { provider: 'ollama', apiKey: 'k' },
  { provider: 'builtin', baseUrl: 'http://a' },
])('%j cannot be set up that way', (model) => {
  expect(() => modelsOf(model)).toThrow(
    expect.objectContaining({
      code: 'bad_usage',
      message: `The provider ${model.provider} does not take that apiKey or baseUrl.`,
      hint:
        'Providers with settings: openai, anthropic, google, ollama, compatible, local, builtin. ' +
        'Pass others as a LangChain model.',
    }),
  );
});

test('options come before variables, and no variable is changed', () => {
  const env = { WOOSTER_TIME_ZONE: 'Europe/Oslo', MODEL_NAME: 'openai:x' };
  const given = { ...env };
  const home = temporaryFolder();
  const zoneOf = (options: AssistantOptions) => settingsFrom({ home, env, ...options }).program.timeZone;
  expect([zoneOf({}), zoneOf({ timeZone: 'Asia/Tokyo' })]).toEqual(['Europe/Oslo', 'Asia/Tokyo']);
  expect(modelsOf('openai:y', env).use).toBe('openai:y');
  expect(env).toEqual(given);
});
