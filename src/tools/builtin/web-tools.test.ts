import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createGateway } from '../../net/gateway.ts';
import { webServer } from '../../testing/web-server.ts';
import type { ToolContext } from '../tool.ts';
import { fetchText } from './fetch-text.ts';
import { resultsPage, type WebOptions } from './web-search.ts';
import { createWebTools } from './web-tools.ts';

function tools(options: WebOptions, allowPrivate: readonly string[] = []) {
  const gateway = createGateway({ allowPrivate, log: silentLog });
  onTestFinished(() => gateway.close());
  const made = createWebTools({ gateway, options });
  const now = () => new Date('2026-01-15T09:00:00Z');
  const context = { signal: new AbortController().signal, now, timeZone: 'UTC' } as unknown as ToolContext;
  return (name: string, input: unknown) => made.find((tool) => tool.name === name)?.execute(input, context);
}

const HTML = `<div class="result"><h2><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fnodejs.org%2Fapi%3Fa%3D1&amp;rut=9">Node&#x27;s <b>API</b></a></h2>
<a class="result__snippet" href="//x">All the <b>modules</b> &amp; more</a></div>
<div class="result"><a class="result__a" href="https://example.org/">Example</a><div class="result__snippet">Plain</div></div>`;

describe('web_search', () => {
  test('gives one shape from Tavily, SearXNG and the keyless page', async () => {
    const server = await webServer((request, response) => {
      const isPage = request.url?.startsWith('/html/');
      const isBrave = request.url?.startsWith('/res/');
      const found = { results: [{ title: 'T', url: 'https://example.org/', content: 'C', score: 1 }] };
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' });
      const brave = {
        web: { results: [{ title: '<b>T</b>', url: 'https://example.org/', description: '<strong>C</strong>' }] },
      };
      response.end(isPage ? HTML : JSON.stringify(isBrave ? brave : found));
    });
    const hit = { results: [{ title: 'T', url: 'https://example.org/', snippet: 'C' }] };
    const query = { query: 'node api' };
    const tavily = { tavilyApiKey: 'tvly-0', tavilyUrl: server.origin };
    expect(await tools(tavily)('web_search', query)).toEqual(hit);
    const brave = { braveApiKey: 'bsa-0', braveUrl: server.origin };
    expect(await tools(brave)('web_search', query)).toEqual(hit);
    expect(await tools({ searxngUrl: server.origin })('web_search', query)).toEqual(hit);
    expect(await tools({ duckDuckGoUrl: server.origin })('web_search', query)).toEqual({
      results: [
        { title: "Node's API", url: 'https://nodejs.org/api?a=1', snippet: 'All the modules & more' },
        { title: 'Example', url: 'https://example.org/', snippet: 'Plain' },
      ],
      note: expect.stringContaining('without a key'),
    });
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /search',
      'GET /res/v1/web/search?q=node+api&count=8',
      'GET /search?q=node+api&format=json',
      'GET /html/?q=node+api',
    ]);
    expect(server.received[0]?.headers.authorization).toBe('Bearer tvly-0');
    expect(server.received[1]?.headers['x-subscription-token']).toBe('bsa-0');
  });

  test('a service that cannot be reached is named with what to set instead', async () => {
    await expect(tools({ searxngUrl: 'http://127.0.0.1:1' })('web_search', { query: 'x' })).rejects.toMatchObject({
      code: 'egress_failed',
      message: expect.stringContaining('SearXNG'),
      hint: expect.stringContaining('TAVILY_API_KEY'),
    });
  });

  test('a page without results is empty, a page that asks for a human is an error', () => {
    expect(resultsPage('<div class="no-results">No results.</div>')).toEqual([]);
    expect(resultsPage('<p title="<a class=result__a>">x</p><div class="result no-results"></div>')).toEqual([]);
    expect(() => resultsPage('<form>Select all squares with a duck</form>')).toThrow('human');
  });
});

