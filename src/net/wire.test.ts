import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { type WebServer, webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';

const TEXT = 'High water is at 14:05. '.repeat(1000);

function modelFetch(server: WebServer): typeof fetch {
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  onTestFinished(() => gateway.close());
  return gateway.fetchFor('models', [server.origin]);
}

test.each([
  ['gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
])('an answer in %s is read as it was meant', async (coding, body) => {
  const server = await webServer((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body));
  const response = await modelFetch(server)(`${server.origin}/v1`);
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(await response.text()).toBe(TEXT);
  expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, deflate');
});

test('the cap counts bytes after decompression', { timeout: 30_000 }, async () => {
  const bomb = gzipSync(Buffer.alloc(65_000_000));
  const server = await webServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  const response = await modelFetch(server)(server.origin);
  await expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'egress_failed' });
});

test('no body, and what was asked with HEAD', async () => {
  const server = await webServer((_, response) => response.writeHead(204, { 'x-left': '3' }).end());
  const model = modelFetch(server);
  expect((await model(server.origin)).headers.get('x-left')).toBe('3');
  expect((await model(server.origin, { method: 'HEAD' })).body).toBeNull();
});

test('an answer that is not read does not arrive, and one that is given up ends', async () => {
  let sent = 0;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const server = await webServer((_, response) => {
    const more = () => {
      while (sent < 50_000_000) {
        sent += 1_000_000;
        if (!response.write(Buffer.alloc(1_000_000))) return;
      }
    };
    response.on('drain', more).on('close', close);
    more();
  });
  const response = await modelFetch(server)(server.origin);
  const reader = response.body?.getReader();
  await reader?.read();
  expect(sent).toBeLessThan(50_000_000);
  await reader?.cancel();
  await closed;
});

test('an abort ends an answer in the middle, with its own reason', async () => {
  const server = await webServer((_, response) => response.write('data: 1\n\n'));
  const stop = new AbortController();
  const response = await modelFetch(server)(server.origin, { signal: stop.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  stop.abort(new Error('enough'));
  await expect(reader?.read()).rejects.toThrow('enough');
});

test('what nobody here can read is passed on as it is, and too many layers are an attack', async () => {
  const server = await webServer((request, response) => {
    const coding = request.url === '/many' ? Array(6).fill('gzip').join(', ') : 'gzip, unheard-of';
    response.writeHead(200, { 'content-encoding': coding }).end('as it is');
  });
  const model = modelFetch(server);
  expect(await (await model(`${server.origin}/one`)).text()).toBe('as it is');
  await expect(model(`${server.origin}/many`)).rejects.toMatchObject({
    code: 'egress_failed',
    message: '127.0.0.1 could not be reached: too many content codings: 6.',
  });
});

test('a coding in its old name and in capitals, five layers deep, and an answer without a body', async () => {
  const deep = [1, 2, 3, 4].reduce((inner) => gzipSync(inner), gzipSync(TEXT));
  const server = await webServer((request, response) => {
    const head = request.method === 'HEAD';
    const coding = request.url === '/deep' ? 'gzip,gzip,gzip,gzip,gzip' : 'X-GZIP';
    response
      .writeHead(200, { 'content-encoding': coding })
      .end(head ? '' : request.url === '/deep' ? deep : gzipSync(TEXT));
  });
  const model = modelFetch(server);
  expect(await (await model(server.origin)).text()).toBe(TEXT);
  expect(await (await model(`${server.origin}/deep`)).text()).toBe(TEXT);
  expect((await model(server.origin, { method: 'HEAD' })).body).toBeNull();
});

test('the head of an answer comes through: status, its text and headers that come twice', async () => {
  const server = await webServer((_, response) => {
    response.writeHead(418, 'Short and stout', [...['x-part', 'a'], ...['x-part', 'b']]);
    response.end('pot');
  });
  const response = await modelFetch(server)(`${server.origin}/tea?milk=1`);
  expect([response.status, response.statusText, response.headers.get('x-part')]).toEqual([
    418,
    'Short and stout',
    'a, b',
  ]);
  expect([response.url, response.ok]).toEqual([`${server.origin}/tea?milk=1`, false]);
  expect(server.received[0]).toMatchObject({
    ...{ url: '/tea?milk=1', method: 'GET', body: '' },
    headers: { accept: '*/*', 'user-agent': expect.stringContaining('Wooster') },
  });
});

test('a text that is posted says what it is, unless the caller does, and keeps its headers', async () => {
  const server = await webServer((_, response) => response.end());
  const model = modelFetch(server);
  await model(server.origin, { method: 'post', body: 'é', headers: { 'user-agent': 'mine' } });
  await model(server.origin, { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } });
  const form = new FormData();
  form.set('name', 'ann');
  await model(new URL(server.origin), { method: 'POST', body: form });
  expect(server.received).toMatchObject([
    { method: 'POST', body: 'é', headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': 'mine' } },
    { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } },
    { method: 'POST', headers: { 'content-type': expect.stringMatching(/^multipart\/form-data/u) } },
  ]);
  expect(server.received[2]?.body).toContain('ann');
});

test('an answer whose connection breaks in the middle fails where it is read', async () => {
  const server = await webServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  });
  const response = await modelFetch(server)(server.origin);
  await expect(response.text()).rejects.toThrow();
});

test('a request that was stopped before it began is never made', async () => {
  const server = await webServer((_, response) => response.end());
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(modelFetch(server)(server.origin, { signal })).rejects.toThrow('too late');
  expect(server.received).toEqual([]);
});
