import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** An MCP server that wants a login, and the login service beside it. */
export interface OAuthMcpServer {
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
export async function startOAuthMcpServer(): Promise<OAuthMcpServer> {
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
