import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { freePort } from '../testing/server-process.ts';
import { type WebServer, webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';
import type { GatewayDeps, GatewayRequest } from './types.ts';

function gateway(deps: Partial<GatewayDeps> = {}) {
  const made = createGateway({ allowPrivate: [], log: silentLog, ...deps });
  onTestFinished(() => made.close());
  return made;
}

const ask = (server: WebServer, rest: Partial<GatewayRequest> = {}): GatewayRequest => ({
  url: `${server.origin}/page?token=abc`,
  caller: 'fetch_text',
  signal: new AbortController().signal,
  configured: [server.origin],
  ...rest,
});

describe('who may be reached', () => {
  test('a private address is refused without a connection', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    await expect(gateway().request(ask(server, { configured: [] }))).rejects.toMatchObject({ code: 'egress_refused' });
    expect(server.received).toEqual([]);
  });

  test("a caller's own configured origin is reached although private", async () => {
    const server = await webServer((_, response) => response.end('inside'));
    expect((await gateway().request(ask(server))).text()).toBe('inside');
  });

  test('EGRESS_ALLOW_PRIVATE opens one host and port for every caller', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    const other = await webServer((_, response) => response.end('other'));
    const open = gateway({ allowPrivate: [`127.0.0.1:${server.port}`] });
    expect((await open.request(ask(server, { configured: [] }))).text()).toBe('inside');
    await expect(open.request(ask(other, { configured: [] }))).rejects.toMatchObject({ code: 'egress_refused' });
  });

  test('a connection opened for one caller is not lent to another', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    const way = gateway({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const url = `http://intranet.test:${server.port}/`;
    await way.request(ask(server, { url, configured: [new URL(url).origin] }));
    await expect(way.request(ask(server, { url, configured: [] }))).rejects.toMatchObject({ code: 'egress_refused' });
    expect(server.received).toHaveLength(1);
  });

  test('a caller on the list of tool hosts reaches these hosts alone', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    const way = gateway({ toolHosts: ['fetch_text=*.example.org', 'other=127.0.0.1'] });
    await expect(way.request(ask(server))).rejects.toMatchObject({ code: 'egress_refused' });
    expect((await way.request(ask(server, { caller: 'other' }))).status).toBe(200);
  });
});

