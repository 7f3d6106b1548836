import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page on this machine to which a browser returns after a login elsewhere (RFC 8252, 7.3). */
export interface LoopbackCallback {
  /** `http://127.0.0.1:PORT/callback` */
  readonly url: string;
  /** The state that the browser has to bring back; visits with another one are rejected. */
  readonly state: string;
  /** The other parameters it brings, even if it has already been here. @throws the signal's reason. */
  visited(signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const PATH = '/callback';

/** @param port  0 for any free one. */
export async function openLoopbackCallback(port = 0): Promise<LoopbackCallback> {
  const state = randomBytes(24).toString('base64url');
  const { promise: visit, resolve: come } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const query = queryOf(request, server.address() as AddressInfo);
    const isOurs = query?.get('state') === state;
    if (isOurs) come(query);
    answer(response, isOurs ? query : undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    state,
    async visited(signal) {
      signal.throwIfAborted();
      const { promise: givenUp, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      return Promise.race([visit, givenUp]);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Undefined unless the page is visited by its own address. */
function queryOf({ method, url = '', headers }: IncomingMessage, { port }: AddressInfo): URLSearchParams | undefined {
  const address = URL.parse(url, `http://127.0.0.1:${port}`);
  const isVisit = method === 'GET' && address?.pathname === PATH && headers.host === `127.0.0.1:${port}`;
  return isVisit ? address.searchParams : undefined;
}

function answer(response: ServerResponse, query: URLSearchParams | undefined): void {
  const text =
    query === undefined
      ? 'Nothing waits for this.'
      : query.has('code')
        ? 'Done. You can close this page and go back to Wooster.'
        : 'You were not logged in. You can close this page and go back to Wooster.';
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close', 'cache-control': 'no-store' };
  response.writeHead(query === undefined ? 400 : 200, headers).end(text);
}
