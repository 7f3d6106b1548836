import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';
import { nextHop } from './hops.ts';
import type { GatewayRequest } from './types.ts';

/** Two names on one loopback server that the person opened, and one place inside that nobody did. */
async function scene(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const inside = await webServer((_, response) => response.end('inside'));
  const server = await webServer(listener);
  const [a, b] = [`a.test:${server.port}`, `b.test:${server.port}`];
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const gateway = createGateway({ allowPrivate: [a, b], log: silentLog, resolve });
  onTestFinished(() => gateway.close());
  const ask = (rest: Partial<GatewayRequest> = {}) =>
    gateway.request({ url: `http://${a}/start`, caller: 'x', signal: new AbortController().signal, ...rest });
  return { ask, server, inside, a: `http://${a}`, b: `http://${b}` };
}

const refused = { code: 'egress_refused' };

describe('a redirect to the inside', () => {
  const targets = (inside: string) => [
    inside,
    'http://127.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://localhost./',
  ];

  test.each([301, 302, 303, 307, 308])('by %i is refused, however it is written', async (status) => {
    let location = '';
    const { ask, inside } = await scene((_, response) => response.writeHead(status, { location }).end());
    for (location of targets(inside.origin)) await expect(ask()).rejects.toMatchObject(refused);
    expect(inside.received).toEqual([]);
  });

  test.each(['file:///etc/passwd', 'ftp://a.test/', '//127.0.0.1/', 'http://user:pass@a.test/', 'data:text/plain,x'])(
    'to %s is refused',
    async (location) => {
      const { ask } = await scene((_, response) => response.writeHead(302, { location }).end());
      await expect(ask()).rejects.toMatchObject(refused);
    },
  );

  test('by way of a second public hop is refused', async () => {
    const { ask, inside, server } = await scene((request, response) => {
      const location = request.url === '/start' ? '/second' : inside.origin;
      response.writeHead(302, { location }).end();
    });
    await expect(ask()).rejects.toMatchObject(refused);
    expect(server.received.map(({ url }) => url)).toEqual(['/start', '/second']);
    expect(inside.received).toEqual([]);
  });
});

describe('a chain', () => {
  test('that never ends is refused after five redirects', async () => {
    const { ask, server } = await scene((_, response) => response.writeHead(302, { location: '/start' }).end());
    await expect(ask()).rejects.toMatchObject(refused);
    expect(server.received).toHaveLength(6);
  });

  test('that ends is followed, and the answer names its last address', async () => {
    const { ask, b } = await scene((request, response) => {
      if (request.url === '/end') response.end('there');
      else response.writeHead(302, { location: request.url === '/start' ? `${b}/two` : '/end' }).end();
    });
    expect(await ask()).toMatchObject({ url: `${b}/end`, status: 200 });
  });

  test('with no redirect allowed is refused at once', async () => {
    const { ask, server } = await scene((_, response) => response.writeHead(302, { location: '/x' }).end());
    await expect(ask({ maxRedirects: 0 })).rejects.toMatchObject(refused);
    expect(server.received).toHaveLength(1);
  });

  test('a 3xx without a location is an answer', async () => {
    const { ask } = await scene((_, response) => response.writeHead(302).end('odd'));
    expect((await ask()).status).toBe(302);
  });
});

describe('what travels along', () => {
  const credentials = { authorization: 'Bearer t', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/plain' };

  test('to another origin only harmless headers do', async () => {
    const { ask, server, b } = await scene((request, response) => {
      if (request.url === '/end') response.end();
      else response.writeHead(302, { location: `${b}/end` }).end();
    });
    await ask({ headers: credentials });
    expect(server.received[0]?.headers).toMatchObject(credentials);
    expect(Object.keys(server.received[1]?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
    expect(server.received[1]?.headers).not.toHaveProperty('cookie');
    expect(server.received[1]?.headers).not.toHaveProperty('x-api-key');
    expect(server.received[1]?.headers).toMatchObject({ accept: 'text/plain' });
  });

  test('within the origin all headers do', async () => {
    const { ask, server } = await scene((request, response) => {
      if (request.url === '/end') response.end();
      else response.writeHead(302, { location: '/end' }).end();
    });
    await ask({ headers: credentials });
    expect(server.received[1]?.headers).toMatchObject(credentials);
  });

  test.each([301, 302, 303])('a POST goes on as a GET without its body after %i', async (status) => {
    const { ask, server } = await scene((request, response) => {
      if (request.url === '/end') response.end();
      else response.writeHead(status, { location: '/end' }).end();
    });
    await ask({ method: 'POST', body: 'private' });
    expect(server.received[1]).toMatchObject({ method: 'GET', body: '' });
  });

  test.each([307, 308])('a body is sent again within the origin after %i, and never to another', async (status) => {
    let location = '/end';
    const { ask, server, b } = await scene((request, response) => {
      if (request.url === '/end') response.end();
      else response.writeHead(status, { location }).end();
    });
    await ask({ method: 'POST', body: 'private' });
    expect(server.received[1]).toMatchObject({ method: 'POST', body: 'private' });
    location = `${b}/end`;
    await expect(ask({ method: 'POST', body: 'private' })).rejects.toMatchObject(refused);
    expect(server.received).toHaveLength(3);
  });

  test('https never goes on as http', () => {
    const hop = { url: new URL('https://example.org/'), method: 'GET', headers: {}, body: undefined };
    expect(() => nextHop(hop, 302, 'http://example.org/')).toThrow('from https to http');
  });
});
