import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { version } from '../../base/version.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { LoginByHand, ServerLogin } from './login.ts';
import { type Login, LoginFile } from './login-file.ts';
import type { OAuthSettings } from './server-settings.ts';

const URL_OF_IT = 'https://a.test/mcp';
const BACK = 'http://127.0.0.1:1/callback';
const START: Login = { url: URL_OF_IT, redirectUrl: BACK };
const tokens = (name: string): StoredOAuthTokens => ({
  ...{ access_token: `at-${name}`, refresh_token: `rt-${name}`, token_type: 'bearer', issuer: 'https://a.test' },
});
const CLIENT: StoredOAuthClientInformation = { client_id: 'known', client_secret: 'cs', issuer: 'https://a.test' };
const DISCOVERY = { authorizationServerUrl: 'https://login.test' };
const FULL: Login = { ...START, client: CLIENT, tokens: tokens('1'), discovery: DISCOVERY };

/** The parts of a login in a home of its own, and the values that were redacted. */
function parts(oauth: OAuthSettings = {}) {
  const file = new LoginFile(temporaryFolder(), 'far', URL_OF_IT);
  const hidden: string[] = [];
  return { file, hidden, deps: { file, redactor: { add: (secret: string) => void hidden.push(secret) }, oauth } };
}

/** A login that is saved in its file. */
async function kept(login = FULL) {
  const { file, hidden, deps } = parts();
  await file.write(login);
  return { file, hidden, login: new ServerLogin(deps, login) };
}

describe('a login service is told', () => {
  test.each<[what: string, oauth: OAuthSettings, more: object]>([
    ['who we are', {}, { token_endpoint_auth_method: 'none' }],
    ['what was agreed', { scope: 'a b', clientId: 'c' }, { token_endpoint_auth_method: 'none', scope: 'a b' }],
    ['that there is a secret', { clientSecret: 's' }, { token_endpoint_auth_method: 'client_secret_post' }],
  ])('%s', (_what, oauth, more) => {
    const login = new ServerLogin(parts(oauth).deps, START);
    expect(login.redirectUrl).toBe(BACK);
    expect(login.clientMetadata).toStrictEqual({
      ...{ client_name: 'Wooster', software_version: version(), redirect_uris: [BACK] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], ...more },
    });
  });

  test.each<[what: string, oauth: OAuthSettings, client: StoredOAuthClientInformation | undefined, told: unknown]>([
    ['nothing before it knows us', {}, undefined, undefined],
    ['what it has given us', {}, CLIENT, CLIENT],
    ['whom it knows', { clientId: 'ours' }, undefined, { client_id: 'ours' }],
    [
      'whom it knows, with a secret',
      { clientId: 'ours', clientSecret: 's' },
      undefined,
      { client_id: 'ours', client_secret: 's' },
    ],
    ['whom it knows and where', { clientId: 'known', clientSecret: 's' }, CLIENT, { ...CLIENT, client_secret: 's' }],
    ['whom it knows, not another', { clientId: 'ours' }, CLIENT, { client_id: 'ours' }],
  ])('%s', (_what, oauth, client, told) => {
    const login = new ServerLogin(parts(oauth).deps, { ...START, client });
    expect(login.clientInformation()).toStrictEqual(told);
  });
});

