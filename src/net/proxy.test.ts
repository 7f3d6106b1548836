import { expect, test } from 'vitest';
import { isBehindProxy, proxyUrl } from './proxy.ts';

test.each<[address: string, noProxy: readonly string[], isBehind: boolean]>([
  ['https://hub.example/a', [], true],
  ['https://hub.example/a', ['hub.example'], false],
  ['https://cdn.hub.example/a', ['hub.example'], false],
  ['https://cdn.hub.example/a', ['.hub.example'], false],
  ['https://cdn.hub.example/a', ['*.hub.example'], false],
  ['https://myhub.example/a', ['hub.example'], true],
  ['https://hub.example/a', ['*'], false],
  ['http://localhost:11434/a', [], false],
  ['http://127.0.0.1/a', [], false],
  ['http://[::1]/a', [], false],
  ['http://192.168.1.5/a', [], false],
  ['http://8.8.8.8/a', [], true],
])('%s with NO_PROXY %j: behind the proxy %j', (address, noProxy, isBehind) => {
  expect(isBehindProxy(new URL(address), noProxy)).toBe(isBehind);
});

test.each([
  ['http://proxy:3128', 'http://proxy:3128/'],
  ['proxy:3128', 'http://proxy:3128/'],
  ['https://me:word@proxy', 'https://me:word@proxy/'],
  ['socks5://proxy:1080', undefined],
  ['a b', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j is the proxy %j', (said, url) => {
  expect(proxyUrl(said)).toBe(url);
});
