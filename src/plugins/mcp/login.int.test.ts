import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Log, silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { type OAuthMcpServer, startOAuthMcpServer } from '../../testing/oauth-mcp-server.ts';
import { McpHub } from './hub.ts';

const gateway = createGateway({ allowPrivate: [], log: silentLog });
let far: OAuthMcpServer;
const onTerminal = vi.spyOn(console, 'warn');
const logged: unknown[] = [];
const log: Log = { ...silentLog, info: (message, fields) => void logged.push(message, fields) };

beforeAll(async () => {
  far = await startOAuthMcpServer();
});
beforeEach(() => {
  far.refuses = false;
  far.grants.length = 0;
  logged.length = 0;
});
afterEach(() => expect(onTerminal).not.toHaveBeenCalled());
afterAll(async () => {
  far.close();
  await gateway.close();
});

const redactor = new Redactor();
const signal = () => AbortSignal.timeout(20_000);
/** Acts as the person: opens the URL and agrees, and the browser follows the redirect. */
const browse = (address: URL) => void fetch(address).catch(() => undefined);

async function open(home = temporaryFolder(), more: Record<string, unknown> = {}) {
  const entry = { type: 'http', url: `${far.origin}/mcp`, ...more };
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { far: entry } }));
  const hub = new McpHub({
    ...{ homeDir: home, env: {}, log, redactor, artifacts: { keep: async () => 'art_1' } },
    fetchFor: (caller, origins) => gateway.fetchFor(caller, origins),
    publicFetch: (caller) => gateway.publicFetch(caller),
  });
  onTestFinished(() => hub.close());
  await hub.load();
  const file = join(home, 'state', 'mcp', 'far.login.json');
  const add = async () => {
    const options = { timeoutMs: 20_000, signal: signal() };
    return JSON.stringify((await hub.server('far')?.call('add', { a: 1, b: 2 }, options))?.content);
  };
  return { hub, home, file, add, kept: () => JSON.parse(readFileSync(file, 'utf8')) };
}

describe('a server that wants a login', () => {
  test('says so, and has its tools after it, in a file that only the owner reads', async () => {
    const { hub, file, add, kept } = await open();
    expect((await hub.ask(20_000))[0]?.problem).toContain('it wants you to log in: wooster mcp login far');
    await hub.logIn('far', browse, signal());
    expect(await hub.ask(20_000)).toEqual([]);
    expect(await add()).toContain('3');
    expect(hub.tools().map(({ name }) => name)).toEqual(['far.add']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { tokens } = kept();
    expect(redactor.redact(`${tokens.access_token} ${tokens.refresh_token}`)).not.toMatch(/at-|rt-/u);
    expect(far.grants).toEqual(['authorization_code']);
  });

  test('is gone on with after a restart, and its token is renewed when it has run out', async () => {
    const { hub, home, kept } = await open();
    await hub.logIn('far', browse, signal());
    await hub.close();
    const before = kept().tokens;
    far.good.clear();
    const again = await open(home);
    expect(await again.add()).toContain('3');
    expect(far.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(kept().tokens.access_token).not.toBe(before.access_token);
    expect(statSync(again.file).mode & 0o777).toBe(0o600);
  });

  test('asks for a login anew when nothing renews it, and one that is refused leaves the old one', async () => {
    const { hub, home, kept } = await open();
    await hub.logIn('far', browse, signal());
    far.refuses = true;
    const before = kept();
    await expect(hub.logIn('far', browse, signal())).rejects.toThrow('access_denied');
    expect(kept()).toEqual(before);
    await hub.close();
    far.good.clear();
    writeFileSync(
      join(home, 'state', 'mcp', 'far.login.json'),
      JSON.stringify({ ...before, tokens: { ...before.tokens, refresh_token: 'rt-worn' } }),
    );
    const again = await open(home);
    expect((await again.hub.ask(20_000))[0]?.problem).toContain('wooster mcp login far');
    expect(JSON.stringify(logged)).toContain('invalid_grant');
  });

  test('is logged out of, and a login is for one address alone', async () => {
    const { hub, home, file } = await open();
    await hub.logIn('far', browse, signal());
    const moved = await open(home, { url: `${far.origin}/mcp?other` });
    expect((await moved.hub.ask(20_000))[0]?.problem).toContain('log in');
    const back = await open(home);
    expect(await back.hub.logOut('far')).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect((await back.hub.ask(20_000))[0]?.problem).toContain('log in');
  });

  test('takes a program that was registered by hand', async () => {
    far.clients.set('known', { redirect_uris: ['http://127.0.0.1:41537/callback'] });
    const { hub, add, kept } = await open(undefined, { oauth: { clientId: 'known', callbackPort: 41_537 } });
    await hub.logIn('far', browse, signal());
    expect(await add()).toContain('3');
    expect(JSON.stringify(logged)).toContain("no 'issuer' stamp");
    expect(kept().client).toMatchObject({ client_id: 'known', issuer: far.origin });
    far.good.clear();
    expect(await add()).toContain('3');
  });

  test('turns away whoever brings another state', async () => {
    const { hub } = await open();
    const answers: number[] = [];
    await hub.logIn(
      'far',
      (address) => {
        const forged = new URL(address.searchParams.get('redirect_uri') ?? '');
        forged.search = '?code=evil&state=guessed';
        void fetch(forged).then(({ status }) => {
          answers.push(status);
          browse(address);
        });
      },
      signal(),
    );
    expect(answers).toEqual([400]);
  });
});
