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