describe('what comes back', () => {
  test('the cap counts bytes after decompression', async () => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    });
    await expect(gateway().request(ask(server))).rejects.toMatchObject({ code: 'egress_failed' });
  });

  test('another content type is refused, an error page of any type is not', async () => {
    const server = await webServer((request, response) => {
      response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'image/png' }).end('x');
    });
    const accept = ['text/'];
    await expect(gateway().request(ask(server, { accept }))).rejects.toMatchObject({ code: 'egress_failed' });
    const gone = await gateway().request(ask(server, { accept, url: `${server.origin}/gone` }));
    expect(gone.status).toBe(404);
  });

  test('text is read in the charset of its content type', async () => {
    const server = await webServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
        .end(Buffer.from([0xe9, 0x74, 0xe9]));
    });
    expect((await gateway().request(ask(server))).text()).toBe('été');
  });

  test('a body that stops half-way ends at the total time', async () => {
    const server = await webServer((_, response) => response.writeHead(200).write('half'));
    await expect(gateway().request(ask(server, { totalMs: 100 }))).rejects.toMatchObject({
      code: 'egress_failed',
      message: expect.stringContaining('100 ms'),
    });
  });

  test("the caller's abort comes through as it is", async () => {
    const server = await webServer(() => {});
    const stop = new AbortController();
    const asked = gateway().request(ask(server, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('the log', () => {
  test('has one line per request, without the path of a configured address, which may hold its key', async () => {
    const lines: unknown[] = [];
    const note = (message: string, fields?: object) => lines.push({ message, ...fields });
    const server = await webServer((_, response) => response.end('ok'));
    await gateway({ log: { ...silentLog, info: note } }).request(ask(server));
    expect(lines).toEqual([
      {
        message: 'egress',
        caller: 'fetch_text',
        method: 'GET',
        host: `127.0.0.1:${server.port}`,
        status: 200,
        ms: expect.any(Number),
      },
    ]);
  });
});

describe('the fetch for model clients', () => {
  test('streams while the answer is still being written', async () => {
    const server = await webServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const response = await gateway().fetchFor('openai', [server.origin])(`${server.origin}/v1`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer x' },
    });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    await reader?.cancel();
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer x' },
    });
  });

  test('reaches its own origins only, redirects included', async () => {
    const secret = await webServer((_, response) => response.end('inside'));
    const server = await webServer((_, response) => response.writeHead(302, { location: secret.origin }).end());
    const model = gateway().fetchFor('openai', [server.origin]);
    await expect(model(secret.origin)).rejects.toMatchObject({ code: 'egress_refused' });
    await expect(model(server.origin)).rejects.toMatchObject({ code: 'egress_refused' });
    expect(secret.received).toEqual([]);
  });

  test('an abort ends it and a closed port is an egress failure', async () => {
    const server = await webServer(() => {});
    const model = gateway().fetchFor('openai', [server.origin, 'http://127.0.0.1:9']);
    const stop = new AbortController();
    const asked = model(server.origin, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(model('http://127.0.0.1:9/')).rejects.toMatchObject({ code: expect.stringMatching(/^egress_/u) });
  });
});

describe('the fetch for plugins', () => {
  test('reaches the public internet and what the person opened, and nothing private', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    await expect(gateway().publicFetch('plugin')(server.origin)).rejects.toMatchObject({ code: 'egress_refused' });
    const opened = gateway({ allowPrivate: [`127.0.0.1:${server.port}`] }).publicFetch('plugin');
    expect(await (await opened(new Request(`${server.origin}/a`))).text()).toBe('inside');
  });

  test('a redirect to the inside is refused', async () => {
    const inside = await webServer((_, response) => response.end('inside'));
    const server = await webServer((_, response) => response.writeHead(302, { location: inside.origin }).end());
    const opened = gateway({ allowPrivate: [`127.0.0.1:${server.port}`] }).publicFetch('plugin');
    await expect(opened(server.origin)).rejects.toMatchObject({ code: 'egress_refused' });
    expect(inside.received).toEqual([]);
  });
});

describe('an address with a name in it', () => {
  test.each(['ann@', ':secret@', 'ann:secret@'])('%s is no way to a model', async (user) => {
    const server = await webServer((_, response) => response.end('inside'));
    const asked = gateway().fetchFor('openai', [server.origin])(`http://${user}127.0.0.1:${server.port}/v1`);
    await expect(asked).rejects.toMatchObject({
      code: 'egress_failed',
      message: expect.stringContaining('credentials'),
    });
    expect(server.received).toEqual([]);
  });
});

describe('names that the system knows', () => {
  test('are found without a resolver of our own', async () => {
    const server = await webServer((_, response) => response.end('inside'));
    const url = `http://localhost:${server.port}`;
    expect((await gateway().request(ask(server, { url, configured: [url] }))).text()).toBe('inside');
  });

  test('lead to a closed port, which is said', async () => {
    const url = `http://localhost:${await freePort()}`;
    const asked = gateway().request({ url, caller: 'x', signal: new AbortController().signal, configured: [url] });
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  });
});

test('a failed request leaves a line in the log, with the reason and without its query', async () => {
  const lines: object[] = [];
  const warn = (message: string, fields?: object) => void lines.push({ message, ...fields });
  const origin = `http://127.0.0.1:${await freePort()}`;
  const way = gateway({ log: { ...silentLog, warn } });
  const signal = new AbortController().signal;
  await expect(way.request({ url: `${origin}/a?b=c`, caller: 'x', signal, configured: [origin] })).rejects.toThrow();
  const error = expect.stringContaining('ECONNREFUSED');
  expect(lines).toEqual([{ message: 'egress', caller: 'x', method: 'GET', host: origin.slice(7), error }]);
});

test('of any other address the log has the path, and no query', async () => {
  const lines: object[] = [];
  const warn = (message: string, fields?: object) => void lines.push({ message, ...fields });
  const way = gateway({ log: { ...silentLog, warn }, resolve: async () => [] });
  const asked = way.request({ url: 'https://free.example/a?b=c', caller: 'x', signal: new AbortController().signal });
  await expect(asked).rejects.toThrow();
  expect(lines).toMatchObject([{ message: 'egress', host: 'free.example', path: '/a' }]);
});

test('a program says who it is, and what it asks for comes whole: status, address, headers, bytes', async () => {
  const server = await webServer((_, response) => response.writeHead(201, { 'x-left': '3' }).end('made'));
  const body = new TextEncoder().encode('{}');
  const answer = await gateway().request(ask(server, { method: 'PUT', body, headers: { accept: 'text/plain' } }));
  expect(answer).toMatchObject({ status: 201, url: `${server.origin}/page?token=abc`, headers: { 'x-left': '3' } });
  expect(Buffer.from(answer.body).toString()).toBe('made');
  expect(server.received).toMatchObject([
    {
      ...{ method: 'PUT', url: '/page?token=abc', body: '{}' },
      headers: { 'user-agent': 'Wooster/0.1 (personal assistant)', accept: 'text/plain' },
    },
  ]);
});

test('two megabytes are read and no more, unless the caller says so', async () => {
  const server = await webServer((_, response) => response.end(Buffer.alloc(2_000_001)));
  await expect(gateway().request(ask(server))).rejects.toMatchObject({ message: expect.stringContaining('2000000') });
  expect((await gateway().request(ask(server, { maxBytes: 2_000_001 }))).body).toHaveLength(2_000_001);
});