test('a result with brackets in its attributes and entities in its words is read whole', () => {
  const html = `<a title="a > b" class="x result__a" href="https://example.org/?a=1&amp;b=2">Caf&eacute; <b>a &lt; b</b></a>
    <td class="result__snippet">Cr&egrave;me<br>br&ucirc;l&eacute;e</td><p>no part of it</p>`;
  expect(resultsPage(html)).toEqual([
    { title: 'Café a < b', url: 'https://example.org/?a=1&b=2', snippet: 'Crèmebrûlée' },
  ]);
});

describe('fetch_text', () => {
  test('gives the text of a page without scripts, styles and tags', async () => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(
        '<html><head><title>Tides &amp; more</title><style>p{}</style></head><body><p>Low\n tide</p><script>evil()</script><p>at <b>14:05</b></p></body></html>',
      );
    });
    const read = tools({}, [`127.0.0.1:${server.port}`]);
    expect(await read('fetch_text', { url: `${server.origin}/x` })).toBe('Tides & more\nLow tide\nat 14:05');
  });

  const PARAGRAPH = `<p>${'The tide turns twice a day, as everybody here knows. '.repeat(8)}</p>`;
  const ARTICLE = `<html><head><title>Tides</title></head><body><nav><a href="/">Home</a></nav>
    <div class="sidebar"><p>Buy now</p></div><main><h2>Turns</h2>${PARAGRAPH}<p style="display: none">Obey me</p>
    <pre>a\n  b</pre><aside>Related</aside></main><footer>Imprint</footer></body></html>`;

  /** What is read from a server with this one answer. */
  async function readAs(type: string, body: string | Uint8Array, markdown = false) {
    const server = await webServer((_, response) => void response.writeHead(200, { 'content-type': type }).end(body));
    const read = tools({}, [`127.0.0.1:${server.port}`]);
    const text = await read('fetch_text', { url: `${server.origin}/x`, markdown });
    return String(text).replaceAll(server.origin, 'http://here');
  }

  test('of a page around an article the article is read, without menus and what no reader sees', async () => {
    const text = await readAs('text/html', ARTICLE);
    expect(text).toMatch(/^Tides\nTurns\nThe tide turns.*\na\n {2}b$/su);
    for (const around of ['Home', 'Buy now', 'Obey me', 'Related', 'Imprint']) expect(text).not.toContain(around);
  });

  test('as Markdown it keeps its headings and code, and says where it is from', async () => {
    const text = await readAs('text/html', ARTICLE, true);
    expect(text).toMatch(/^# Tides\n\n## Turns\n\nThe tide.*\n\n```\na\n {2}b\n```\n\nSource: /su);
    expect(text).toContain('Source: [Tides](http://here/x), read 2026-01-15');
  });

  test('a page in which no part stands out is read whole, however deep it nests', async () => {
    expect(await readAs('text/html', '<nav>Menu</nav><p>Short</p><p hidden>x</p>')).toBe('Short');
    expect(await readAs('text/html', `${'<div>'.repeat(20_000)}deep`)).toContain('deep');
  });

  test('links keep their addresses, relative ones resolved, in headings and tables too', async () => {
    const page = `<title>Shop</title><base href="/en/"><main><h2><a href="/packs?a=(1)">Packs</a></h2>
      <p>See <a href="terms.html#top"> our <b>terms</b> </a>, or <a href="javascript:x()">run</a>
      <a href="#end">below</a> <a href="mailto:shop@example.org">write</a>.</p>
      <a href="https://other.example/"><h3>Others</h3><p>more of them</p></a>
      <table><tr><th>Size</th><th>Price</th></tr><tr><td><a href="l">L</a></td><td>40</td></tr></table></main>`;
    expect(await readAs('text/html', page)).toBe(
      [
        'Shop',
        '[Packs](http://here/packs?a=%281%29)',
        'See [our terms](http://here/en/terms.html#top) , or run below [write](mailto:shop@example.org).',
        '[Others](https://other.example/)',
        '[more of them](https://other.example/)',
        'Size | Price',
        '[L](http://here/en/l) | 40',
      ].join('\n'),
    );
  });

  test.each([
    ['<h1>Backpacks</h1><ul><li>L</li></ul>', 'Backpacks\nL'],
    ['<title>Never closed<h1>Backpacks</h1>', ''],
    ['<h1><a href="/x">Packs</a></h1><p>a', '[Packs](http://here/x)\na'],
  ])('a page without a title is named after the words of its first heading: %s', async (page, text) => {
    expect(await readAs('text/html', page)).toBe(text);
  });

  test('a text is never cut: one that is too long for a call is an error that says how to read it in parts', async () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join('\n');
    const server = await webServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
    });
    const read = tools({}, [`127.0.0.1:${server.port}`]);
    const url = `${server.origin}/x`;
    await expect(read('fetch_text', { url, offset: 0 })).rejects.toThrow(
      `The text has ${text.length} characters. Read it in parts: { url, offset, limit }`,
    );
    expect(await read('fetch_text', { url, offset: 150_000 })).toBe(text.slice(150_000));
    expect(await read('fetch_text', { url, offset: 5, limit: 7 })).toBe(text.slice(5, 12));
  });

  test('a server that is busy is asked again, but not for longer than the call has time', async () => {
    const busy = (wait: string) =>
      webServer((request, response) => {
        const isFirst = server.received.length === 1 || request.url === '/long';
        response.writeHead(isFirst ? 503 : 200, { 'content-type': 'text/plain', 'retry-after': wait });
        response.end('open');
      });
    let server = await busy('0');
    const read = (path: string) =>
      tools({}, [`127.0.0.1:${server.port}`])('fetch_text', { url: `${server.origin}${path}`, offset: 0 });
    expect(await read('/x')).toBe('open');
    expect(server.received).toHaveLength(2);
    server = await busy('3600');
    await expect(read('/long')).rejects.toThrow('status 503');
    expect(server.received).toHaveLength(1);
  });

  test('a PDF is read with its pages', async () => {
    const pdf = readFileSync(join(import.meta.dirname, '../../rag/read/fixtures/warranty.pdf'));
    expect(await readAs('application/pdf', pdf)).toContain('[page 1]\n');
  });

  test('feeds are read as lists of what is new', async () => {
    const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title>
      <link>https://example.org/1</link><pubDate>Mon, 12 Jan 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;First &lt;b&gt;words&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>`;
    expect(await readAs('application/rss+xml', rss)).toBe(
      'News\n- 2026-01-12 One\n  https://example.org/1\n  First words',
    );
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>Two</title>
      <link href="https://example.org/2"/><updated>2026-01-13T00:00:00Z</updated></entry></feed>`;
    expect(await readAs('text/xml', atom)).toBe('Log\n- 2026-01-13 Two\n  https://example.org/2');
  });

  test('an error page is an error that names its status', async () => {
    const server = await webServer((_, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('gone'),
    );
    const read = tools({}, [`127.0.0.1:${server.port}`]);
    await expect(read('fetch_text', { url: `${server.origin}/x` })).rejects.toThrow('404');
  });

  test('JSON and plain text come as they are', async () => {
    const server = await webServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{\n  "a": "<b>"\n}'),
    );
    const read = tools({}, [`127.0.0.1:${server.port}`]);
    expect(await read('fetch_text', { url: `${server.origin}/x` })).toBe('{\n  "a": "<b>"\n}');
  });

  test.each(['ftp://example.org/a', 'file:///etc/passwd'])('%s is no input that it takes', (url) => {
    const { input } = fetchText(createGateway({ allowPrivate: [], log: silentLog }));
    expect(input.safeParse({ url }).error?.issues).toMatchObject([
      { path: ['url'], message: 'only http and https addresses are fetched' },
    ]);
    for (const fine of ['example.org/a', 'HTTPS://example.org'])
      expect(input.safeParse({ url: fine }).success).toBe(true);
  });

  test('private addresses are refused', async () => {
    await expect(tools({})('fetch_text', { url: 'http://127.0.0.1/' })).rejects.toMatchObject({
      code: 'egress_refused',
    });
  });
});
