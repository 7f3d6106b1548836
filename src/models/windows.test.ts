import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { createModels } from './models.ts';

type Answers = Readonly<Record<string, unknown>>;

/** A server that answers these paths, and the requests it got. */
async function server(answers: Answers) {
  const asked: string[] = [];
  const started = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    asked.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(answer === undefined ? '{}' : JSON.stringify(answer));
  });
  const listen = (port: number) => new Promise<void>((done) => started.listen(port, '127.0.0.1', done));
  await listen(0);
  onTestFinished(() => {
    started.closeAllConnections();
    started.close();
  });
  const { port } = started.address() as AddressInfo;
  const stop = () => new Promise((done) => started.close(done));
  return { url: `http://127.0.0.1:${port}`, asked, stop, start: () => listen(port) };
}

async function windowAt(changes: ModelsChanges, times = 1): Promise<number> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const options = modelsOptions(changes);
  const now = () => new Date('2026-01-15T09:00:00Z');
  const models = createModels({ options, store, log: silentLog, redactor: new Redactor(), now, timeZone: 'UTC' });
  let window = 0;
  for (let time = 0; time < times; time++) window = (await models.pick(modelRequest())).contextWindow;
  return window;
}

/** An endpoint like the one that `ROUTING_THINKING_URL` configures. */
const compatible = (url: string, model: string): ModelsChanges => ({ tiers: { thinking: { url, model } } });
const list = (model: Record<string, unknown>) => ({
  object: 'list',
  data: [{ id: 'other', max_model_len: 1024 }, model],
});

test.each<[string, string, Answers, number]>([
  ['vLLM', 'acme-1', { '/v1/models': list({ id: 'acme-1', max_model_len: 24_576 }) }, 24_576],
  ['OpenRouter', 'acme-1', { '/v1/models': list({ id: 'acme-1', context_length: 262_144 }) }, 262_144],
  [
    'a server that holds less than the name says',
    'qwen3-32b',
    { '/v1/models': list({ id: 'qwen3-32b', max_model_len: 8192 }) },
    8192,
  ],
  [
    'llama.cpp',
    'acme-1',
    {
      '/v1/models': list({ id: 'acme-1', meta: { n_ctx_train: 131_072 } }),
      '/props': { default_generation_settings: { n_ctx: 12_288 } },
    },
    12_288,
  ],
  [
    'LM Studio',
    'acme-1',
    {
      '/v1/models': list({ id: 'acme-1' }),
      '/api/v0/models': list({ id: 'acme-1', max_context_length: 131_072, loaded_context_length: 16_384 }),
    },
    16_384,
  ],
  ['a server that says nothing', 'acme-1', { '/v1/models': list({ id: 'acme-1' }) }, 32_768],
  [
    'a server with nonsense',
    'acme-1',
    { '/v1/models': list({ id: 'acme-1', max_model_len: -1 }), '/props': 'x' },
    32_768,
  ],
  ['a server without a list', 'acme-1', {}, 32_768],
])('%s: the window is what it says', async (_what, model, answers, window) => {
  const { url } = await server(answers);
  expect(await windowAt(compatible(url, model))).toBe(window);
});

test.each<[string, unknown, number]>([
  [
    'set by its owner',
    { parameters: 'stop "x"\nnum_ctx                        65536', model_info: { 'llama.context_length': 131_072 } },
    65_536,
  ],
  [
    'of a large model',
    { parameters: 'stop "x"', model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } },
    32_768,
  ],
  ['of an old model', { model_info: { 'gemma.context_length': 8192 } }, 8192],
  ['not said', {}, 32_768],
])('Ollama, asked once, the window %s', async (_what, shown, window) => {
  const { url, asked } = await server({ '/api/show': shown });
  const providers = { ollama: { baseUrl: url, model: 'acme' } };
  expect(await windowAt({ providers }, 3)).toBe(window);
  expect(asked).toEqual(['POST /api/show {"model":"acme"}']);
});

test('a server that is down, or a window of the settings, keeps nobody waiting', async () => {
  expect(await windowAt(compatible('http://127.0.0.1:1', 'acme-1'))).toBe(32_768);
  const { url, asked } = await server({ '/v1/models': list({ id: 'acme-1', max_model_len: 24_576 }) });
  expect(await windowAt({ ...compatible(url, 'acme-1'), contextWindowTokens: 5000 })).toBe(5000);
  expect(asked).toEqual([]);
});

test('a server that was down is asked again, later', async () => {
  const answers = { '/v1/models': list({ id: 'acme-1', max_model_len: 24_576 }) };
  const { url, asked, stop, start } = await server(answers);
  await stop();
  const store = await openTestStore();
  onTestFinished(() => store.close());
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 0, 15, 9, minutes));
  const options = modelsOptions(compatible(url, 'acme-1'));
  const models = createModels({ options, store, log: silentLog, redactor: new Redactor(), now, timeZone: 'UTC' });
  const window = async () => (await models.pick(modelRequest())).contextWindow;
  expect(await window()).toBe(32_768);
  await start();
  expect(await window()).toBe(32_768);
  minutes = 60;
  expect(await window()).toBe(24_576);
  expect(await window()).toBe(24_576);
  expect(asked).toEqual(['GET /v1/models']);
});
