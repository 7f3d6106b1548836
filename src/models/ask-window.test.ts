import { describe, expect, test } from 'vitest';
import { askWindow, saysWindow } from './ask-window.ts';
import { listedIn, windowOf, windowsIn } from './window-fields.ts';

type Answer = (url: string) => Response | Promise<Response>;

/** What is read from a server with these answers, and the requests it got. */
async function asked(provider: string, baseUrl: string, answer: Answer, apiKey?: string) {
  const requests: unknown[] = [];
  const fetchFor = (caller: string, origins: readonly string[]) => async (url: unknown, init?: RequestInit) => {
    const { method = 'GET', body, headers } = init ?? {};
    requests.push([caller, ...origins, method, String(url), ...(body === undefined ? [] : [body]), headers]);
    return answer(String(url));
  };
  const target = { provider, model: 'm1', baseUrl, apiKey };
  const said = await askWindow(target, { fetchFor: fetchFor as never, timeoutMs: 60_000 });
  return { said, requests };
}

const HERE = 'http://127.0.0.1:1234';
const nothing = () => Response.json({});

test('a server is asked at each of its places until one says it', async () => {
  const props = (url: string) =>
    Response.json(url.endsWith('/props') ? { default_generation_settings: { n_ctx: 4096 } } : { data: [] });
  expect(await asked('compatible', `${HERE}/v1/`, props, 'k1')).toEqual({
    said: { answered: true, tokens: 4096 },
    requests: [
      ['models', HERE, 'GET', `${HERE}/v1/models`, { authorization: 'Bearer k1' }],
      ['models', HERE, 'GET', `${HERE}/props`, { authorization: 'Bearer k1' }],
    ],
  });
});

test('Ollama is asked about the model', async () => {
  const { requests } = await asked('ollama', HERE, nothing);
  expect(requests).toEqual([
    ['models', HERE, 'POST', `${HERE}/api/show`, '{"model":"m1"}', { 'content-type': 'application/json' }],
  ]);
});

test.each<[string, Answer, object, number]>([
  ['that says nothing of it', nothing, { answered: true }, 3],
  [
    'that refuses, whatever it says',
    () => Response.json({ data: [{ id: 'm1', n_ctx: 1 }] }, { status: 500 }),
    { answered: true },
    3,
  ],
  ['that sends something else', () => new Response('<html>'), { answered: true }, 3],
  ['that is down', () => Promise.reject(new TypeError('fetch failed')), { answered: false }, 3],
])('a server %s', async (_what, answer, said, times) => {
  const { said: found, requests } = await asked('compatible', `${HERE}/v1`, answer);
  expect(found).toEqual(said);
  expect(requests).toHaveLength(times);
});

test('a provider without such a place is asked nothing', async () => {
  expect(await asked('builtin', HERE, nothing)).toEqual({ said: { answered: false }, requests: [] });
  expect(await asked('mine', HERE, nothing)).toEqual({ said: { answered: false }, requests: [] });
});

test.each([
  ['compatible', HERE, true],
  ['ollama', HERE, true],
  ['compatible', undefined, false],
  ['builtin', HERE, false],
  ['mine', HERE, false],
])('%s at %s can be asked: %j', (provider, baseUrl, can) => expect(saysWindow({ provider, baseUrl })).toBe(can));

describe('in a list of models', () => {
  test.each([
    [{ max_model_len: 1, context_length: 2 }, 1],
    [{ loaded_context_length: 3, max_context_length: 4 }, 3],
    [{ context_length: 5 }, 5],
    [{ context_window: 6 }, 6],
    [{ max_context_length: 7 }, 7],
    [{ n_ctx: 8 }, 8],
    [{ max_model_len: '9', n_ctx: 10 }, 10],
    [{ size: 11 }, undefined],
    ['8192', undefined],
  ])('%j holds %j', (fields, tokens) => expect(windowOf(fields)).toBe(tokens));

  test('each is found that says what it holds, itself or in its details', () => {
    const data = [{ id: 'a', n_ctx: 1 }, { id: 'b', meta: { n_ctx: 2 } }, { id: 'c' }, { id: 4, n_ctx: 3 }, 'd'];
    expect([...windowsIn({ data })]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(listedIn({ data }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test.each([{ data: 'none' }, {}, 'none', undefined])('%j lists none', (body) => {
    expect(listedIn(body)).toEqual([]);
    expect([...windowsIn(body)]).toEqual([]);
  });
});
