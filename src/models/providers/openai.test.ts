import { OpenAIEmbeddings } from '@langchain/openai';
import { expect, test, vi } from 'vitest';
import { modelsOptions } from '../../testing/models-options.ts';
import { isStrict, openAiEmbeddings, openAiFields, openai } from './openai.ts';
import type { ProviderOptions } from './provider.ts';

const fetch = vi.fn<typeof globalThis.fetch>();
const given = (changes: Partial<ProviderOptions> = {}): ProviderOptions => ({
  ...{ model: 'gpt-4o-mini', contextWindow: 8192, now: () => new Date(), timeZone: 'UTC', fetch },
  ...changes,
});
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const closed = { ...schema, required: ['city'], additionalProperties: false };
const form = (of: object, strict: boolean) => ({
  modelKwargs: { response_format: { type: 'json_schema', json_schema: { name: 'place', schema: of, strict } } },
});

test.each<[Partial<ProviderOptions>, object]>([
  [{}, {}],
  [{ apiKey: 'k1' }, { apiKey: 'k1' }],
  [
    { temperature: 0, maxTokens: 300 },
    { temperature: 0, maxTokens: 300 },
  ],
  [{ jsonResponse: true }, { modelKwargs: { response_format: { type: 'json_object' } } }],
  [{ jsonResponse: true, answer: { name: 'place', schema } }, form(schema, false)],
  [{ answer: { name: 'place', schema: closed } }, form(closed, true)],
])('a client with %j', (changes, more) => {
  const { configuration, ...fields } = openAiFields(given(changes));
  expect(fields).toEqual({ model: 'gpt-4o-mini', maxRetries: 0, apiKey: 'none', streamUsage: true, ...more });
  expect(configuration).toEqual({
    ...{ baseURL: 'https://api.openai.com/v1', maxRetries: 0, logLevel: 'off' },
    fetch: expect.any(Function),
  });
});

test.each([
  ['o3', undefined],
  ['o4-mini', undefined],
  ['gpt-5', undefined],
  ['gpt-5.1-codex', undefined],
  ['gpt-4o', 0.3],
  ['my-o3', 0.3],
  ['omni', 0.3],
])('%s is asked with the temperature %j', (model, temperature) => {
  expect(openAiFields(given({ model, temperature: 0.3 })).temperature).toBe(temperature);
});

test('another server is asked at its address', () => {
  expect(openAiFields(given({ baseUrl: 'http://127.0.0.1:1/v1' })).configuration.baseURL).toBe('http://127.0.0.1:1/v1');
  expect(openai.modelsUrl?.('http://127.0.0.1:1/v1')).toBe('http://127.0.0.1:1/v1/models');
});

test('only what is asked to embed does so, where it is said or at OpenAI', () => {
  const target = (settings: object) => openai.embeddings?.target(modelsOptions({ providers: { openai: settings } }));
  expect(openai.embeddings?.target(modelsOptions())).toBeUndefined();
  expect(target({ apiKey: 'k1' })).toBeUndefined();
  expect(target({ apiKey: 'k1', embeddingModel: 'e1' })).toEqual({
    ...{ provider: 'openai', model: 'e1', url: 'https://api.openai.com/v1', apiKey: 'k1' },
  });
  expect(target({ baseUrl: 'http://127.0.0.1:1/v1', embeddingModel: 'e1' })).toEqual({
    ...{ provider: 'openai', model: 'e1', url: 'http://127.0.0.1:1/v1', apiKey: undefined },
  });
});

test('embeddings are asked for at that address, with its key', async () => {
  const asked: unknown[] = [];
  const answering: typeof globalThis.fetch = async (url, init) => {
    asked.push([String(url), new Headers(init?.headers).get('authorization'), JSON.parse(String(init?.body))]);
    return Response.json({ data: [{ index: 0, embedding: [0.5, 1] }], usage: {} });
  };
  const target = { provider: 'openai', model: 'e1', url: 'http://127.0.0.1:1/v1', apiKey: undefined };
  const embeddings = await openAiEmbeddings(target, answering);
  expect(embeddings).toBeInstanceOf(OpenAIEmbeddings);
  expect([embeddings.timeout, await embeddings.embedQuery('hello')]).toEqual([60_000, [0.5, 1]]);
  expect(asked).toEqual([
    ['http://127.0.0.1:1/v1/embeddings', 'Bearer none', expect.objectContaining({ model: 'e1', input: 'hello' })],
  ]);
});

const text = { type: 'string' };
const closedObject = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  ...more,
});

test.each([
  text,
  closedObject({}),
  closedObject({ city: text, pattern: text }),
  closedObject({ tags: { type: 'array', items: text }, kind: { enum: ['oneOf', 'format'] } }),
  closedObject({ place: { anyOf: [closedObject({ city: text }), { type: 'null' }] } }),
  { type: 'object', additionalProperties: false },
  closedObject({ place: { $ref: '#/$defs/place' } }, { $defs: { place: closedObject({ city: text }) } }),
])('%j can be held to', (schema) => expect(isStrict(schema)).toBe(true));

test.each([
  closedObject({ city: text }, { additionalProperties: true }),
  { type: 'object', properties: {}, required: [] },
  closedObject({ city: text, zip: text }, { required: ['city'] }),
  closedObject({ city: text }, { required: undefined }),
  closedObject({ city: { ...text, pattern: '^G' } }),
  closedObject({ at: { ...text, format: 'date' } }),
  closedObject({ count: { type: 'integer', minimum: 1 } }),
  closedObject({ tags: { type: 'array', items: { ...text, maxLength: 3 } } }),
  closedObject({ place: { anyOf: [{ type: 'null' }, closedObject({ city: text }, { additionalProperties: {} })] } }),
  closedObject({ place: { oneOf: [text] } }),
  closedObject({}, { $defs: { place: { type: 'object', properties: {} } } }),
])('%j cannot', (schema) => expect(isStrict(schema)).toBe(false));
