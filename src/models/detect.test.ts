import { describe, expect, test } from 'vitest';
import { type ModelsChanges, modelsOptions } from '../testing/models-options.ts';
import { configuredEndpoints, isLoopback, missingFor, named } from './detect.ts';

test.each([
  ['http://localhost:11434', true],
  ['http://llm.localhost/v1', true],
  ['http://127.0.0.1:1234', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:8080/v1', true],
  ['http://127.0.0.1.example', false],
  ['http://mylocalhost', false],
  ['http://192.168.0.7:11434', false],
  ['https://api.openai.com/v1', false],
  ['localhost', false],
  ['', false],
])('%s is this machine: %j', (url, local) => expect(isLoopback(url)).toBe(local));

const OPENAI = { openai: { apiKey: 'k1' } };
const LOCAL = 'http://127.0.0.1:1234/v1';

/** What is asked, in order. */
const setUp = (changes: ModelsChanges) =>
  configuredEndpoints(modelsOptions(changes)).map(({ provider, model, baseUrl, apiKey, local, source, tier }) =>
    [provider, model, baseUrl, apiKey, local, source, tier].map((each) => each ?? '-').join(' '),
  );

test.each<[string, ModelsChanges, string[]]>([
  ['nothing', {}, []],
  ['a key', { providers: OPENAI }, ['openai gpt-4o-mini https://api.openai.com/v1 k1 false OPENAI_API_KEY -']],
  [
    'a key and a model',
    { providers: { openai: { apiKey: 'k1', model: 'gpt-5' } } },
    ['openai gpt-5 https://api.openai.com/v1 k1 false OPENAI_API_KEY -'],
  ],
  ['a key that is not to be used', { providers: { openai: { apiKey: 'k1', enabled: false } } }, []],
  [
    'an address here',
    { providers: { openai: { baseUrl: LOCAL } } },
    ['compatible - http://127.0.0.1:1234/v1 - true OPENAI_BASE_URL -'],
  ],
  [
    'the address of OpenAI',
    { providers: { openai: { baseUrl: 'https://api.openai.com/v1', apiKey: 'k1' } } },
    ['openai gpt-4o-mini https://api.openai.com/v1 k1 false OPENAI_BASE_URL -'],
  ],
  [
    'the key of another provider',
    { providers: { google: { apiKey: 'k2' } } },
    [expect.stringMatching(/^google gemini\S+ \S+ k2 false GEMINI_API_KEY -$/u)],
  ],
  [
    'a model that is named, ahead of the others and only once',
    { use: 'openai:gpt-5', more: ['gpt-5', 'builtin'], providers: OPENAI },
    [
      'openai gpt-5 https://api.openai.com/v1 k1 false MODEL_NAME -',
      'openai gpt-4o-mini https://api.openai.com/v1 k1 false OPENAI_API_KEY -',
      'builtin builtin - - true ROUTING_MODELS -',
    ],
  ],
  [
    'a model that is named although its provider would use it anyway',
    { use: 'google:gemini-2.5-flash', providers: { openai: { apiKey: 'k1' }, google: { apiKey: 'k2' } } },
    [
      expect.stringMatching(/^google gemini-2\.5-flash \S+ k2 false MODEL_NAME -$/u),
      'openai gpt-4o-mini https://api.openai.com/v1 k1 false OPENAI_API_KEY -',
    ],
  ],
  [
    'servers for kinds of tasks',
    {
      localServerUrl: 'http://127.0.0.1:1234/',
      tiers: {
        fast: { url: 'http://10.0.0.2/v1', model: 'small' },
        thinking: { url: 'http://[::1]:9/', model: 'big' },
      },
    },
    [
      'compatible small http://127.0.0.1:1234/v1 - true ROUTING_LOCAL_SERVER_URL fast',
      'compatible small http://10.0.0.2/v1 - false ROUTING_FAST_URL fast',
      'compatible big http://[::1]:9/v1 - true ROUTING_THINKING_URL thinking',
    ],
  ],
])('set up is %s', (_what, changes, expected) => expect(setUp(changes)).toEqual(expected));

describe('a model that somebody names', () => {
  const at = (name: string, changes: ModelsChanges = {}) => named(name, modelsOptions(changes), 'requested');

  test.each<[string, ModelsChanges, object]>([
    ['builtin', {}, { provider: 'builtin', model: 'builtin', baseUrl: undefined, local: true, source: 'requested' }],
    ['gpt-5', { providers: OPENAI }, { provider: 'openai', model: 'gpt-5', apiKey: 'k1', source: 'requested' }],
    ['gpt-5', {}, { provider: 'openai', model: 'gpt-5', apiKey: undefined, baseUrl: 'https://api.openai.com/v1' }],
    ['OpenAI:gpt-5', { providers: OPENAI }, { provider: 'openai', model: 'gpt-5', apiKey: 'k1' }],
    ['openai:qwen3:4b', { providers: { openai: { baseUrl: LOCAL } } }, { provider: 'compatible', model: 'qwen3:4b' }],
    ['compatible:qwen3:4b', { localServerUrl: LOCAL }, { provider: 'compatible', model: 'qwen3:4b', baseUrl: LOCAL }],
    ['ollama:qwen3:4b', {}, { provider: 'ollama', model: 'qwen3:4b', local: true }],
    ['mine:m1', {}, { provider: 'mine', model: 'm1', baseUrl: undefined, local: false }],
  ])('%s with %j', (name, changes, expected) => expect(at(name, changes)).toMatchObject(expected));

  test.each([
    ['openai:gpt-5', 'OPENAI_API_KEY is not set'],
    ['anthropic:claude', 'ANTHROPIC_API_KEY is not set'],
    ['google:gemini', 'GEMINI_API_KEY is not set'],
    ['compatible:qwen3', 'OPENAI_BASE_URL is not set'],
    ['ollama:qwen3', undefined],
    ['mine:m1', undefined],
    ['builtin', undefined],
  ])('%s lacks %j', (name, missing) => expect(missingFor(at(name))).toBe(missing));

  test('lacks nothing once it is set up', () => {
    expect(missingFor(at('openai:gpt-5', { providers: OPENAI }))).toBeUndefined();
    expect(missingFor(at('compatible:qwen3', { localServerUrl: LOCAL }))).toBeUndefined();
  });
});
