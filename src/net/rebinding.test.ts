import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { takeDials } from '../testing/dials.ts';
import { webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';

/** Answers to one question: addresses, or `cname:` and a name. Empty: the name does not exist. */
type Answers = (name: string, type: 'A' | 'AAAA', nth: number) => readonly string[];

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** A real name server on loopback, and a resolver that asks it alone. `asked` grows with every question. */
async function dnsServer(answers: Answers) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const nth = asked.filter((each) => each === `${type} ${name}`).length;
    asked.push(`${type} ${name}`);
    socket.send(
      reply(query.subarray(0, end), { type, values: type ? answers(name, type, nth) : [] }),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ tries: 1, timeout: 2000 });
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  onTestFinished(() => {
    resolver.cancel();
    socket.close();
  });
  return { asked, resolve: (host: string) => resolveBoth(resolver, host) };
}

async function resolveBoth(resolver: Resolver, host: string) {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA' | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)], end: at + 5 };
}

/** Time to live is 0 throughout: nothing may be remembered. */
function reply(question: Buffer, answer: { type: 'A' | 'AAAA' | undefined; values: readonly string[] }): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(answer.values.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(answer.values.length, 6);
  head.writeUInt32BE(0, 8);
  let owner = Buffer.from([0xc0, 12]);
  const records = answer.values.map((value) => {
    const alias = value.startsWith('cname:') ? encodeName(value.slice(6)) : undefined;
    const data = alias ?? (answer.type === 'A' ? Buffer.from(value.split('.').map(Number)) : encodeIPv6(value));
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(alias ? 5 : answer.type === 'A' ? 1 : 28, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(data.length, 8);
    const record = Buffer.concat([owner, fixed, data]);
    if (alias) owner = alias;
    return record;
  });
  return Buffer.concat([head, ...records]);
}

function encodeName(name: string): Buffer<ArrayBuffer> {
  return Buffer.from([...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]), 0]);
}

function encodeIPv6(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const head = left.split(':').filter(Boolean);
  const tail = right.split(':').filter(Boolean);
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const PUBLIC = '93.184.216.34';

/** A gateway that asks a real name server; `inside` counts what reaches loopback. */
async function scene(answers: Answers) {
  const inside = await webServer((_, response) => response.end('inside'));
  const dns = await dnsServer(answers);
  const gateway = createGateway({ allowPrivate: [], log: silentLog, resolve: dns.resolve });
  onTestFinished(() => gateway.close());
  const ask = (url = 'http://rebind.test/') =>
    gateway.request({ url, caller: 'fetch_text', signal: new AbortController().signal }).then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
  return { ask, dns, inside };
}

describe('a name that changes what it resolves to', () => {
  test('public first, private at the next request: the second is refused', async () => {
    const { ask, inside } = await scene((_, type, nth) => (type === 'A' ? [nth === 0 ? PUBLIC : '127.0.0.1'] : []));
    expect(await ask()).toBe('egress_failed');
    expect(takeDials()).toEqual([{ target: PUBLIC, allowed: true }]);
    expect(await ask()).toBe('egress_refused');
    expect(takeDials()).toEqual([]);
    expect(inside.received).toEqual([]);
  });

  test('one question per connection: what was judged is what is dialled', async () => {
    const { ask, dns } = await scene((_, type, nth) => (type === 'A' ? [nth % 2 === 0 ? PUBLIC : '10.0.0.1'] : []));
    await ask();
    expect(dns.asked.filter((each) => each === 'A rebind.test')).toHaveLength(1);
    expect(takeDials()).toEqual([{ target: PUBLIC, allowed: true }]);
  });

  test('private first, public later: refused, then free', async () => {
    const { ask } = await scene((_, type, nth) => (type === 'A' ? [nth === 0 ? '169.254.169.254' : PUBLIC] : []));
    expect(await ask()).toBe('egress_refused');
    expect(await ask()).toBe('egress_failed');
    expect(takeDials()).toEqual([{ target: PUBLIC, allowed: true }]);
  });

  test('no such name, then private: failed, then refused', async () => {
    const { ask } = await scene((_, type, nth) => (type === 'A' && nth > 0 ? ['192.168.0.1'] : []));
    expect(await ask()).toBe('egress_failed');
    expect(await ask()).toBe('egress_refused');
    expect(takeDials()).toEqual([]);
  });
});

describe('a name with several answers', () => {
  test('one private address among public ones is enough to refuse', async () => {
    const { ask } = await scene((_, type) => (type === 'A' ? [PUBLIC, '127.0.0.1'] : []));
    expect(await ask()).toBe('egress_refused');
  });

  test('a public A and a private AAAA are refused', async () => {
    const { ask } = await scene((_, type) => (type === 'A' ? [PUBLIC] : ['::1']));
    expect(await ask()).toBe('egress_refused');
  });

  test('a public AAAA and a mapped private one are refused', async () => {
    const { ask } = await scene((_, type) => (type === 'A' ? [] : ['2606:4700::1111', '::ffff:a00:1']));
    expect(await ask()).toBe('egress_refused');
  });

  test('a chain of aliases that ends inside is refused', async () => {
    const { ask } = await scene((_, type) =>
      type === 'A' ? ['cname:cdn.test', 'cname:origin.test', '172.16.5.5'] : [],
    );
    expect(await ask()).toBe('egress_refused');
    expect(takeDials()).toEqual([]);
  });
});
