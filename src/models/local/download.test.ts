import { spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createGateway } from '../../net/gateway.ts';
import type { GatewayDeps } from '../../net/types.ts';
import { lastingFolder, temporaryFolder } from '../../testing/home.ts';
import { type HubManners, hub } from '../../testing/local/hub.ts';
import { download } from './download.ts';

const FILE = randomFillSync(Buffer.alloc(300_000));

async function setUp(manners: HubManners = {}, way: Partial<GatewayDeps> = {}) {
  const gateway = createGateway({ allowPrivate: [], log: silentLog, ...way });
  onTestFinished(() => gateway.close());
  const { url, origin, sha256, bytes, files, breakOff } = await hub(FILE, manners);
  const path = join(temporaryFolder(), 'models', 'model.gguf');
  const seen: number[] = [];
  const get = (changes: { sha256?: string; bytes?: number | undefined; signal?: AbortSignal } = {}) =>
    download(
      { url, path, sha256, bytes, ...changes },
      {
        fetch: gateway.downloadFetch('models.install', [origin]),
        signal: changes.signal ?? new AbortController().signal,
        onProgress: ({ done }) => {
          seen.push(done);
          breakOff();
        },
        pause: async () => undefined,
      },
    );
  return {
    get,
    path,
    part: `${path}.part`,
    seen,
    ranges: () => files().map(({ headers }) => headers.range),
    gateway,
    url,
  };
}

const problem = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

test('a file is fetched through a redirect, and only then has its name', async () => {
  const { get, path, part, seen } = await setUp();
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect([existsSync(part), seen.at(-1)]).toEqual([false, FILE.length]);
});

test('what was cut off goes on where it stopped, as often as it takes', async () => {
  const { get, path, ranges } = await setUp({ cutAfter: 50_000, cuts: 5 });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
  const starts = ranges().map((range) => Number(/\d+/u.exec(range ?? '')?.[0]));
  expect(starts.length).toBeGreaterThan(1);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(starts.at(-1)).toBeGreaterThan(0);
});

test('what an earlier try left is used by the next one', async () => {
  const { get, path, part, ranges } = await setUp();
  await problem(get({ sha256: '0'.repeat(64) }));
  writeFileSync(part, FILE.subarray(0, 200_000));
  await get();
  expect([ranges().at(-1), readFileSync(path).equals(FILE)]).toEqual(['bytes=200000-', true]);
});

