import { isIP, type Socket } from 'node:net';
import { type Response as UndiciResponse, fetch as undiciFetch, type WebSocket } from 'undici';
import { AssistantError, messageOf } from '../base/errors.ts';
import { capStream, decodeText, readCapped } from './body.ts';
import { type Connections, judgedAddresses, openConnections } from './connections.ts';
import { type DialTarget, dial } from './dial.ts';
import { type Hop, isRedirect, nextHop } from './hops.ts';
import { isBehindProxy, proxyUrl } from './proxy.ts';
import { bareHost, type Reach } from './reach.ts';
import { judgeTarget, type ReachRules, refused, type Target } from './target.ts';
import type { Gateway, GatewayDeps, GatewayRequest, GatewayResponse, SocketRequest } from './types.ts';
import { openSocket } from './web-socket.ts';
import { sendPlain, type WireAnswer } from './wire.ts';

const MAX_BYTES = 2_000_000;
/** Far above any answer of a model; it only stops a server that never ends. */
const MODEL_MAX_BYTES = 64_000_000;
const TOTAL_MS = 30_000;
const MAX_REDIRECTS = 5;
const USER_AGENT = 'Wooster/0.1 (personal assistant)';

/** How to send a hop. */
interface Way {
  readonly signal: AbortSignal | undefined;
  readonly agent: keyof Connections;
}

interface Streaming {
  readonly caller: string;
  readonly judge: (url: URL) => keyof Connections;
  readonly maxBytes: number;
}

