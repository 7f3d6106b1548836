import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { testDoor } from '../../testing/http-door.ts';
import { Devices } from './devices.ts';
import { openHttp } from './serve.ts';

const PLACE = { host: '127.0.0.1', port: 0, names: [], proxies: [], mode: 'classic_tools', project: 'home' } as const;

async function scene() {
  const { app } = await openApp({ replies: Array.from({ length: 60 }, () => 'Yes.') });
  const door = await openHttp(app, { ...PLACE, ...testDoor() });
  onTestFinished(() => door.close());
  const { token } = await new Devices(app.store).issue('test', ['api', 'read', 'openai']);
  const port = Number(new URL(door.url).port);
  const head = (method: string, path: string, ...more: string[]) =>
    [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, `authorization: Bearer ${token}`, ...more].join('\r\n');
  const headers = { authorization: `Bearer ${token}` };
  const isWell = async () => (await fetch(`${door.url}/api/me`, { headers })).status;
  return { app, url: door.url, port, head, headers, isWell };
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends bytes as they are. @returns the status of the answer; undefined when the connection ends without one. */
async function raw(port: number, bytes: string | Buffer): Promise<number | undefined> {
  const socket = open(port);
  socket.write(bytes);
  let answer = '';
  for await (const part of socket) {
    answer += part;
    if (answer.includes('\r\n')) break;
  }
  return /^HTTP\/1\.1 (\d+)/u.test(answer) ? Number(answer.slice(9, 12)) : undefined;
}

const JSON_TYPE = 'content-type: application/json';

test.each<[string, number, (head: (method: string, path: string, ...more: string[]) => string) => string | Buffer]>([
  ['no HTTP', 400, () => 'EHLO mail\r\n\r\n'],
  ['huge headers', 431, (head) => `${head('GET', '/api/me', `x-y: ${'z'.repeat(20_000)}`)}\r\n\r\n`],
  [
    'two lengths',
    400,
    (head) => `${head('POST', '/api/turns', JSON_TYPE, 'content-length: 2', 'content-length: 3')}\r\n\r\n{}`,
  ],
  [
    'a length and chunks',
    400,
    (head) =>
      `${head('POST', '/api/turns', JSON_TYPE, 'content-length: 2', 'transfer-encoding: chunked')}\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a body that is no UTF-8',
    400,
    (head) =>
      Buffer.concat([
        Buffer.from(`${head('POST', '/api/turns', JSON_TYPE, 'content-length: 12')}\r\n\r\n{"text":"`),
        Buffer.from([0xff, 0x22, 0x7d]),
      ]),
  ],
  [
    'multipart',
    415,
    (head) =>
      `${head('POST', '/api/turns', 'content-type: multipart/form-data; boundary=x', 'content-length: 3')}\r\n\r\n--x`,
  ],
  ['a way up', 404, (head) => `${head('GET', '/api/../../etc/passwd')}\r\n\r\n`],
  [
    'a way up that is written otherwise',
    404,
    (head) => `${head('GET', '/api/%2e%2e%2f%2e%2e%2fetc%2fpasswd')}\r\n\r\n`,
  ],
  ['a path that is none', 404, (head) => `${head('GET', '/api/%ff%fe')}\r\n\r\n`],
  [
    'a length that is announced and too great',
    413,
    (head) => `${head('POST', '/api/turns', JSON_TYPE, 'content-length: 1073741824')}\r\n\r\n{`,
  ],
])('%s is answered with %d', async (_, status, bytes) => {
  const { port, head, isWell } = await scene();
  expect(await raw(port, bytes(head))).toBe(status);
  expect(await isWell()).toBe(200);
});

test('a body without end is cut off, and is not kept', async () => {
  const { port, head, isWell } = await scene();
  const socket = open(port);
  socket.write(`${head('POST', '/api/turns', JSON_TYPE, 'transfer-encoding: chunked')}\r\n\r\n`);
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
  const answered = new Promise<string>((resolve) => socket.once('data', (part) => resolve(String(part))));
  const closed = new Promise((resolve) => socket.once('close', () => resolve('over')));
  const before = process.memoryUsage().rss;
  let sent = 0;
  while (socket.writable && !socket.destroyed && sent < 1024 * 1024 * 1024) {
    sent += chunk.length;
    if (!socket.write(chunk)) {
      const more = await Promise.race([new Promise((resolve) => socket.once('drain', () => resolve('more'))), closed]);
      if (more === 'over') break;
    }
  }
  expect(await answered).toContain(' 413 ');
  expect(sent).toBeLessThan(100 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  expect(await isWell()).toBe(200);
});

test('a client that sends on and on, and reads only then, has its answer', async () => {
  const { port, head, isWell } = await scene();
  for (const length of ['transfer-encoding: chunked', `content-length: ${1024 ** 3}`]) {
    const socket = open(port);
    socket.pause();
    socket.write(`${head('POST', '/api/turns', JSON_TYPE, length)}\r\n\r\n`);
    const chunk = 'x'.repeat(64 * 1024);
    const part = length.startsWith('content') ? chunk : `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
    // More than is taken, and more than fits between the two.
    for (let at = 0; at < 400; at += 1)
      if (!socket.write(part))
        await new Promise((resolve) => {
          socket.once('drain', resolve);
          socket.once('close', resolve);
        });
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.resume();
    expect(await answer).toContain(' 413 ');
  }
  expect(await isWell()).toBe(200);
});

test('a client may leave at each moment', async () => {
  const { port, head, isWell } = await scene();
  const body = JSON.stringify({ model: 'wooster/home', messages: [{ role: 'user', content: 'hi' }], stream: true });
  const whole = `${head('POST', '/v1/chat/completions', JSON_TYPE, `content-length: ${body.length}`)}\r\n\r\n${body}`;
  for (let part = 0; part <= 12; part += 1) {
    const socket = open(port);
    await new Promise((resolve) => socket.once('connect', resolve));
    await new Promise((resolve) => socket.write(whole.slice(0, Math.ceil((whole.length * part) / 12)), resolve));
    socket.destroy();
  }
  expect(await isWell()).toBe(200);
});

test('a thousand sockets that say nothing do not keep the owner out', async () => {
  const { port, isWell } = await scene();
  const silent = Array.from({ length: 1000 }, () => open(port));
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(await isWell()).toBe(200);
  await expect.poll(() => silent.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(500);
});

test('forty conversations at once are answered', async () => {
  const { url, headers } = await scene();
  const ask = async (at: number) => {
    const body = JSON.stringify({ text: 'hi', conversationId: `c${at}` });
    const begun = await fetch(`${url}/api/turns`, {
      ...{ method: 'POST', body },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const { id } = (await begun.json()) as { id: string };
    return (await fetch(`${url}/api/turns/${id}/events`, { headers })).text();
  };
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at)));
  expect(answers.filter((answer) => /event: answer\ndata: .*"stop":"answered"/u.test(answer))).toHaveLength(40);
});
