import { writeFileSync } from 'node:fs';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { needsEngine, TEST_ENGINES } from '../../testing/local/engine.ts';
import { writeScripted } from '../../testing/local/gguf.ts';
import { modelsOptions, modelRequest as request } from '../../testing/models-options.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { LocalModels } from '../local/local-models.ts';
import { compatible } from './compatible.ts';
import { keyNameOf, PROVIDERS, providerId } from './list.ts';
import { ollama } from './ollama.ts';
import { openModels as open, type ProviderSetup, providerContract } from './provider.contract.ts';
import type { ProviderOptions } from './provider.ts';
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
  openai: {
    ...{ ...spoken, options: () => openai(undefined, 'gpt-4o-mini'), server: () => mock.url },
    sight: ['openai:gpt-4o', 'openai:gpt-3.5-turbo'],
  },
  compatible: {
    ...{ ...spoken, options: () => openai(`${mock.url}/v1`, 'qwen3-codex') },
    sight: ['compatible:qwen3-vl:8b', 'compatible:qwen3:8b'],
  },
  anthropic: {
    ...{ ...spoken, options: () => ({ providers: { anthropic: { apiKey: 'test', baseUrl: mock.url } } }) },
    sight: ['anthropic:claude-sonnet-4-5', 'anthropic:unknown-model'],
  },
  google: {
    ...{ ...spoken, options: () => ({ providers: { google: { apiKey: 'test', baseUrl: mock.url } } }) },
    sight: ['google:gemini-2.5-flash', 'google:unknown-model'],
  },
  ollama: {
    ...{ ...spoken, options: () => ({ providers: { ollama: { baseUrl: mock.url, model: 'llama3.2' } } }) },
    sight: ['ollama:gemma3:4b', 'ollama:gemma3:1b'],
  },
  ...(needsEngine() ? { local: { ...spoken, options: () => ({ use: 'local:says' }), local: installedModel } } : {}),
  builtin: { question: 'what is 2+2?', answer: '2+2 = 4', options: () => ({ use: 'builtin' }) },
};

/** A home with a model that always says the same. */
function installedModel(): LocalModels {
  const modelsDir = temporaryFolder();
  const local = new LocalModels({ modelsDir, enginesDir: TEST_ENGINES, options: modelsOptions().local });
  writeScripted(local.installed.pathOf('says'), ['Still', ' there', '.']);
  const card = { name: 'says', licence: 'none', source: 'test', sha256: '', bytes: 1 };
  writeFileSync(local.installed.pathOf('says').replace('.gguf', '.json'), JSON.stringify(card));
  return local;
}

describe.each(PROVIDERS.filter(({ id }) => id !== 'local' || needsEngine()))('$id', (provider) => {
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

test('a form for the answer is told to Ollama as its schema', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const bodies: string[] = [];
  const recording: typeof fetch = async (input, init) => {
    bodies.push(await new Request(input, init).text());
    return new Response('{"message":{"role":"assistant","content":"{}"},"done":true}\n');
  };
  const options = { model: 'm', contextWindow: 8192, now: () => new Date(), timeZone: 'UTC', fetch: recording };
  const answer = { name: 'place', schema } as NonNullable<ProviderOptions['answer']>;
  await (await ollama.open?.({ ...options, answer }))?.invoke('and now');
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ format: schema, options: { num_ctx: 8192 } });
});

test.each([
  [true, { provider: 'mlx', model: 'bge', url: 'http://127.0.0.1:9/v1', apiKey: undefined }],
  [false, undefined],
])('the MLX server embeds where it is switched on: %s', (enabled, target) => {
  const options = modelsOptions({ mlxEmbeddings: { enabled, model: 'bge', url: 'http://127.0.0.1:9/v1' } });
  expect(compatible.embeddings?.target(options)).toEqual(target);
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
    await expect(new Providers().open('Nonsense', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      message: 'There is no provider called nonsense.',
    });
  });

  test.each([
    ['ERR_MODULE_NOT_FOUND', "Cannot find package 'some-sdk' imported from /plugins/mine.js", 'some-sdk'],
    ['ERR_MODULE_NOT_FOUND', "Cannot find package '@some/sdk' imported from /plugins/mine.js", '@some/sdk'],
    ['MODULE_NOT_FOUND', "Cannot find module '@some/sdk/chat.js'", '@some/sdk'],
    ['MODULE_NOT_FOUND', "Cannot find module './own.js'", '@langchain/mine'],
    [undefined, 'Unable to import @langchain/some', '@langchain/some'],
    [undefined, 'Please install what is missing', '@langchain/mine'],
  ])('%s "%s": what is missing is %s', async (code, said, name) => {
    const providers = new Providers();
    providers.register('Mine', () => Promise.reject(Object.assign(new Error(said), { code })));
    await expect(providers.open('mine', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      message: `The provider mine needs the package ${name}, which is not installed.`,
      hint: `Install it with: npm install ${name}`,
    });
  });

  test('what else goes wrong is told as it is', async () => {
    const [providers, error] = [new Providers(), new TypeError('no key')];
    providers.register('mine', () => Promise.reject(error));
    await expect(providers.open('mine', options)).rejects.toBe(error);
  });

  test('nothing is missing of what is installed, needs nothing, or is of a plugin', () => {
    const providers = new Providers();
    expect(['openai', 'Ollama', 'builtin', 'mine'].map((name) => providers.missingPackage(name))).toEqual(
      Array(4).fill(undefined),
    );
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
