import { expect, test } from 'vitest';
import type { AssistantError } from '../base/errors.ts';
import { isRedirect, nextHop } from './hops.ts';

const HEADERS = { Accept: 'text/html', 'Content-Type': 'text/plain', authorization: 'Bearer x', cookie: 'y' };
const hop = { url: new URL('https://a.test/one'), method: 'POST', headers: HEADERS, body: 'text' };

test.each([301, 302, 303, 307, 308])('%d with a place is a redirect', (status) => {
  expect(isRedirect(status, '/two')).toBe(true);
  expect(isRedirect(status, null)).toBe(false);
  expect(isRedirect(304, '/two')).toBe(false);
});

test('method and content are kept by 307 and 308 alone, a HEAD stays one', () => {
  for (const status of [307, 308])
    expect(nextHop(hop, status, 'two')).toEqual({ ...hop, url: new URL('https://a.test/two') });
  expect(nextHop(hop, 302, '/two')).toMatchObject({ method: 'GET', body: undefined, headers: HEADERS });
  expect(nextHop({ ...hop, method: 'HEAD' }, 301, '/two').method).toBe('HEAD');
});

test('to another origin go no credentials and no content', () => {
  const away = nextHop({ ...hop, method: 'GET', body: undefined }, 307, 'https://b.test/');
  expect(away.headers).toEqual({ Accept: 'text/html', 'Content-Type': 'text/plain' });
  expect(() => nextHop(hop, 308, 'https://b.test/')).toThrow(/content to b\.test/u);
  expect(nextHop(hop, 303, 'https://b.test/').body).toBeUndefined();
});

test('neither to http nor to nowhere', () => {
  expect(() => nextHop(hop, 302, 'http://a.test/')).toThrow('a.test redirects from https to http.');
  expect(() => nextHop(hop, 302, 'https://')).toThrow('not an address');
  expect(nextHop({ ...hop, url: new URL('http://a.test/') }, 302, 'https://a.test/').url.protocol).toBe('https:');
  expect(nextHop({ ...hop, url: new URL('http://a.test/') }, 302, '/b').url.href).toBe('http://a.test/b');
});

test('what is refused says why and what to do', () => {
  const said = (from: Partial<typeof hop>, status: number, to: string) => {
    try {
      return nextHop({ ...hop, ...from }, status, to);
    } catch (error) {
      const { code, message, hint } = error as AssistantError;
      return [code, message, hint];
    }
  };
  expect(said({}, 302, 'https://')).toEqual([
    'egress_refused',
    'The page redirects to something that is not an address.',
    'Try another page.',
  ]);
  expect(said({}, 302, 'http://b.test')).toEqual([
    'egress_refused',
    'a.test redirects from https to http.',
    'Try the address that it redirects to.',
  ]);
  expect(said({}, 307, 'https://b.test')).toEqual([
    'egress_refused',
    "a.test redirects the request's content to b.test.",
    'Set the new address instead.',
  ]);
});

test.each(['Accept', 'accept-language', 'User-Agent', 'CONTENT-TYPE'])('%s goes along to another origin', (name) => {
  const from = { ...hop, method: 'GET', body: undefined, headers: { [name]: 'x', 'x-token': 'y' } };
  expect(nextHop(from, 302, 'https://b.test/').headers).toEqual({ [name]: 'x' });
});
