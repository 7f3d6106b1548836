import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { takeDials } from '../testing/dials.ts';
import { type Answers, dnsServer } from '../testing/dns-server.ts';
import { webServer } from '../testing/web-server.ts';
import { createGateway } from './gateway.ts';

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
