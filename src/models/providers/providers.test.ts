import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelRequest as request } from '../../testing/models-options.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { keyNameOf, PROVIDERS, providerId } from './list.ts';
import { openModels as open, type ProviderSetup, providerContract } from './provider.contract.ts';
import { Providers } from './providers.ts';

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on(
    { userMessage: 'where was the boat' },
    { toolCalls: [{ name: 'place', arguments: '{"city":"Oslo","year":2020}' }] },
  );
  mock.on({ userMessage: 'and now' }, { content: 'Still there.' });
  await mock.start();
});
afterAll(async () => mock.stop());

const spoken = { question: 'and now', answer: 'Still there.' };
const openai = (baseUrl: string | undefined, model: string) => ({
  providers: { openai: { apiKey: 'test', baseUrl, model } },
});

/** How each bundled provider is set up for the contract; a new one needs a line here. */
const SETUPS: Readonly<Record<string, ProviderSetup>> = {
  openai: { ...spoken, options: () => openai(undefined, 'gpt-4o-mini'), server: () => mock.url },
  compatible: { ...spoken, options: () => openai(`${mock.url}/v1`, 'qwen3-codex') },
  anthropic: { ...spoken, options: () => ({ providers: { anthropic: { apiKey: 'test', baseUrl: mock.url } } }) },
  google: { ...spoken, options: () => ({ providers: { google: { apiKey: 'test', baseUrl: mock.url } } }) },
  ollama: { ...spoken, options: () => ({ providers: { ollama: { baseUrl: mock.url, model: 'llama3.2' } } }) },
  builtin: { question: 'what is 2+2?', answer: '2+2 = 4', options: () => ({ use: 'builtin' }) },
};

describe.each(PROVIDERS)('$id', (provider) => {
  const setup = SETUPS[provider.id];
  if (!setup) throw new Error(`no set-up for ${provider.id}`);
  providerContract(provider, setup);
});

test('no two providers share a name', () => {
  const names = PROVIDERS.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(['Gemini', 'lmstudio', 'mine'].map(providerId)).toEqual(['google', 'compatible', 'mine']);
});

test('Ollama is told the window, which it would cut silently', async () => {
  const { models, bodies } = await open({ providers: { ollama: { baseUrl: mock.url, model: 'qwen3:8b' } } });
  const { model, contextWindow } = await models.pick(request());
  await model.invoke('and now');
  expect(bodies[0]).toContain(`"num_ctx":${contextWindow}`);
});

test.each([
  ['gpt-4o-mini', true],
  ['gpt-5-mini', false],
  ['o4-mini', false],
])('%s is sent a temperature: %s', async (name, sent) => {
  const { models, bodies } = await open({
    providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, model: name } },
  });
  const { model } = await models.pick(request());
  await model.invoke('and now');
  expect(bodies[0]?.includes('temperature')).toBe(sent);
});

describe('other providers', () => {
  const options = { model: 'm', contextWindow: 8192, fetch, now: () => new Date(), timeZone: 'UTC' };

  test('one that is not installed is named with the command that installs it', async () => {
    await expect(new Providers().open('mistralai', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/mistralai',
    });
  });

  test('one that is not installed ends a call with that command', async () => {
    const { model } = await (await open({ use: 'mistralai:m' })).models.pick(request());
    await expect(model.invoke('hello')).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/mistralai',
    });
  });

  test('the package is named as it is called, where it is not called like the provider', async () => {
    await expect(new Providers().open('bedrock', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/aws',
    });
  });

  test('one that nobody knows says so', async () => {
    await expect(new Providers().open('nonsense', options)).rejects.toMatchObject({ code: 'model_missing_package' });
  });

  test('a plugin adds its own, which then answers', async () => {
    const { models } = await open({ use: 'mine:m' });
    models.registerProvider('mine', async () => new ScriptedModel(['from mine']));
    const { model, name } = await models.pick(request());
    expect([name, (await model.invoke('hello')).text]).toEqual(['m', 'from mine']);
  });
});

test.each([
  ['openai', 'OPENAI_API_KEY'],
  ['compatible', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['gemini', 'GEMINI_API_KEY'],
  ['builtin', undefined],
])('the key of %s is in %s', (name, variable) => expect(keyNameOf(name)).toBe(variable));
