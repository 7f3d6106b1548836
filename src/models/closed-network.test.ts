import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { createModels, stopTracing } from './models.ts';

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on({ userMessage: 'hello' }, { content: 'Good day to you.' });
  await mock.start();
});
afterAll(async () => mock.stop());

/** Every request goes through one recorder; the global `fetch` is a trap. */
async function open(options: ModelsChanges, ports: readonly number[] = []) {
  const store = await openTestStore();
  const asked = new Set<string>();
  const granted = new Set<string>();
  const real = globalThis.fetch;
  const trap = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((input) => Promise.reject(new Error(`past the gateway: ${String(input)}`)));
  onTestFinished(async () => {
    trap.mockRestore();
    await store.close();
  });
  const fetchFor = (_caller: string, origins: readonly string[]): typeof fetch => {
    for (const origin of origins) granted.add(origin);
    return (input, init) => {
      asked.add(new URL(input instanceof Request ? input.url : String(input)).origin);
      return real(input, init);
    };
  };
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
    fetchFor,
    probePorts: ports,
  });
  return { models, asked, granted, trap };
}

const request = modelRequest();
const note = tool(() => 'noted', { name: 'write_note', description: 'note', schema: z.object({ text: z.string() }) });

const SETUPS: readonly (readonly [string, () => ModelsChanges])[] = [
  ['OpenAI', () => ({ providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, model: 'gpt-4o-mini' } } })],
  [
    'OpenAI with a name that its client sends elsewhere',
    () => ({ providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, model: 'gpt-5.6-codex' } } }),
  ],
  ['Anthropic', () => ({ providers: { anthropic: { apiKey: 'test', baseUrl: mock.url } } })],
  ['Gemini', () => ({ providers: { google: { apiKey: 'test', baseUrl: mock.url } } })],
  ['Ollama', () => ({ providers: { ollama: { baseUrl: mock.url, model: 'llama3.2' } } })],
  ['a server without a model name', () => ({ providers: { openai: { baseUrl: `${mock.url}/v1` } } })],
];

describe('no host but the configured one is asked', () => {
  test.each(SETUPS)('%s, streamed and not, with tools and without', async (_name, options) => {
    const { models, asked, granted, trap } = await open(options());
    const { model } = await models.pick(request);
    const bound = model.bindTools?.([note]) ?? model;
    for (const each of [model, bound]) {
      await each.invoke('hello');
      for await (const chunk of await each.stream('hello')) void chunk;
      await each.invoke('hello', { callbacks: [{ handleLLMNewToken() {} }] });
    }
    expect([...asked]).toEqual([mock.url]);
    expect([...granted]).toEqual([mock.url]);
    expect(trap).not.toHaveBeenCalled();
  });

  test('embeddings of OpenAI', async () => {
    const { models, asked, trap } = await open({
      providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, embeddingModel: 'text-embedding-3-small' } },
    });
    const vector = await models.embedding()?.embeddings.embedQuery('hello');
    expect(vector?.length).toBeGreaterThan(0);
    expect([...asked]).toEqual([mock.url]);
    expect(trap).not.toHaveBeenCalled();
  });

  test('embeddings of Ollama', async () => {
    const server = createServer((incoming, response) => {
      const answer = JSON.stringify({
        embeddings: [
          [1, 0],
          [0, 1],
        ],
      });
      incoming.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { models, asked } = await open({
      providers: { ollama: { baseUrl: address, embeddingModel: 'nomic-embed-text' } },
    });
    const vectors = await models.embedding()?.embeddings.embedDocuments(['hello', 'there']);
    expect(vectors).toHaveLength(2);
    expect([...asked]).toEqual([address]);
  });
});

test('a key alone embeds nothing', async () => {
  expect((await open({ providers: { openai: { apiKey: 'test' } } })).models.embedding()).toBeUndefined();
});

test('with nothing configured only loopback is looked at, and only on the given ports', async () => {
  const server = createServer((_incoming, response) => response.writeHead(404).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // No request is made to a port where nothing listens.
  const { models, asked } = await open({ localEnabled: true }, [1, port]);
  expect((await models.pick(request)).provider).toBe('builtin');
  expect([...asked]).toEqual([`http://127.0.0.1:${port}`]);
});

test('with something configured loopback is not looked at', async () => {
  const { models, asked } = await open(
    { localEnabled: true, providers: { openai: { baseUrl: `${mock.url}/v1`, model: 'm' } } },
    [1, 2],
  );
  await models.pick(request);
  expect([...asked]).toEqual([mock.url]);
});

test('a model of a provider that is not set up is never asked', async () => {
  const { models, asked } = await open({
    use: 'openai:gpt-4o',
    more: ['anthropic:claude-sonnet-4-5', 'gemini:gemini-2.5-pro'],
  });
  await expect(models.pick(request)).rejects.toMatchObject({
    code: 'model_unreachable',
    message: expect.stringMatching(/OPENAI_API_KEY is not set/u),
  });
  await expect(models.select('claude:claude-sonnet-4-5')).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringMatching(/ANTHROPIC_API_KEY is not set/u),
  });
  expect([...asked]).toEqual([]);
});

test('tracing variables of LangChain are taken out of the environment', () => {
  const env = { LANGSMITH_TRACING: 'true', LANGCHAIN_TRACING_V2: 'true', LANGSMITH_PROJECT: 'mine' };
  stopTracing(env);
  expect(env).toEqual({ LANGSMITH_PROJECT: 'mine' });
});
