import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';
import { isListening } from './listening.ts';

async function tcpServer(): Promise<{ port: number; accepted: () => number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => {}).end('hello');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, accepted: () => accepted };
}

function gateway(address = '127.0.0.1') {
  const lines: object[] = [];
  const log = {
    ...silentLog,
    info: (_: string, line?: object) => void lines.push(line ?? {}),
    warn: (_: string, line?: object) => void lines.push(line ?? {}),
  };
  const family = address.includes(':') ? 6 : 4;
  const made = createGateway({ allowPrivate: [], log, resolve: async () => [{ address, family }] });
  onTestFinished(() => made.close());
  return { made, lines };
}

test('a connection to a host that the owner named is opened, and logged', async () => {
  const { port } = await tcpServer();
  const { made, lines } = gateway();
  const reach = { hosts: [], named: ['mail.test'] };
  const socket = await made.dial('mail', reach, { host: 'mail.test', port });
  const said = await socket.toArray();
  expect(Buffer.concat(said).toString()).toBe('hello');
  expect(lines).toMatchObject([{ caller: 'mail', method: 'TCP', host: `mail.test:${port}` }]);
});

test('a host that only the author named is not reached at a private address', async () => {
  const { port, accepted } = await tcpServer();
  const { made, lines } = gateway();
  const reach = { hosts: [`mail.test:${port}`], named: [] };
  const refused = { code: 'egress_refused', message: expect.stringContaining('mail.test resolves to a private') };
  await expect(made.dial('mail', reach, { host: 'mail.test', port })).rejects.toMatchObject(refused);
  await expect(made.dial('mail', reach, { host: 'other.test', port })).rejects.toMatchObject({
    code: 'egress_refused',
  });
  expect(accepted()).toBe(0);
  expect(lines).toHaveLength(1);
});

test('a name without an address, a closed port and a stopped call are told apart', async () => {
  const { port } = await tcpServer();
  const made = createGateway({ allowPrivate: [], log: silentLog, resolve: async () => [] });
  onTestFinished(() => made.close());
  const reach = { hosts: [], named: ['mail.test', '127.0.0.1'] };
  const noAddress = made.dial('mail', reach, { host: 'mail.test', port });
  await expect(noAddress).rejects.toMatchObject({ code: 'egress_failed' });
  const signal = AbortSignal.abort(new Error('changed my mind'));
  await expect(made.dial('mail', reach, { host: '127.0.0.1', port, signal })).rejects.toThrow('changed my mind');
  const closed = made.dial('mail', reach, { host: '127.0.0.1', port: 1 });
  await expect(closed).rejects.toMatchObject({ code: 'egress_failed' });
});

test('a call that is stopped while it connects ends with the reason', async () => {
  const made = createGateway({ allowPrivate: [], log: silentLog, resolve: () => new Promise(() => {}) });
  onTestFinished(() => made.close());
  const stop = new AbortController();
  const reach = { hosts: [], named: ['mail.test'] };
  const dialled = made.dial('mail', reach, { host: 'mail.test', port: 993, tls: true, signal: stop.signal });
  setImmediate(() => stop.abort(new Error('the person left')));
  await expect(dialled).rejects.toThrow('the person left');
});

test('whether somebody listens is known without a request', async () => {
  const server = await webServer((_, response) => response.end());
  expect(await isListening(server.port, 1000)).toBe(true);
  expect(await isListening(1, 1000)).toBe(false);
  expect(server.received).toEqual([]);
});

test('a connection in TLS begins with the name of its host, and one without a certificate is none', async () => {
  const { promise: hello, resolve: come } = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (data) => {
        come(data.toString('latin1'));
        socket.end('no TLS here');
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { made, lines } = gateway();
  const dialled = made.dial('mail', { hosts: [], named: ['mail.test'] }, { host: 'mail.test', port, tls: true });
  await expect(dialled).rejects.toMatchObject({ code: 'egress_failed' });
  expect(await hello).toContain('mail.test');
  expect(lines).toMatchObject([{ method: 'TLS', error: expect.any(String) }]);
});

test('a connection that is not made within ten seconds is given up, and one that is made stays open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const made = createGateway({ allowPrivate: [], log: silentLog, resolve: () => new Promise(() => {}) });
  onTestFinished(() => made.close());
  const reach = { hosts: [], named: ['mail.test', '127.0.0.1'] };
  let error: unknown;
  const dialled = made.dial('mail', reach, { host: 'mail.test', port: 993 }).catch((thrown: unknown) => {
    error = thrown;
  });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  await dialled;
  expect(error).toMatchObject({ message: 'mail.test could not be reached: no connection within 10000 ms.' });
  const { port } = await tcpServer();
  const stop = new AbortController();
  const socket = await made.dial('mail', reach, { host: '127.0.0.1', port, signal: stop.signal });
  expect(vi.getTimerCount()).toBe(0);
  stop.abort();
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('a reason that is no error is still an end', async () => {
  const made = createGateway({ allowPrivate: [], log: silentLog, resolve: () => new Promise(() => {}) });
  onTestFinished(() => made.close());
  const stop = new AbortController();
  const reach = { hosts: [], named: ['mail.test'] };
  const dialled = made.dial('mail', reach, { host: 'mail.test', port: 993, signal: stop.signal });
  setImmediate(() => stop.abort('bored'));
  await expect(dialled).rejects.toBe('bored');
});
