import type { Hop } from './hops.ts';

/** A request of a client, to be sent hop by hop. */
export interface Asked {
  readonly hop: Hop;
  readonly signal: AbortSignal | undefined;
}

/** A request in the form that model clients use, which needs no `Request` object. */
export function plainRequest(input: string | URL | Request, init: RequestInit = {}): Asked | undefined {
  const { body = null, method = 'GET', headers, signal } = init;
  if ((typeof input !== 'string' && !(input instanceof URL)) || (body !== null && typeof body !== 'string')) return;
  const given = new Headers(headers);
  if (body !== null && !given.has('content-type')) given.set('content-type', 'text/plain;charset=UTF-8');
  const bytes = body === null ? undefined : Buffer.from(body);
  const hop = { url: new URL(input), method: method.toUpperCase(), headers: plainHeaders(given), body: bytes };
  return { hop, signal: signal ?? undefined };
}

/** A request in any other form. */
export async function wholeRequest(input: string | URL | Request, init: RequestInit | undefined): Promise<Asked> {
  const request = new Request(input, init);
  // Read a streamed body once, so that a redirect within the origin can send it again.
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const { url, method, headers, signal } = request;
  return { hop: { url: new URL(url), method, headers: plainHeaders(headers), body }, signal };
}

function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers);
}
