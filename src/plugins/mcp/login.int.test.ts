import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type Log, silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { McpHub } from './hub.ts';

/** An MCP server that wants a login, and the login service beside it. */
interface OAuthMcpServer {
  readonly origin: string;
  /** Programs that have registered. */
  readonly clients: Map<string, { redirect_uris: string[] }>;
  /** Access tokens that are good now. */
  readonly good: Set<string>;
  /** What was asked of the token endpoint, in order. */
  readonly grants: string[];
  /** The person says no from now on. */
  refuses: boolean;
  close(): void;
}

interface Grant {
  readonly challenge: string;
  readonly client: string;
  readonly redirect: string;
  readonly resource: string | null;
}

/**
 * Protected resource metadata (RFC 9728), server metadata (RFC 8414), registration (RFC 7591), authorization codes with
 * PKCE S256 (RFC 7636) whose page agrees at once, and refresh tokens that are good once.
 */
async function startOAuthMcpServer(): Promise<OAuthMcpServer> {
  const codes = new Map<string, Grant>();
  const refresh = new Set<string>();
  const state = {
    origin: '',
    clients: new Map<string, { redirect_uris: string[] }>(),
    ...{ good: new Set<string>(), grants: [] as string[], refuses: false, close: () => {} },
  };
  const tokens = () => {
    const [access_token, refresh_token] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    state.good.add(access_token);
    refresh.add(refresh_token);
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 };
  };
  const mcp = createMcpHandler(() => {
    const server = new McpServer({ name: 'far', version: '1.0.0' });
    const about = { description: 'Add two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) };
    server.registerTool('add', about, ({ a, b }) => ({ content: [{ type: 'text', text: `${a + b}` }] }));
    return server;
  });

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const [client = '', redirect = ''] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    const isKnown = state.clients.get(client)?.redirect_uris.includes(redirect);
    if (!isKnown || query.get('code_challenge_method') !== 'S256') return json(response, 400, { error: 'bad' });
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    const code = randomUUID();
    if (state.refuses) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', code);
    codes.set(code, {
      ...{ client, redirect, challenge: query.get('code_challenge') ?? '', resource: query.get('resource') },
    });
    response.writeHead(302, { location: back.href }).end();
  };

  const isGranted = (form: URLSearchParams): boolean => {
    const kind = form.get('grant_type') ?? '';
    state.grants.push(kind);
    if (kind === 'refresh_token') return refresh.delete(form.get('refresh_token') ?? '');
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      grant?.challenge === challenge &&
      grant.client === form.get('client_id') &&
      grant.resource === `${state.origin}/mcp`
    );
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { origin } = state;
    const url = new URL(request.url ?? '', origin);
    const body = await text(request);
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp')
      return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(response, 200, {
        ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
        ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
        ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] },
      });
    if (url.pathname === '/register') {
      const client = { ...JSON.parse(body), client_id: `client-${state.clients.size + 1}` };
      state.clients.set(client.client_id, client);
      return json(response, 201, client);
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token')
      return isGranted(new URLSearchParams(body))
        ? json(response, 200, tokens())
        : json(response, 400, { error: 'invalid_grant' });
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (url.pathname !== '/mcp' || !state.good.has(token)) {
      const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return json(response, url.pathname === '/mcp' ? 401 : 404, {}, { 'www-authenticate': where });
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const init = { method: request.method ?? 'GET', headers, ...(body !== '' && { body }) };
    const answered = await mcp.fetch(new Request(url, init));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return state;
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

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
