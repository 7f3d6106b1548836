import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { type ModelsChanges, modelsOptions } from '../../testing/models-options.ts';
import { openTestStore } from '../../testing/stores.ts';
import { createModels } from '../models.ts';

const mock = new LLMock({ port: 0 });
const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(request.url ?? '');
  response.end('from past the gateway');
});
beforeAll(async () => {
  mock.on({ userMessage: 'hello' }, { content: 'Good day to you.' });
  await mock.start();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  server.close();
  await mock.stop();
});

const CLOSED = vi.fn<typeof fetch>(() => Promise.reject(new Error('past the gateway')));

/** Models behind the real gateway, with a global `fetch` that nobody may use. */
async function open(use: string, allowPrivate: readonly string[], options: ModelsChanges = {}) {
  const store = await openTestStore();
  const egress: unknown[] = [];
  const log = { ...silentLog, info: (_what: string, fields: unknown) => void egress.push(fields) };
  const gateway = createGateway({ allowPrivate, log });
  vi.stubGlobal('fetch', CLOSED);
  CLOSED.mockClear();
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    await gateway.close();
    await store.close();
  });
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions({ use }, options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
    modelFetch: (caller) => gateway.modelFetch(caller),
  });
  const signal = new AbortController().signal;
  const request = { profile: 'TOOL_EXECUTION', mode: 'classic_tools', project: 'home', purpose: 'turn' } as const;
  const { model } = await models.pick({ ...request, signal });
  return { model, egress };
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** LangChain's class for Azure, whose package is installed and takes its address and key from the environment. */
const azure = () => {
  vi.stubEnv('AZURE_OPENAI_API_KEY', 'test');
  vi.stubEnv('AZURE_OPENAI_API_VERSION', '2024-10-21');
  vi.stubEnv('AZURE_OPENAI_API_DEPLOYMENT_NAME', 'gpt-4o-mini');
  vi.stubEnv('AZURE_OPENAI_ENDPOINT', mock.url);
};

describe('a package that brings its own HTTP', () => {
  const note = tool(() => 'noted', { name: 'write_note', description: 'note', schema: z.object({ text: z.string() }) });

  test('goes through the gateway, streamed and not, with tools and without', async () => {
    azure();
    const { model, egress } = await open('azure_openai:gpt-4o-mini', [new URL(mock.url).host]);
    expect((await model.invoke('hello')).text).toBe('Good day to you.');
    expect((await (model.bindTools?.([note]) ?? model).invoke('hello')).text).toBe('Good day to you.');
    let streamed = '';
    for await (const chunk of await model.stream('hello')) streamed += chunk.text;
    expect(streamed).toBe('Good day to you.');
    expect(egress).toHaveLength(3);
    expect(egress[0]).toMatchObject({ caller: 'models.azure_openai', host: new URL(mock.url).host, status: 200 });
    expect(CLOSED).not.toHaveBeenCalled();
  });

  test('reaches no private address that nobody opened', async () => {
    azure();
    const { model } = await open('azure_openai:gpt-4o-mini', []);
    await expect(model.invoke('hello')).rejects.toMatchObject({
      code: 'egress_refused',
      hint: expect.stringContaining('EGRESS_ALLOW_PRIVATE'),
    });
    expect(CLOSED).not.toHaveBeenCalled();
  });
});

/** Stands where the package of Bedrock would be installed, and talks as that does: with node:http. */
const OWN_SOCKETS = `
import http from 'node:http';
import { AIMessage, AIMessageChunk } from '${import.meta.resolve('@langchain/core/messages')}';
import { ChatGenerationChunk } from '${import.meta.resolve('@langchain/core/outputs')}';
import { BaseChatModel } from '${import.meta.resolve('@langchain/core/language_models/chat_models')}';
const get = () => new Promise((done, fail) => http.get(process.env.OWN_SOCKETS_URL, async (response) => {
  let text = '';
  for await (const part of response) text += part;
  done(text);
}).on('error', () => fail(new Error('the service is not available'))));
export class ChatBedrockConverse extends BaseChatModel {
  constructor(fields) { super(fields); }
  _llmType() { return 'own-sockets'; }
  async _generate() {
    const text = await get();
    return { generations: [{ text, message: new AIMessage({ content: text, response_metadata: { finish_reason: 'stop' } }) }] };
  }
  async *_streamResponseChunks() {
    const content = await get();
    yield new ChatGenerationChunk({ text: content, message: new AIMessageChunk({ content, response_metadata: { finish_reason: 'stop' } }) });
  }
}
`;

describe('a package that opens sockets of its own', () => {
  beforeAll(() => {
    const dir = mkdtempSync(join(tmpdir(), 'wooster-'));
    const file = join(dir, 'own-sockets.mjs');
    writeFileSync(file, OWN_SOCKETS);
    const url = pathToFileURL(file).href;
    const hooks = registerHooks({
      resolve: (name, context, next) => (name === '@langchain/aws' ? { url, shortCircuit: true } : next(name, context)),
    });
    return () => {
      hooks.deregister();
      rmSync(dir, { recursive: true });
    };
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  test('is refused with the setting that allows it, and nothing leaves', async () => {
    vi.stubEnv('OWN_SOCKETS_URL', url());
    const { model } = await open('bedrock:m', []);
    const refusal = { code: 'egress_refused', hint: expect.stringContaining('MODEL_UNCHECKED_PROVIDERS=bedrock') };
    await expect(model.invoke('hello')).rejects.toMatchObject(refusal);
    await expect(model.stream('hello').then(drain)).rejects.toMatchObject(refusal);
    expect(reached).toEqual([]);
  });

  test('is let out where the person says so', async () => {
    vi.stubEnv('OWN_SOCKETS_URL', url());
    const { model } = await open('bedrock:m', [], { uncheckedProviders: ['bedrock'] });
    expect((await model.invoke('hello')).text).toBe('from past the gateway');
    expect(reached).toEqual(['/v1']);
  });
});
