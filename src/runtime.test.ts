import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import * as whole from './index.ts';
import * as lib from './runtime.ts';
import { FaultServer, ok, status } from './testing/fault-server.ts';
import { storeSettings } from './testing/stores.ts';

const { z } = lib;
/** One assistant for all tests: opening it is what takes time. */
const home = mkdtempSync(join(tmpdir(), 'wooster-'));
const env = { ROUTING_LOCAL_ENABLED: 'false', ...storeSettings(home) };
const server = new FaultServer();
await server.start();

afterAll(async () => {
  await lib.close();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

lib.init({ provider: 'openai', apiKey: 'sk-test', model: 'm', baseUrl: server.url, home, env });
beforeEach(() => lib.globalCache.clear());

const PERSON = z.object({ name: z.string(), age: z.int() });
const json = (value: unknown) => ok(JSON.stringify(value));
const bodies = () => server.requests.map(({ body }) => body);
const texts = (at: number) => JSON.stringify(bodies()[at]?.messages);

test('everything is there again from the whole package', () => {
  const missing = Object.keys(lib).filter((name) => !(name in whole));
  expect(missing).toEqual([]);
});

test('a text comes back as it is, and the context goes along without what is left out', async () => {
  server.play(ok('  Hello.  '));
  const user = { name: 'Ann', ssn: '123-45' };
  const options = { prompt: 'Greet her', context: { user, city: 'Oslo' }, withoutContext: ['user.ssn'] };
  expect(await lib.think(options)).toBe('Hello.');
  expect(texts(0)).toContain('Oslo');
  expect(JSON.stringify(bodies())).not.toContain('123-45');
  expect(bodies()[0]).not.toHaveProperty('response_format');
});

test('a path that cannot be left out is an error, before anything is sent', async () => {
  server.play(ok('never'));
  const options = { prompt: 'x', context: { user: {} }, withoutContext: ['usr.ssn'] };
  await expect(lib.think(options)).rejects.toThrow('usr.ssn');
  expect(server.requests).toEqual([]);
});

test('an answer of a type is asked for with its schema', async () => {
  server.play(json({ name: 'Ann', age: 3 }));
  expect(await lib.think({ prompt: 'Who?', schemaName: 'Person', ...lib.zodSchema(PERSON) })).toEqual({
    name: 'Ann',
    age: 3,
  });
  expect(bodies()[0]?.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'Person', schema: { required: ['name', 'age'] } },
  });
});

test.each([
  ['a list', z.array(z.string()), ['a', 'b']],
  ['a number', z.number(), 4.5],
  ['a union', z.union([z.literal('yes'), z.null()]), null],
])('%s is wrapped, since no provider takes one at the top', async (_, schema, value) => {
  server.play(json({ value }));
  expect(await lib.infer({ value: 'text', hint: 'Which?', ...lib.zodSchema(schema as lib.z.ZodType) })).toEqual(value);
});

test('a server that refuses schemas is asked by one tool that must be called', async () => {
  server.play(
    status(400, { error: { message: 'response_format is not supported' } }),
    ok('', { calls: [{ name: 'answer', args: '{"name":"Bo","age":4}' }] }),
  );
  lib.init({ provider: 'openai', apiKey: 'sk-test', model: 'old', baseUrl: server.url, home, env });
  expect(await lib.think({ prompt: 'Who?', ...lib.zodSchema(PERSON) })).toEqual({ name: 'Bo', age: 4 });
  expect(bodies()[1]).toMatchObject({ tool_choice: { function: { name: 'answer' } } });
  expect(bodies()[1]).not.toHaveProperty('response_format');
});

test('a wrong type is put right in one more round, which says what is wrong', async () => {
  server.play(json({ name: 'Ann', age: 'three' }), json({ name: 'Ann', age: 3 }));
  expect(await lib.think({ prompt: 'Who?', ...lib.zodSchema(PERSON) })).toEqual({ name: 'Ann', age: 3 });
  expect(texts(1)).toContain('age');
});

test.each([
  ['not JSON', 'nonsense', ''],
  ['a wrong type', '{"name":"Ann","age":"3"}', 'age'],
  ['a missing field', '{"name":"Ann"}', 'age'],
])('%s twice is a violation with its path', async (_, reply, path) => {
  server.play(ok(reply));
  await expect(lib.think({ prompt: 'Who?', ...lib.zodSchema(PERSON) })).rejects.toMatchObject({
    name: 'SchemaViolation',
    path,
  });
  expect(server.requests).toHaveLength(2);
});

test('a guard asks again as often as told, with the reason, and then takes the fallback', async () => {
  server.play(ok('short'));
  const guards = [{ name: 'length', constraint: 10, rangeEnd: 20 }];
  await expect(lib.think({ prompt: 'p', guards, retryCount: 3 })).rejects.toMatchObject({
    name: 'GuardFailed',
    guardName: 'length',
    guardValue: 5,
  });
  expect(server.requests).toHaveLength(3);
  expect(texts(1)).toContain('length');
  expect(await lib.think({ prompt: 'p', guards, retryCount: 2, fallback: () => 'instead' })).toBe('instead');
});

