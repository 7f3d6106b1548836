import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../net/types.ts';
import { resultsPage, searchWeb, type WebOptions } from './web-search.ts';

type Asked = Parameters<Gateway['request']>[0];

/** A search by what is set up, with what its service answers. */
function search(options: WebOptions, body: unknown, { status = 200, signal = new AbortController().signal } = {}) {
  const asked: Asked[] = [];
  const request = async (each: Asked) => {
    asked.push(each);
    return { status, text: () => (typeof body === 'string' ? body : JSON.stringify(body)) };
  };
  const found = searchWeb({ gateway: { request } as unknown as Gateway, options }, 'tulips & "bulbs"', signal);
  return { asked, found, signal };
}

const HIT = { title: 'Tulips', url: 'https://garden.example/', snippet: 'They bloom.' };
const PAGE = `<a class="result__a" href="https://garden.example/">Tulips</a><p class="result__snippet">They bloom.</p>`;
const NOTE =
  "From DuckDuckGo's page, without a key: some may be missing. " +
  'TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_BASE_URL sets up a service.';
const ALL = { tavilyApiKey: 't', braveApiKey: 'b', searxngUrl: 'http://sear.example/x' };

describe('what is set up first is asked', () => {
  test.each<[string, WebOptions, string, readonly string[]]>([
    ['Tavily', ALL, 'https://api.tavily.com/search', []],
    ['Tavily elsewhere', { ...ALL, tavilyUrl: 'http://t.example' }, 'http://t.example/search', ['http://t.example']],
  ])('%s', async (_, options, url, configured) => {
    const results = [{ title: 'Tulips', url: HIT.url, content: 'They bloom.' }];
    const { asked, found, signal } = search(options, { results });
    expect(await found).toEqual({ results: [HIT] });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer t' };
    const body = JSON.stringify({ query: 'tulips & "bulbs"', max_results: 8 });
    const rest = { caller: 'web_search', accept: ['application/json'], signal };
    expect(asked).toEqual([{ url, configured, method: 'POST', headers, body, ...rest }]);
  });

  const brave = { ...ALL, tavilyApiKey: undefined };
  test.each<[string, WebOptions, string, readonly string[]]>([
    ['Brave', brave, 'https://api.search.brave.com', []],
    ['Brave elsewhere', { ...brave, braveUrl: 'http://b.example/' }, 'http://b.example', ['http://b.example/']],
  ])('%s, whose results are marked up', async (_, options, base, configured) => {
    const results = [
      { title: '<b>Tulips</b>', url: HIT.url, description: ' They <strong>bloom</strong>. ' },
      { title: 'Bare', url: 'https://bare.example/' },
    ];
    const { asked, found, signal } = search(options, { web: { results } });
    expect(await found).toEqual({ results: [HIT, { title: 'Bare', url: 'https://bare.example/', snippet: '' }] });
    const url = `${base}/res/v1/web/search?q=tulips+%26+%22bulbs%22&count=8`;
    const headers = { 'x-subscription-token': 'b' };
    expect(asked).toEqual([{ caller: 'web_search', url, headers, signal, configured, accept: ['application/json'] }]);
    expect(await search(options, {}).found).toEqual({ results: [] });
  });

  test('SearXNG, below its own path', async () => {
    const results = [
      { title: 'Tulips', url: HIT.url, content: 'They bloom.' },
      { url: 'https://bare.example/', content: null },
    ];
    const { asked, found, signal } = search({ searxngUrl: ALL.searxngUrl }, { results });
    const bare = { title: 'https://bare.example/', url: 'https://bare.example/', snippet: '' };
    expect(await found).toEqual({ results: [HIT, bare] });
    const url = 'http://sear.example/x/search?q=tulips+%26+%22bulbs%22&format=json';
    const configured = [ALL.searxngUrl];
    expect(asked).toEqual([{ caller: 'web_search', url, signal, configured, accept: ['application/json'] }]);
  });

  test.each<[WebOptions, string, readonly string[]]>([
    [{}, 'https://html.duckduckgo.com/html/', []],
    [{ duckDuckGoUrl: 'http://d.example' }, 'http://d.example/html/', ['http://d.example']],
  ])(
    'and with nothing set up, a page without a key, with a note that says so: %j',
    async (options, page, configured) => {
      const { asked, found, signal } = search(options, PAGE);
      expect(await found).toEqual({ results: [HIT], note: NOTE });
      const url = `${page}?q=tulips+%26+%22bulbs%22`;
      expect(asked).toEqual([{ caller: 'web_search', url, signal, configured, accept: ['text/html'] }]);
    },
  );
});

test('eight results are given, pages of the web alone, each with its first 500 characters', async () => {
  const results = Array.from({ length: 10 }, (_, nth) => ({
    ...{ title: `${nth}`, url: `https://garden.example/${nth}`, content: 'x'.repeat(501) },
  }));
  const strange = { title: 'x', url: 'javascript:alert(1)', content: '' };
  const { results: found } = await search({ tavilyApiKey: 't' }, { results: [strange, ...results] }).found;
  expect(found.map(({ title }) => title)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  expect(new Set(found.map(({ snippet }) => snippet.length))).toEqual(new Set([500]));
});

const HINT = 'Set TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_BASE_URL, or try again later.';

test.each<[WebOptions, string, unknown, number, string]>([
  [{ tavilyApiKey: 't' }, 'a refusal', {}, 401, 'Tavily returned no results: it answered with status 401.'],
  [{ braveApiKey: 'b' }, 'no JSON', 'oh no', 200, 'Brave returned no results: Unexpected token'],
  [{ searxngUrl: 'http://s.example' }, 'something else', { hits: [] }, 200, 'SearXNG returned no results: '],
  [{}, 'an error', '', 503, 'The keyless search returned no results: it answered with status 503.'],
  [
    {},
    'a question',
    '<form>A duck?</form>',
    200,
    'its page holds no results that can be read; it may be asking whether',
  ],
])('with %j, %s is told with the service and what to set', async (options, _, body, status, message) => {
  await expect(search(options, body, { status }).found).rejects.toMatchObject({
    ...{ code: 'egress_failed', message: expect.stringContaining(message), hint: HINT, cause: expect.any(Error) },
  });
});

test('a search that was stopped is no failed one', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(search({ tavilyApiKey: 't' }, {}, { status: 500, signal }).found).rejects.toThrow(/^stopped$/u);
});

test('a page of results is read whatever its marks: titles and texts in one line, addresses unwrapped', () => {
  const wrapped = '//duckduckgo.com/l/?uddg=https%3A%2F%2Fgarden.example%2Fa%3Fb%3D1&rut=x';
  const page = `
    <p>result</p><span class="result__a">no link</span>
    <a class="big result__a" href="${wrapped}"> All  about\n<b>tulips</b> </a> between
    <div class="result__snippet">They <b>bloom <i>in</i></b> April.</div> after
    <a class="result__a" href="/relative">Second</a>
    <a class="result__a">Third</a>`;
  expect(resultsPage(page)).toEqual([
    { title: 'All about tulips', url: 'https://garden.example/a?b=1', snippet: 'They bloom in April.' },
    { title: 'Second', url: 'https://duckduckgo.com/relative', snippet: '' },
    { title: 'Third', url: 'https://duckduckgo.com/', snippet: '' },
  ]);
});
