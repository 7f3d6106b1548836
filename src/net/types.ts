import type { Socket } from 'node:net';
import type { WebSocket } from 'undici';
import type { Log } from '../base/log.ts';
import type { Resolve } from './connections.ts';
import type { DialTarget } from './dial.ts';
import type { Reach } from './reach.ts';

/** One request through the gateway, and its limits. */
export interface GatewayRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** Who makes it, for the log and the per-tool allow-list: `fetch_text`, a channel's id. */
  readonly caller: string;
  /** Origins (`scheme://host:port`) that this caller's own settings name; reachable even when private. */
  readonly configured?: readonly string[];
  /** Bytes after decompression. */
  readonly maxBytes?: number;
  readonly totalMs?: number;
  /** Prefixes of the accepted content types: `['text/', 'application/json']`. Absent: any. */
  readonly accept?: readonly string[];
  readonly maxRedirects?: number;
}

export interface GatewayResponse {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  text(): string;
}

export type { WebSocket } from 'undici';

/** A WebSocket through the gateway. */
export interface SocketRequest extends Pick<GatewayRequest, 'signal' | 'caller' | 'configured'> {
  /** `wss:`, or `ws:` where the caller's own settings name that origin as `http:`. */
  readonly url: string;
}

/** The one way out: no other code opens connections beyond this machine. */
export interface Gateway {
  /** @throws AssistantError `egress_refused` (forbidden by a rule) or `egress_failed` (the network failed). */
  request(request: GatewayRequest): Promise<GatewayResponse>;
  /**
   * A `fetch` for a client with a protocol of its own (model SDKs). It streams, and reaches only the origins in
   * `configured`, also across redirects.
   */
  fetchFor(caller: string, configured: readonly string[]): typeof fetch;
  /** A `fetch` to the public internet for plugins; every hop is judged as in `request`. */
  publicFetch(caller: string): typeof fetch;
  /** A `fetch` for one plugin: it reaches what `reach` names, also across redirects. */
  fetchWithin(caller: string, reach: Reach): typeof fetch;
  /**
   * A connection for another protocol (mail) to a host and port that `reach` names.
   *
   * @throws AssistantError `egress_refused`, `egress_failed`.
   */
  dial(caller: string, reach: Reach, target: DialTarget): Promise<Socket>;
  /**
   * An open WebSocket, whose messages have at most 16 MB. Its owner closes it; the signal ends the opening.
   *
   * @throws AssistantError `egress_refused`, `egress_failed`.
   */
  webSocket(request: SocketRequest): Promise<WebSocket>;
  /** As `publicFetch`, for third-party model packages, whose servers may take minutes to answer. */
  modelFetch(caller: string): typeof fetch;
  /**
   * A `fetch` for files of any size: from the public internet, or from an origin that the person `named`. Every hop is
   * judged.
   */
  downloadFetch(caller: string, named: readonly string[]): typeof fetch;
  close(): Promise<void>;
}

export interface GatewayDeps {
  /** `host:port` entries that tools may reach although their addresses are private. */
  readonly allowPrivate: readonly string[];
  /** `caller=host` entries; a caller named here reaches these hosts only. */
  readonly toolHosts?: readonly string[] | undefined;
  /** URL of the proxy through which files are downloaded, and hosts that are reached without it. */
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  readonly log: Log;
  /** Stands in for DNS in tests. */
  readonly resolve?: Resolve | undefined;
}