test('a refused key is tried once', async () => {
  server.play(status(401));
  await expect(lib.think({ prompt: 'p', retryCount: 3 })).rejects.toMatchObject({
    name: 'ModelUnavailable',
    code: 'model_rejected',
  });
  expect(server.requests).toHaveLength(1);
});

test('the same question is asked once, and another type is another question', async () => {
  server.play(ok('a'));
  await lib.think({ prompt: 'same' });
  await lib.think({ prompt: 'same' });
  expect(server.requests).toHaveLength(1);
  server.play(json({ value: 1 }));
  await lib.think({ prompt: 'same', ...lib.zodSchema(z.number()) });
  expect(server.requests).toHaveLength(1);
});

test('a goal is reached by numbered steps', async () => {
  server.play(ok('done'));
  await lib.reason({ goal: 'Decide', steps: ['Look', { number: 2, description: 'Think' }] });
  expect(texts(0)).toContain('1. Look\\n2. Think');
});

test('every item is asked about, at most so many at once, and a failed one has its index', async () => {
  let running = 0;
  let most = 0;
  server.play(async (response, request) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 20));
    running -= 1;
    const isBad = JSON.stringify(request.body).includes('item-2');
    await (isBad ? status(401) : ok('fine'))(response, request);
  });
  const { items, results, errors } = await lib.mapThink({
    items: [1, 2, 3, 4].map((n) => `item-${n}`),
    prompt: 'Rate',
    maxConcurrency: 2,
  });
  expect(items.map((each) => each.status)).toEqual(['ok', 'failed', 'ok', 'ok']);
  expect([results.length, errors[0]?.index, most <= 2]).toEqual([3, 1, true]);
});

test('a budget stops what was not begun and keeps what is done', async () => {
  lib.registerPricing('m', { input: 1_000_000, output: 1_000_000 });
  server.play(ok('fine'));
  lib.init({ provider: 'openai', apiKey: 'sk-test', model: 'm', baseUrl: server.url, home, env });
  const { items, stopped } = await lib.mapThink({
    items: ['a', 'b', 'c'],
    prompt: 'p',
    maxConcurrency: 1,
    costBudget: 0.5,
  });
  expect(items.map((each) => each.status)).toEqual(['ok', 'skipped', 'skipped']);
  expect(stopped).toMatchObject({ name: 'BatchCostBudgetExceeded', budgetUsd: 0.5 });
});

test.each([
  [2, 5, 6],
  [5, 5, 1],
  [2, 1, 1],
])('lists are reduced in groups of %i: %i items take %i calls', async (batchSize, count, calls) => {
  server.play(ok('sum'));
  const items = Array.from({ length: count }, (_, at) => `${batchSize}-${at}`);
  expect(await lib.reduceThink({ items, prompt: `Sum up ${count}`, batchSize })).toBe('sum');
  // Equal groups of one level are one question.
  expect(server.requests.length).toBeLessThanOrEqual(calls);
});

test('groups of one are refused', async () => {
  await expect(lib.reduceThink({ items: [1, 2], prompt: 'p', batchSize: 1 })).rejects.toThrow('batchSize');
});

test('words arrive as a stream', async () => {
  server.play(ok('one two'));
  expect(await lib.collectStream(lib.streamThink({ prompt: 'count' }))).toBe('one two');
});

test('costs are counted by operation and model', async () => {
  lib.globalCostTracker.reset();
  server.play(ok('a'));
  await lib.think({ prompt: 'costs' });
  const { byOperation, calls } = lib.globalCostTracker.getSummary();
  expect([calls, byOperation.think?.calls]).toEqual([1, 1]);
});

test('a provider by its name completes like one of your own', async () => {
  server.play(json({ ok: true }));
  const provider = lib.createProvider('openai', { apiKey: 'sk-test', model: 'm', baseUrl: server.url });
  const jsonSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  expect(await provider.complete({ systemPrompt: 's', userMessage: 'u', jsonSchema })).toMatchObject({
    data: { ok: true },
    model: 'm',
  });
  expect(() => lib.createProvider('nope')).toThrow('nope');
});

test('a registered provider is one that init can name', async () => {
  const seen: string[] = [];
  lib.registerProvider('mine', ({ apiKey }) => ({
    complete: async ({ userMessage, jsonSchema }) => {
      seen.push(`${apiKey} ${userMessage} ${jsonSchema === undefined}`);
      return {
        data: jsonSchema ? { name: 'Cy', age: 5 } : 'mine',
        usage: { inputTokens: 1, outputTokens: 1 },
        model: 'x',
      };
    },
  }));
  lib.init({ provider: 'mine', apiKey: 'k', home, env });
  expect(await lib.think({ prompt: 'hi' })).toBe('mine');
  expect(await lib.think({ prompt: 'who', ...lib.zodSchema(PERSON) })).toEqual({ name: 'Cy', age: 5 });
  expect(seen).toEqual(['k hi true', 'k who false']);
});