/** Judges every request and every redirect, then sends it by one of the ways out. */
export class HttpGateway implements Gateway {
  readonly #deps: GatewayDeps;
  readonly #connections: Connections;
  readonly #proxy: string | undefined;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    this.#proxy = proxyUrl(deps.proxy);
    this.#connections = openConnections(deps.resolve, this.#proxy);
  }

  async request(request: GatewayRequest): Promise<GatewayResponse> {
    const timeout = AbortSignal.timeout(request.totalMs ?? TOTAL_MS);
    const signal = AbortSignal.any([request.signal, timeout]);
    const first = judgeTarget(request.url, this.#rules(request.caller, request.configured ?? []));
    try {
      return await this.#follow(request, first, signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (timeout.aborted) throw failed(first.url, `no complete answer within ${request.totalMs ?? TOTAL_MS} ms`);
      throw explain(first.url, error);
    }
  }

  fetchFor(caller: string, configured: readonly string[]): typeof fetch {
    return this.#fetchBy(caller, (url) => {
      if (!configured.some((origin) => URL.parse(origin)?.origin === url.origin))
        throw refused(`${caller} may not reach ${url.origin}.`, 'Set its address in the settings.');
      return 'models';
    });
  }

  publicFetch(caller: string): typeof fetch {
    return this.#fetchBy(caller, (url) => {
      return judgeTarget(url.href, this.#rules(caller, [])).open ? 'open' : 'checked';
    });
  }

  fetchWithin(caller: string, reach: Reach): typeof fetch {
    return this.#fetchBy(caller, (url) => {
      return judgeTarget(url.href, { ...this.#rules(caller, []), reach }).open ? 'open' : 'checked';
    });
  }

  async dial(caller: string, reach: Reach, target: DialTarget): Promise<Socket> {
    const { host, port } = target;
    const started = performance.now();
    const line = { caller, method: target.tls ? 'TLS' : 'TCP', host: `${host}:${port}` };
    const address = isIP(host) === 6 ? `[${host}]` : host;
    const { url, open } = judgeTarget(`http://${address}:${port}`, { ...this.#rules(caller, []), reach });
    try {
      const socket = await dial(target, judgedAddresses(open, this.#deps.resolve));
      this.#deps.log.info('egress', { ...line, ms: Math.round(performance.now() - started) });
      return socket;
    } catch (error) {
      target.signal?.throwIfAborted();
      this.#deps.log.warn('egress', { ...line, error: messageOf(rootCause(error)) });
      throw explain(url, error);
    }
  }

  async webSocket({ url: address, caller, configured = [], signal }: SocketRequest): Promise<WebSocket> {
    const { url, open } = judgeTarget(asHttp(address), this.#rules(caller, configured));
    const hop: Hop = { url, method: 'WS', headers: { 'user-agent': USER_AGENT }, body: undefined };
    const way = { signal, agent: open ? 'open' : 'checked' } as const;
    try {
      const opening = async () => {
        const socket = await openSocket(address, {
          headers: hop.headers,
          dispatcher: this.#connections[way.agent],
          signal,
        });
        return { status: 101, socket };
      };
      return (await this.#logged(caller, hop, way, opening)).socket;
    } catch (error) {
      signal.throwIfAborted();
      throw explain(url, error);
    }
  }

  modelFetch(caller: string): typeof fetch {
    return this.#fetchBy(caller, (url) => {
      return judgeTarget(url.href, this.#rules(caller, [])).open ? 'models' : 'checkedModels';
    });
  }

  downloadFetch(caller: string, named: readonly string[]): typeof fetch {
    const { noProxy = [] } = this.#deps;
    const judge = (url: URL) => {
      const { open } = judgeTarget(url.href, this.#rules(caller, named));
      if (this.#proxy !== undefined && isBehindProxy(url, noProxy)) return 'proxied';
      return open ? 'open' : 'checked';
    };
    return this.#fetchBy(caller, judge, Number.POSITIVE_INFINITY);
  }

  /** @param judge chooses the way out for an address, or throws; asked for every hop. */
  #fetchBy(caller: string, judge: (url: URL) => keyof Connections, maxBytes = MODEL_MAX_BYTES): typeof fetch {
    return async (input, init) => {
      const { hop, signal } = plainRequest(input, init) ?? (await wholeRequest(input, init));
      return this.#stream(hop, signal, { caller, judge, maxBytes });
    };
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#connections).map((agent) => agent.destroy()));
  }

  /** Send a request and follow its redirects, each judged anew. */
  async #follow(request: GatewayRequest, first: Target, signal: AbortSignal): Promise<GatewayResponse> {
    const rules = this.#rules(request.caller, request.configured ?? []);
    const headers = { 'user-agent': USER_AGENT, ...request.headers };
    let hop: Hop = { url: first.url, method: request.method ?? 'GET', headers, body: request.body };
    for (let redirects = 0; ; redirects++) {
      const { open } = judgeTarget(hop.url.href, rules);
      const response = await this.#send(request.caller, hop, { signal, agent: open ? 'open' : 'checked' });
      const location = response.headers.get('location');
      if (!isRedirect(response.status, location)) return await readResponse(request, hop.url, response);
      await response.body?.cancel();
      if (redirects >= (request.maxRedirects ?? MAX_REDIRECTS))
        throw refused(`${first.url.host} redirects too often.`, 'Try the address that it redirects to.');
      hop = nextHop(hop, response.status, location);
    }
  }

  /** As `#follow`, for a `fetch` with a streamed answer. */
  async #stream(
    first: Hop,
    signal: AbortSignal | undefined,
    { caller, judge, maxBytes }: Streaming,
  ): Promise<Response> {
    let hop = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const agent = judge(hop.url);
      const response = await this.#answer(caller, hop, { signal, agent, maxBytes }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw explain(hop.url, error);
      });
      const location = response.headers.get('location');
      if (!isRedirect(response.status, location)) return asResponse(hop.url, response);
      await response.body?.cancel();
      hop = nextHop(hop, response.status, location);
    }
    throw refused(`${first.url.host} redirects too often.`, 'Set the address that it redirects to.');
  }

  /** One hop of a request with a streamed answer. The owner's own model servers get the cheaper client. */
  async #answer(caller: string, hop: Hop, way: Way & { readonly maxBytes: number }): Promise<WireAnswer> {
    const { username, password } = hop.url;
    // Only `fetch` can send other kinds of body.
    if (way.agent !== 'models' || username !== '' || password !== '')
      return capped(await this.#send(caller, hop, way), way.maxBytes);
    const { signal, agent, maxBytes } = way;
    const headers = { 'user-agent': USER_AGENT, ...hop.headers };
    return this.#logged(caller, hop, way, () =>
      sendPlain({ ...hop, headers }, { signal, dispatcher: this.#connections[agent], maxBytes }),
    );
  }

  /** One hop, without redirects. */
  #send(caller: string, hop: Hop, way: Way): Promise<UndiciResponse> {
    return this.#logged(caller, hop, way, () =>
      undiciFetch(hop.url, {
        method: hop.method,
        headers: hop.headers,
        body: hop.body ?? null,
        redirect: 'manual',
        signal: way.signal ?? null,
        dispatcher: this.#connections[way.agent],
      }),
    );
  }

  /** Log a hop. The query is left out, as it may be private, and so is the path of a configured address: a key may. */
  async #logged<A extends { readonly status: number }>(
    caller: string,
    { method, url }: Hop,
    { agent }: Way,
    send: () => Promise<A>,
  ): Promise<A> {
    const started = performance.now();
    const isConfigured = agent === 'open' || agent === 'models' || agent === 'proxied';
    const line = { caller, method, host: url.host, ...(isConfigured ? {} : { path: url.pathname }) };
    try {
      const response = await send();
      this.#deps.log.info('egress', { ...line, status: response.status, ms: Math.round(performance.now() - started) });
      return response;
    } catch (error) {
      this.#deps.log.warn('egress', { ...line, error: messageOf(rootCause(error)) });
      throw error;
    }
  }

  /** The hosts that this caller may reach. */
  #rules(caller: string, configured: readonly string[]): ReachRules {
    const own = (this.#deps.toolHosts ?? []).filter((entry) => entry.startsWith(`${caller}=`));
    const onlyHosts = own.length === 0 ? undefined : own.map((entry) => entry.slice(caller.length + 1));
    return { configured, allowPrivate: this.#deps.allowPrivate, onlyHosts };
  }
}

