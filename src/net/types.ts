/** Rules of one request through the one way out. */
export interface GatewayRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** Who asks, for the log line and the per-tool allow-list: `fetch_text`, a channel's id. */
  readonly caller: string;
  /** Origins (`scheme://host:port`) that this caller's own settings name; reachable even when private. */
  readonly configured?: readonly string[];
  /** Bytes after decompression. */
  readonly maxBytes?: number;
  readonly totalMs?: number;
  /** Content types that are accepted, as prefixes: `['text/', 'application/json']`. Absent: any. */
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

/** The only code that opens sockets to the outside. */
export interface Gateway {
  /** @throws AssistantError `egress_refused` (a rule forbids it) or `egress_failed` (the network did). */
  request(request: GatewayRequest): Promise<GatewayResponse>;
  /**
   * A `fetch` for a client that brings its own protocol (model SDKs); streams, checks every address, and reaches only
   * the origins in `configured`.
   */
  fetchFor(caller: string, configured: readonly string[]): typeof fetch;
  /** A `fetch` to the public internet, judged hop by hop as `request` is: for plugins, which bring their own code. */
  publicFetch(caller: string): typeof fetch;
  /** The same for packages of models, which may be silent for minutes before they answer. */
  modelFetch(caller: string): typeof fetch;
  close(): Promise<void>;
}
