import type { Socket } from 'node:net';
import type { WebSocket } from 'undici';
import type { DialTarget } from './dial.ts';
import type { Reach } from './reach.ts';
import type { Gateway, GatewayDeps, GatewayRequest, GatewayResponse, SocketRequest } from './types.ts';

/**
 * Create the one way out. Close it at the end, since idle connections keep the process alive. Its HTTP client takes a
 * tenth of a second to load, so it is loaded with the first request; many turns make none.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  return new LateGateway(deps);
}

class LateGateway implements Gateway {
  readonly #deps: GatewayDeps;
  #opened: Promise<Gateway> | undefined;
  #closed = false;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  async request(request: GatewayRequest): Promise<GatewayResponse> {
    return (await this.#gateway()).request(request);
  }

  fetchFor(caller: string, configured: readonly string[]): typeof fetch {
    return this.#late((gateway) => gateway.fetchFor(caller, configured));
  }

  publicFetch(caller: string): typeof fetch {
    return this.#late((gateway) => gateway.publicFetch(caller));
  }

  modelFetch(caller: string): typeof fetch {
    return this.#late((gateway) => gateway.modelFetch(caller));
  }

  downloadFetch(caller: string, named: readonly string[]): typeof fetch {
    return this.#late((gateway) => gateway.downloadFetch(caller, named));
  }

  fetchWithin(caller: string, reach: Reach): typeof fetch {
    return this.#late((gateway) => gateway.fetchWithin(caller, reach));
  }

  async dial(caller: string, reach: Reach, target: DialTarget): Promise<Socket> {
    return (await this.#gateway()).dial(caller, reach, target);
  }

  async webSocket(request: SocketRequest): Promise<WebSocket> {
    return (await this.#gateway()).webSocket(request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#opened)?.close();
  }

  #late(choose: (gateway: Gateway) => typeof fetch): typeof fetch {
    let chosen: Promise<typeof fetch> | undefined;
    return async (input, init) => {
      chosen ??= this.#gateway().then(choose);
      return (await chosen)(input, init);
    };
  }

  #gateway(): Promise<Gateway> {
    if (this.#closed && !this.#opened) return Promise.reject(new Error('the network is closed'));
    this.#opened ??= import('./http-gateway.ts').then(({ HttpGateway }) => new HttpGateway(this.#deps));
    return this.#opened;
  }
}
