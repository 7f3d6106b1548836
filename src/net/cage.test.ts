import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Cage, outsideOfCage } from '../base/cage.ts';
import { eachCaged, runCaged } from './cage.ts';

const accepted: string[] = [];
const server = http.createServer((request, response) => {
  accepted.push(request.url ?? '');
  response.end('answer');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const REFUSED = new Error('not past the gateway');

function cage(): Cage & { readonly seen: string[] } {
  const seen: string[] = [];
  const inner: typeof fetch = (input) => {
    seen.push(String(input));
    return undiciFetch(`http://127.0.0.1:${port}/through`) as unknown as Promise<Response>;
  };
  return { seen, fetch: inner, refusal: () => REFUSED };
}

const ended = (emitter: NodeJS.EventEmitter) =>
  new Promise<unknown>((done) => emitter.once('error', done).once('connect', () => done('connected')));

/** Every way to a connection that Node has, each giving the error it ends with. */
const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['node:http', () => ended(http.get({ port, host: '127.0.0.1', path: '/past' }))],
  ['node:http with a kept-alive agent', () => ended(http.get({ port, agent: new http.Agent({ keepAlive: true }) }))],
  ['node:https', () => ended(https.get(`https://127.0.0.1:${port}/past`))],
  [
    'node:http2',
    () =>
      ended(
        http2
          .connect(`http://127.0.0.1:${port}`)
          .on('error', () => {})
          .request({}),
      ),
  ],
  ['node:net', () => ended(net.connect(port, '127.0.0.1'))],
  ['a name that would be looked up', () => ended(net.connect(80, 'wooster.invalid'))],
  ['node:tls', () => ended(tls.connect(port, '127.0.0.1'))],
  ["undici's fetch", () => undiciFetch(`http://127.0.0.1:${port}/past`).catch((error: Error) => error.cause)],
  ['a WebSocket', () => new Promise((done) => new WebSocket(`ws://127.0.0.1:${port}`).addEventListener('error', done))],
];

describe('a connection of its own is refused', () => {
  test.each(WAYS)('%s', async (name, connect) => {
    const error = await runCaged(cage(), connect);
    if (name !== 'a WebSocket') expect(error).toBe(REFUSED);
    expect(accepted.filter((path) => path !== '/through')).toEqual([]);
  });

  test('also in what the work goes on with later', async () => {
    const error = await runCaged(cage(), async () => {
      await new Promise((done) => setTimeout(done, 5));
      return ended(net.connect(port, '127.0.0.1'));
    });
    expect(error).toBe(REFUSED);
  });
});

test('the global fetch is the one of the cage, which is not caged itself', async () => {
  const inside = cage();
  const text = await runCaged(inside, async () => (await fetch('https://example.test/v1')).text());
  expect([text, inside.seen]).toEqual(['answer', ['https://example.test/v1']]);
});

test('what runs beside a cage is free, and two cages do not meet', async () => {
  const [one, two] = [cage(), cage()];
  const free = fetch(`http://127.0.0.1:${port}/through`).then((response) => response.text());
  await Promise.all([runCaged(one, () => fetch('https://one.test')), runCaged(two, () => fetch('https://two.test'))]);
  expect(await free).toBe('answer');
  expect([one.seen, two.seen]).toEqual([['https://one.test'], ['https://two.test']]);
  expect(await runCaged(one, () => outsideOfCage(() => ended(net.connect(port, '127.0.0.1'))))).toBe('connected');
});

test('a fetch that was put over the guarded one since is guarded as well', async () => {
  runCaged(cage(), () => undefined);
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = () => Promise.reject(new Error('the newer one'));
  const inside = cage();
  await runCaged(inside, () => fetch('https://example.test/'));
  expect(inside.seen).toEqual(['https://example.test/']);
  await expect(fetch('https://example.test/')).rejects.toThrow('the newer one');
});

test('every step of a generator is caged, whoever asks for it, and its end as well', async () => {
  const inside = cage();
  const ends: string[] = [];
  async function* pages() {
    try {
      for (const page of [1, 2, 3]) {
        await fetch(`https://page.test/${page}`);
        yield page;
      }
    } finally {
      await fetch('https://page.test/end');
      ends.push('ended');
    }
  }
  for await (const page of eachCaged(inside, pages())) if (page === 2) break;
  expect(inside.seen).toEqual(['https://page.test/1', 'https://page.test/2', 'https://page.test/end']);
  expect(ends).toEqual(['ended']);
});

test('what is guarded is not guarded again', () => {
  runCaged(cage(), () => undefined);
  const [guarded, connect] = [globalThis.fetch, net.Socket.prototype.connect];
  runCaged(cage(), () => undefined);
  expect(globalThis.fetch).toBe(guarded);
  expect(net.Socket.prototype.connect).toBe(connect);
});
