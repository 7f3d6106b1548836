import { LLMock } from '@copilotkit/aimock';
import type { AIMessageChunk } from '@langchain/core/messages';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { isCut } from './faults.contract.ts';
import { createModels } from './models.ts';

const mock = new LLMock({ port: 0, logLevel: 'silent' });
beforeAll(async () => {
  mock.on({ userMessage: 'hello' }, { content: 'Good day to you.' });
  mock.on(
    { userMessage: 'cut me' },
    { content: 'one two three four five six seven eight nine ten eleven twelve' },
    { chunkSize: 4, truncateAfterChunks: 6, latency: 30 },
  );
  await mock.start();
});
afterAll(async () => mock.stop());
afterEach(() => void mock.clearChaos());

const PROVIDERS: readonly (readonly [string, () => ModelsChanges])[] = [
  ['openai', () => ({ providers: { openai: { apiKey: 'test', baseUrl: `${mock.url}/v1`, model: 'gpt-4o-mini' } } })],
  ['anthropic', () => ({ providers: { anthropic: { apiKey: 'test', baseUrl: mock.url } } })],
  ['gemini', () => ({ providers: { google: { apiKey: 'test', baseUrl: mock.url } } })],
  ['ollama', () => ({ providers: { ollama: { baseUrl: mock.url, model: 'llama3.2' } } })],
];

const CHAOS = [
  ['a dropped request', { dropRate: 1 }],
  ['a malformed answer', { malformedRate: 1 }],
  ['a broken connection', { disconnectRate: 1 }],
  ['a rate limit', { rateLimitRate: 1 }],
] as const;

/** @param onRetry runs before the second request. */
async function pick(options: ModelsChanges, onRetry: () => void = () => {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
    pace: { sleep: async () => {}, random: () => 0 },
  });
  return models.pick(modelRequest({ onRetry }));
}

describe.each(PROVIDERS)('%s', (_name, options) => {
  test.each(CHAOS)('gets over %s, streamed and not', async (_chaos, chaos) => {
    for (const streamed of [true, false]) {
      mock.setChaos(chaos);
      const { model } = await pick(options(), () => mock.clearChaos());
      let text = '';
      if (streamed) for await (const chunk of await model.stream('hello')) text += chunk.text;
      else text = (await model.invoke('hello')).text;
      expect(text).toBe('Good day to you.');
    }
  });

  test.each(CHAOS)('says so when %s stays', async (_chaos, chaos) => {
    mock.setChaos(chaos);
    const { model } = await pick(options());
    await expect(model.invoke('hello')).rejects.toMatchObject({
      code: expect.stringMatching(/^model_(?:unreachable|incomplete)$/u),
    });
  });

  test('keeps and marks an answer that breaks off', async () => {
    const { model } = await pick(options());
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await model.stream('cut me')) whole = whole?.concat(chunk) ?? chunk;
    expect(whole?.text).toMatch(/^one /u);
    expect(whole?.text).not.toMatch(/twelve/u);
    expect(whole && isCut(whole)).toBe(true);
  });
});