test('a server that ignores the range begins again', async () => {
  const { get, path } = await setUp({ ignoresRange: true, cutAfter: 50_000, cuts: 2 });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('what an earlier try left of another file is thrown away, and all of the right one fetched', async () => {
  const { get, path, part } = await setUp();
  await get();
  writeFileSync(part, Buffer.alloc(100_000));
  await get();
  expect([readFileSync(path).equals(FILE), existsSync(part)]).toEqual([true, false]);
});

test('a part that is longer than the file is thrown away', async () => {
  const { get, path, part } = await setUp();
  await get({ bytes: undefined });
  writeFileSync(part, Buffer.alloc(400_000));
  await get({ bytes: undefined });
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('a corrupt file is refused and removed', async () => {
  const { get, path, part } = await setUp({ corrupt: true });
  expect(await problem(get())).toContain('is not the one that was meant');
  expect([existsSync(path), existsSync(part)]).toEqual([false, false]);
});

test('a wrong checksum is refused', async () => {
  const { get, path } = await setUp();
  expect(await problem(get({ sha256: 'a'.repeat(64) }))).toContain(`not ${'a'.repeat(64)}`);
  expect(existsSync(path)).toBe(false);
});

test('a file of another size is refused before it is fetched', async () => {
  const { get, seen } = await setUp({ longer: 'more' });
  expect(await problem(get())).toMatch(/has 300004 bytes, not 300000: it is another one/u);
  expect(seen).toEqual([]);
});

test.each<[string, HubManners, string]>([
  ['a page of a proxy', { page: '<html>Sign in</html>' }, 'answered with a web page'],
  ['a refusal', { status: 403 }, 'answered 403'],
  ['nothing but errors', { busy: 99 }, 'broke off: 127.0.0.1'],
])('%s is said as it is', async (_what, manners, message) => {
  const { get, path } = await setUp(manners);
  expect(await problem(get())).toContain(message);
  expect(existsSync(path)).toBe(false);
});

test('a busy server is asked again', async () => {
  const { get, path } = await setUp({ busy: 2 });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('more than the disk holds is not begun', async () => {
  const { get, seen } = await setUp({ ignoresRange: true });
  expect(await problem(get({ bytes: 1e18 }))).toMatch(/^The disk lacks \d+\.\d GB\.$/u);
  expect(seen).toEqual([]);
});

/** A disk of a few pages, where this may be mounted. */
const disk = lastingFolder();
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk.dir]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk.dir]);
  disk.remove();
});

test.runIf(isMounted)('a disk that runs full says so, and what has come stays', async () => {
  const { gateway, url } = await setUp({ ignoresRange: true });
  const path = join(disk.dir, 'model.gguf');
  const full = download(
    { url, path, sha256: '0'.repeat(64) },
    {
      fetch: gateway.downloadFetch('models.install', [new URL(url).origin]),
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
    },
  );
  await expect(full).rejects.toMatchObject({
    message: 'The disk is full.',
    hint: expect.stringContaining('Make room'),
  });
  expect(existsSync(`${path}.part`)).toBe(true);
});

test('a stop keeps what has come', async () => {
  const { gateway, url, path, part } = await setUp();
  const stop = new AbortController();
  const stopped = download(
    { url, path, sha256: '0'.repeat(64), bytes: FILE.length },
    {
      fetch: gateway.downloadFetch('models.install', [new URL(url).origin]),
      signal: stop.signal,
      onProgress: () => stop.abort('stop'),
    },
  );
  await expect(stopped).rejects.toBe('stop');
  expect(existsSync(part)).toBe(true);
});

describe('through the proxy of the house', () => {
  /** The hub by a name that only the proxy knows, and what the proxy was asked for. */
  async function behindProxy({ scheme = 'http', noProxy = [] }: { scheme?: string; noProxy?: readonly string[] } = {}) {
    const { sha256, bytes, origin } = await hub(FILE);
    const { url: proxy, asked } = await proxyTo(new URL(origin));
    const gateway = createGateway({ allowPrivate: [], log: silentLog, resolve: nowhere, proxy, noProxy });
    onTestFinished(() => gateway.close());
    const path = join(temporaryFolder(), 'model.gguf');
    const fetch = gateway.downloadFetch('models.install', [`${scheme}://hub.example`]);
    const wanted = { url: `${scheme}://hub.example/maker/model/resolve/main/model.gguf`, path, sha256, bytes };
    const how = { fetch, signal: new AbortController().signal, onProgress: () => {}, pause: async () => {} };
    return { asked, path, get: () => download(wanted, how) };
  }

  test('a file comes from a name that only the proxy knows, over its redirect', async () => {
    const { get, asked, path } = await behindProxy();
    await get();
    expect(readFileSync(path).equals(FILE)).toBe(true);
    expect(asked).toEqual([
      'GET http://hub.example/maker/model/resolve/main/model.gguf',
      expect.stringMatching(/^GET http:\/\/hub\.example\/cdn\//u),
    ]);
  });

  test('a file over TLS comes through a tunnel, which the proxy cannot look into', async () => {
    const { get, asked } = await behindProxy({ scheme: 'https' });
    // The hub of this test speaks no TLS.
    expect(await problem(get())).toContain('hub.example could not be reached');
    expect(new Set(asked)).toEqual(new Set(['CONNECT hub.example:443']));
  });

  test('but not from a host of NO_PROXY', async () => {
    const { get, asked } = await behindProxy({ noProxy: ['.example'] });
    expect(await problem(get())).toContain('hub.example could not be reached');
    expect(asked).toEqual([]);
  });

  test('and not from the house itself', async () => {
    const { origin } = await hub(FILE);
    const { url: proxy, asked } = await proxyTo(new URL(origin));
    const { get, path } = await setUp({}, { proxy });
    await get();
    expect([readFileSync(path).equals(FILE), asked]).toEqual([true, []]);
  });
});

const nowhere = async () => Promise.reject(new Error('no such host'));

/** A proxy that knows one server, whatever it is asked for. */
async function proxyTo({ hostname, port }: URL) {
  const asked: string[] = [];
  const proxy = createServer(({ method, url = '', headers }, response) => {
    asked.push(`${method} ${url}`);
    const { pathname: path } = new URL(url);
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  proxy.on('connect', ({ method, url }, client) => {
    asked.push(`${method} ${url}`);
    const behind = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    client.pipe(behind).pipe(client);
    for (const end of [client, behind]) end.on('error', () => undefined);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void proxy.close());
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

test('an address inside the house that nobody named is not reached', async () => {
  const { gateway, url, path } = await setUp();
  const wanted = { url, path, sha256: '0'.repeat(64) };
  const how = {
    fetch: gateway.downloadFetch('models.install', []),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  await expect(download(wanted, how)).rejects.toMatchObject({ code: 'egress_refused' });
});