describe('what a login comes to', () => {
  test('is kept when it has come to its end, and not before', async () => {
    const { file, deps } = parts();
    const login = new ServerLogin(deps, START);
    await login.saveClientInformation(CLIENT);
    await login.saveDiscoveryState(DISCOVERY);
    login.saveCodeVerifier('verifier');
    expect(file.read()).toBeUndefined();
    expect([login.clientInformation(), login.discoveryState(), login.tokens(), login.codeVerifier()]).toEqual([
      ...[CLIENT, DISCOVERY, undefined, 'verifier'],
    ]);
    await login.saveTokens(tokens('1'));
    expect(file.read()).toEqual(FULL);
    await login.saveTokens(tokens('2'));
    expect(file.read()).toEqual({ ...FULL, tokens: tokens('2') });
  });

  test('has no verifier of its own', () => {
    expect(new ServerLogin(parts().deps, START).codeVerifier()).toBe('');
  });

  test('is what its file says by now, as long as there is one', async () => {
    const { file, login } = await kept();
    await file.write({ ...FULL, tokens: tokens('2') });
    expect(login.tokens()).toEqual(tokens('2'));
    file.remove();
    expect(login.tokens()).toEqual(tokens('2'));
  });

  test('of an earlier time is not taken over by one that has just begun', async () => {
    const { file, deps } = parts();
    await file.write(FULL);
    const login = new ServerLogin(deps, START);
    expect([login.tokens(), login.clientInformation(), login.discoveryState()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await login.saveDiscoveryState({ authorizationServerUrl: 'https://new.test' });
    expect(file.read()).toEqual(FULL);
  });

  test('is read by nobody from now on', async () => {
    const { hidden, login } = await kept();
    expect(hidden).toEqual(['at-1', 'rt-1', 'cs']);
    const { refresh_token: _none, ...short } = tokens('2');
    hidden.length = 0;
    await login.saveTokens(short);
    expect(hidden).toEqual(['at-2', 'cs']);
  });

  test('has run out: nobody sits at a connection in the background', async () => {
    const { login } = await kept();
    const wanted = new Error('its login has expired');
    expect(() => login.redirectToAuthorization(new URL('https://login.test'))).toThrow(wanted);
  });
});

describe('what a service no longer takes', () => {
  test.each<['all' | 'client' | 'tokens' | 'verifier' | 'discovery', Partial<Login>]>([
    ['all', {}],
    ['client', { tokens: tokens('1'), discovery: DISCOVERY }],
    ['tokens', { client: CLIENT, discovery: DISCOVERY }],
    ['discovery', { client: CLIENT, tokens: tokens('1') }],
    ['verifier', { client: CLIENT, tokens: tokens('1'), discovery: DISCOVERY }],
  ])('of %s is forgotten, and nothing else', async (what, left) => {
    const { file, login } = await kept();
    await login.invalidateCredentials(what);
    expect(file.read()).toEqual({ ...START, ...left });
  });

  test.each(['all', 'tokens'] as const)('of %s stays where another program has renewed it', async (what) => {
    const { file, login } = await kept();
    await file.write({ ...FULL, tokens: tokens('2') });
    await login.invalidateCredentials(what);
    expect(file.read()?.tokens).toEqual(tokens('2'));
  });
});

test('a service that knows us no longer before anybody has logged in is told anew', async () => {
  const login = new ServerLogin(parts().deps, { ...START, client: CLIENT });
  await login.invalidateCredentials('client');
  expect([login.clientInformation(), login.redirectUrl]).toEqual([undefined, BACK]);
});

describe('a login by hand', () => {
  function byHand(query: Record<string, string> = {}) {
    const shown: string[] = [];
    const signals: AbortSignal[] = [];
    const callback = {
      ...{ url: BACK, state: 'our-state', close: () => undefined },
      visited: async (signal: AbortSignal) => {
        signals.push(signal);
        return new URLSearchParams(query);
      },
    };
    const { deps } = parts();
    const login = new LoginByHand(deps, { callback, url: URL_OF_IT, show: ({ href }) => void shown.push(href) });
    return { login, shown, signals };
  }

  test('comes back to the page of this machine, with its state', () => {
    const { login } = byHand();
    expect([login.redirectUrl, login.state(), login.isUnderWay]).toEqual([BACK, 'our-state', false]);
  });

  test.each(['https://login.test/a?b', 'http://127.0.0.1:7/', 'http://localhost/a', 'http://[::1]:7/'])(
    'shows %s to the person',
    (address) => {
      const { login, shown } = byHand();
      login.redirectToAuthorization(new URL(address));
      expect([shown, login.isUnderWay]).toEqual([[address], true]);
    },
  );

  test.each([
    ['http://login.test/a', 'http://login.test'],
    ['http://127.0.0.2/', 'http://127.0.0.2'],
    ['file://localhost/etc/passwd', 'null'],
    ['ahttps://localhost/', 'null'],
    ['https-x://localhost/', 'null'],
  ])('does not show %s', (address, origin) => {
    const { login, shown } = byHand();
    const wanted = new Error(`its login page ${origin} is not https`);
    expect(() => login.redirectToAuthorization(new URL(address))).toThrow(wanted);
    expect([shown, login.isUnderWay]).toEqual([[], false]);
  });

  test('is granted with what the browser brings back', async () => {
    const { login, signals } = byHand({ code: 'c', state: 's' });
    const { signal } = new AbortController();
    expect([...(await login.granted(signal))]).toEqual([
      ['code', 'c'],
      ['state', 's'],
    ]);
    expect(signals).toEqual([signal]);
  });

  test.each([
    [{ error: 'access_denied' }, 'access_denied'],
    [{ error: 'access_denied', error_description: 'She said no.' }, 'access_denied: She said no.'],
    [{ error: '', error_description: 'Why not?' }, 'Why not?'],
  ])('is refused with %j', async (query, message) => {
    const { login } = byHand(query);
    await expect(login.granted(new AbortController().signal)).rejects.toThrow(new Error(message));
  });
});
