import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { openBuiltin } from '../builtin/open.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type ModelsChanges, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { createModels, type ModelsDeps } from './models.ts';
import type { ModelRequest } from './types.ts';

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on(
    { userMessage: 'weather', hasToolResult: false },
    { toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }] },
  );
  mock.on({ userMessage: 'weather', hasToolResult: true }, { content: 'It is 3 degrees in Oslo.' });
  mock.on({ userMessage: 'hello' }, { content: 'Good day to you.' });
  await mock.start();
});
afterAll(async () => mock.stop());

async function open(options: ModelsChanges, deps: Partial<ModelsDeps> = {}) {
  const store = await openTestStore();
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
    ...deps,
  });
  onTestFinished(() => store.close());
  return { models, store };
}

/** An address on this machine where nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return {
    profile: 'TOOL_EXECUTION',
    mode: 'classic_tools',
    project: 'home',
    turnId: 'turn_1',
    purpose: 'turn',
    signal,
    ...changes,
  };
}

const PROVIDERS: readonly (readonly [string, () => ModelsChanges])[] = [
  [
    'openai key and address',
    () => ({ providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, model: 'gpt-4o-mini' } } }),
  ],
  ['address alone', () => ({ providers: { openai: { baseUrl: `${mock.url}/v1`, model: 'qwen3-codex' } } })],
  ['anthropic', () => ({ providers: { anthropic: { apiKey: 'test', baseUrl: mock.url } } })],
  ['gemini', () => ({ providers: { google: { apiKey: 'test', baseUrl: mock.url } } })],
  ['ollama', () => ({ providers: { ollama: { baseUrl: mock.url, model: 'llama3.2' } } })],
];

describe.each(PROVIDERS)('%s', (_name, options) => {
  test('answers, streams and books its usage', async () => {
    const { models } = await open(options());
    const used: unknown[] = [];
    const { model } = await models.pick(request({ onUsage: (usage) => used.push(usage) }));
    expect((await model.invoke('hello')).text).toBe('Good day to you.');
    let streamed = '';
    let chunks = 0;
    for await (const chunk of await model.stream('hello')) {
      streamed += chunk.text;
      chunks++;
    }
    expect(streamed).toBe('Good day to you.');
    expect(chunks).toBeGreaterThan(0);
    expect(used).toHaveLength(2);
    expect((await models.usage('model'))[0]).toMatchObject({ calls: 2, failed: 0 });
    expect((await models.usage('model'))[0]?.inputTokens).toBeGreaterThan(0);
  });

  test('calls tools through an AgentExecutor that prints tokens', async () => {
    const { models } = await open(options());
    const { model } = await models.pick(request());
    const cities: string[] = [];
    const weather = tool(
      ({ city }) => {
        cities.push(city);
        return `3C in ${city}`;
      },
      { name: 'weather', description: 'weather', schema: z.object({ city: z.string() }) },
    );
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'Be brief'],
      ['human', '{input}'],
      ['placeholder', '{agent_scratchpad}'],
    ]);
    const agent = createToolCallingAgent({ llm: model, tools: [weather], prompt });
    let tokens = '';
    const onToken = (
      _token: string,
      _index: unknown,
      _run: string,
      _parent: unknown,
      _tags: unknown,
      fields?: { chunk?: { text?: string } },
    ) => {
      tokens += fields?.chunk?.text ?? '';
    };
    const result = await new AgentExecutor({ agent, tools: [weather] }).invoke(
      { input: 'weather please' },
      { callbacks: [{ handleLLMNewToken: onToken as never }] },
    );
    const output: unknown = result.output;
    const text = Array.isArray(output) ? output.map((block: { text?: string }) => block.text ?? '').join('') : output;
    expect([cities, text, tokens]).toEqual([['Oslo'], 'It is 3 degrees in Oslo.', 'It is 3 degrees in Oslo.']);
  });
});

describe('who answers', () => {
  test('a third-party provider is listed with its own address, not as part of this process', async () => {
    const [listed] = await (await open({ use: 'mistralai:m' })).models.candidates();
    expect(listed).toMatchObject({ local: false, detail: "at the provider's own address" });
  });

  test('the built-in model when nothing is configured', async () => {
    const { models } = await open({}, { handed: { builtin: openBuiltin } });
    const choice = await models.pick(request());
    expect(choice).toMatchObject({ provider: 'builtin', local: true });
    expect((await choice.model.invoke('what is 2+2?')).text).toBe('2+2 = 4');
  });

  test('a local server that is found, without a setting', async () => {
    const port = Number(new URL(mock.url).port);
    const { models } = await open({ localEnabled: true }, { probePorts: [port] });
    const choice = await models.pick(request());
    expect(choice).toMatchObject({ provider: 'compatible', local: true });
    expect((await choice.model.invoke('hello')).text).toBe('Good day to you.');
  });

  test('ROUTING_LOCAL_ENABLED=false ends the looking', async () => {
    const asked: string[] = [];
    const fetchFor = (_caller: string, origins: readonly string[]) => {
      asked.push(...origins);
      return fetch;
    };
    const { models } = await open({ localEnabled: false }, { fetchFor });
    await models.pick(request());
    expect(asked).toEqual([]);
  });

  test('a configured server that is down is named; the built-in model does not step in', async () => {
    const { models } = await open(
      { providers: { openai: { baseUrl: `${await closedAddress()}/v1`, model: 'm' } } },
      { pace: { sleep: async () => {}, random: () => 0 } },
    );
    const { model } = await models.pick(request());
    await expect(model.invoke('hello')).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('compatible:m refused the connection'),
    });
  });

  test('a local-only project refuses a cloud model and says so', async () => {
    const projectsDir = temporaryFolder();
    mkdirSync(join(projectsDir, 'diary'));
    writeFileSync(join(projectsDir, 'diary', 'wooster.config.json'), '{"localOnly": true}');
    const { models } = await open(
      { providers: { openai: { apiKey: 'test', embeddingModel: 'text-embedding-3-small' } } },
      { projectsDir },
    );
    await expect(models.pick(request({ project: 'diary' }))).rejects.toMatchObject({ code: 'local_only' });
    expect(models.embedding()?.allows('diary')).toBe(false);
    expect(models.embedding()?.allows('home')).toBe(true);
    expect((await models.pick(request({ project: 'home' }))).provider).toBe('openai');
  });
});
