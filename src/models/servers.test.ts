import { expect, test } from 'vitest';
import { chatModels, type FetchFor, firstChatModel, listModels } from './servers.ts';

interface Asked {
  url: string;
  origins: readonly string[];
  headers: unknown;
}

/** Query a server with this answer. */
async function ask(target: Parameters<typeof listModels>[0], answer: () => Response) {
  const asked: Asked[] = [];
  const fetchFor: FetchFor = (caller, origins) => async (url, init) => {
    asked.push({ url: `${caller} ${String(url)}`, origins, headers: init?.headers });
    return answer();
  };
  return { state: await listModels(target, { fetchFor, timeoutMs: 1000 }), asked };
}

const json = (body: unknown) => () => Response.json(body);
const LOCAL = { provider: 'compatible', baseUrl: 'http://127.0.0.1:1234/v1', apiKey: undefined };
const LISTED = { data: [{ id: 'qwen3:4b', context_length: 8192 }, { id: 'bge-small' }] };

test.each([
  [LOCAL, 'http://127.0.0.1:1234/v1/models', {}],
  [{ ...LOCAL, baseUrl: `${LOCAL.baseUrl}/` }, 'http://127.0.0.1:1234/v1/models', {}],
  [
    { provider: 'ollama', baseUrl: 'http://127.0.0.1:11434', apiKey: undefined },
    'http://127.0.0.1:11434/v1/models',
    {},
  ],
  [
    { ...LOCAL, provider: 'of a plugin', apiKey: 'k1' },
    'http://127.0.0.1:1234/v1/models',
    { authorization: 'Bearer k1' },
  ],
])('%j is asked for its models, and nobody else', async (target, url, headers) => {
  const { state, asked } = await ask(target, json(LISTED));
  expect(asked).toEqual([{ url: `models ${url}`, origins: [new URL(url).origin], headers }]);
  expect(state).toEqual({
    state: 'ready',
    models: ['qwen3:4b', 'bge-small'],
    windows: new Map([['qwen3:4b', 8192]]),
  });
});

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const broken = (error: Error) => () => {
  throw error;
};

test.each<[string, () => Response, string, boolean]>([
  ['a bad status', () => new Response('', { status: 404 }), 'answered 404 for its list of models', false],
  ['that it is overloaded', () => new Response('', { status: 503 }), 'answered 503 for its list of models', true],
  ['no models', json({ data: [] }), 'has no model loaded', false],
  ['something else', json('hello'), 'has no model loaded', false],
  ['no JSON', () => new Response('{'), expect.stringMatching(/^does not answer/u), false],
  ['nothing', broken(refused), 'does not answer (refused)', true],
  ['too late', broken(new DOMException('late', 'TimeoutError')), 'does not answer (late)', true],
])('a server that answers %s is down', async (_name, answer, detail, away) => {
  expect((await ask(LOCAL, answer)).state).toEqual({ state: 'down', detail, away });
});

test('models that embed, rank or listen do not chat', () => {
  const others = ['nomic-embed-text', 'bge-m3', 'all-MiniLM-L6', 'jina-ReRank', 'whisper-1', 'multilingual-e5-base'];
  expect(chatModels([...others, 'qwen3:4b', 'llama3.2'])).toEqual(['qwen3:4b', 'llama3.2']);
  expect(firstChatModel([...others, 'qwen3:4b', 'llama3.2'])).toBe('qwen3:4b');
  expect(firstChatModel(others)).toBeUndefined();
});