/** The address by which a WebSocket is judged: that of the request which opens it. */
function asHttp(address: string): string {
  return address.replace(/^ws(?=s?:)/iu, 'http');
}

/** @throws AssistantError `egress_failed` for a content type that is not accepted, or an answer that is too long. */
async function readResponse(request: GatewayRequest, url: URL, response: UndiciResponse): Promise<GatewayResponse> {
  const contentType = response.headers.get('content-type') ?? '';
  if (response.ok && request.accept && !request.accept.some((prefix) => contentType.toLowerCase().startsWith(prefix))) {
    await response.body?.cancel();
    throw failed(url, `the answer is ${contentType || 'of an unknown type'}, not ${request.accept.join(' or ')}`);
  }
  const body = await readCapped(response.body, request.maxBytes ?? MAX_BYTES);
  return {
    status: response.status,
    url: url.href,
    headers: Object.fromEntries(response.headers),
    body,
    text: () => decodeText(body, contentType),
  };
}

const NO_BODY = new Set([101, 204, 205, 304]);

/** The answer of `fetch` with its size capped; already decompressed by undici. */
function capped(response: UndiciResponse, maxBytes: number): WireAnswer {
  const headers = new Headers([...response.headers]);
  const body = response.body as ReadableStream<Uint8Array> | null;
  const content = NO_BODY.has(response.status) || !body ? null : capStream(body, maxBytes);
  return { status: response.status, statusText: response.statusText, headers, body: content };
}

/** The answer as a standard `Response`, with its final URL. */
function asResponse(url: URL, { status, statusText, headers, body }: WireAnswer): Response {
  headers.delete('content-encoding');
  headers.delete('content-length');
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url.href });
}

/** Undici wraps errors in a TypeError "fetch failed"; the actual reason is the innermost cause. */
function rootCause(error: unknown): unknown {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined && !(inner instanceof AssistantError)) inner = inner.cause;
  return inner;
}

/** An error for the person: our own refusals as they are, anything else as a failed connection. */
function explain(url: URL, error: unknown): AssistantError {
  const cause = rootCause(error);
  if (cause instanceof AssistantError) return cause;
  return failed(url, messageOf(cause) || String((cause as { code?: unknown }).code ?? 'no connection'), error);
}

function failed(url: URL, why: string, cause?: unknown): AssistantError {
  return new AssistantError('egress_failed', `${bareHost(url)} could not be reached: ${why}.`, {
    hint: 'Check the address and the network connection.',
    cause,
  });
}

/** A request of a client, to be sent hop by hop. */
interface ClientRequest {
  readonly hop: Hop;
  readonly signal: AbortSignal | undefined;
}

/** A request in the form that model clients use, which needs no `Request` object. */
function plainRequest(input: string | URL | Request, init: RequestInit = {}): ClientRequest | undefined {
  const { body = null, method = 'GET', headers, signal } = init;
  if ((typeof input !== 'string' && !(input instanceof URL)) || (body !== null && typeof body !== 'string')) return;
  const given = new Headers(headers);
  if (body !== null && !given.has('content-type')) given.set('content-type', 'text/plain;charset=UTF-8');
  const bytes = body === null ? undefined : Buffer.from(body);
  const hop = { url: new URL(input), method: method.toUpperCase(), headers: plainHeaders(given), body: bytes };
  return { hop, signal: signal ?? undefined };
}

/** A request in any other form. */
async function wholeRequest(input: string | URL | Request, init: RequestInit | undefined): Promise<ClientRequest> {
  const request = new Request(input, init);
  // Read a streamed body once, so that a redirect within the origin can send it again.
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const { url, method, headers, signal } = request;
  return { hop: { url: new URL(url), method, headers: plainHeaders(headers), body }, signal };
}

function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers);
}
