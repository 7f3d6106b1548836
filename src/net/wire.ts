import { pipeline, Readable } from 'node:stream';
import type { ReadableStreamDefaultController as Controller, ReadableStream as NodeStream } from 'node:stream/web';
import type { Dispatcher } from 'undici';
import { capStream, tooLong } from './body.ts';
import type { Hop } from './hops.ts';

/** An answer whose body is still arriving, decompressed and capped. */
export interface WireAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

interface Way {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal | undefined;
  /** After decompression. */
  readonly maxBytes: number;
}

const NO_BODY = new Set([204, 205, 304]);
/** How many bytes are buffered before they are read; then the server has to wait. */
const AHEAD_BYTES = 64 * 1024;
/** An answer with more encodings is an attack. */
const MAX_CODINGS = 5;

/**
 * Send one request without redirects, for half of what undici's `fetch` costs: a turn asks a model at least once. Only
 * for http and https addresses without a user name.
 */
export async function sendPlain(hop: Hop, { dispatcher, signal, maxBytes }: Way): Promise<WireAnswer> {
  const { url, method, body } = hop;
  signal?.throwIfAborted();
  const codings = url.protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate';
  const headers = { accept: '*/*', 'accept-encoding': codings, ...hop.headers };
  const receiver = new Receiver(signal, maxBytes, method === 'HEAD');
  const to = { origin: url.origin, path: `${url.pathname}${url.search}`, method: method as Dispatcher.HttpMethod };
  dispatcher.dispatch({ ...to, headers, body: body ?? null }, receiver);
  const answer = await receiver.answer;
  const coded = answer.body === null ? null : answer.headers.get('content-encoding');
  if (!coded || !answer.body) return answer;
  return { ...answer, body: capStream(await decoded(answer.body, coded), maxBytes) };
}

/** Passes an answer from undici on to its reader, no faster than it is read. */
class Receiver implements Dispatcher.DispatchHandler {
  /** Resolves with the head of the answer. */
  readonly answer: Promise<WireAnswer>;
  readonly #signal: AbortSignal | undefined;
  readonly #maxBytes: number;
  readonly #isHead: boolean;
  readonly #settle: Pick<PromiseWithResolvers<WireAnswer>, 'resolve' | 'reject'>;
  #wire: Dispatcher.DispatchController | undefined;
  #body: Controller<Uint8Array> | undefined;
  #bytes = 0;

  constructor(signal: AbortSignal | undefined, maxBytes: number, isHead: boolean) {
    const { promise, ...settle } = Promise.withResolvers<WireAnswer>();
    this.answer = promise;
    this.#settle = settle;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#isHead = isHead;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(wire: Dispatcher.DispatchController): void {
    this.#wire = wire;
    // Aborted while waiting for a connection.
    if (this.#signal?.aborted) wire.abort(this.#signal.reason as Error);
  }

  onResponseStart(
    _wire: Dispatcher.DispatchController,
    status: number,
    given: Readonly<Record<string, string | string[] | undefined>>,
    statusText = '',
  ): void {
    if (status < 200) return;
    const headers = new Headers();
    for (const [name, value] of Object.entries(given))
      for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, each);
    const body = this.#isHead || NO_BODY.has(status) ? null : this.#stream();
    this.#settle.resolve({ status, statusText, headers, body });
  }

  onResponseData(wire: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) throw tooLong(this.#maxBytes);
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) wire.pause();
  }

  onResponseEnd(): void {
    this.#ended();
    this.#body?.close();
    this.#body = undefined;
  }

  onResponseError(_wire: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #stream(): ReadableStream<Uint8Array> {
    const source = {
      start: (body: Controller<Uint8Array>) => {
        this.#body = body;
      },
      pull: () => this.#wire?.resume(),
      cancel: (reason: unknown) => {
        this.#body = undefined;
        this.#ended();
        this.#wire?.abort(reason instanceof Error ? reason : new Error('the answer is not read any more'));
      },
    };
    const size = ({ byteLength }: Uint8Array) => byteLength;
    return new ReadableStream<Uint8Array>(source, { highWaterMark: AHEAD_BYTES, size });
  }

  readonly #onAbort = (): void => {
    const reason = this.#signal?.reason as Error;
    this.#fail(reason);
    this.#wire?.abort(reason);
  };

  #fail(error: Error): void {
    this.#ended();
    this.#settle.reject(error);
    this.#body?.error(error);
    this.#body = undefined;
  }

  #ended(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** Most model servers do not compress, so zlib is loaded for those that do. */
async function decoded(body: ReadableStream<Uint8Array>, coded: string): Promise<ReadableStream<Uint8Array>> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const now = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const make: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
    gzip: () => createGunzip(now),
    'x-gzip': () => createGunzip(now),
    deflate: () => createInflate(now),
    br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  };
  const codings = coded
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .reverse();
  const decoders = codings.flatMap((each) => make[each] ?? []);
  if (codings.length > MAX_CODINGS) {
    await body.cancel();
    throw new Error(`too many content codings: ${codings.length}`);
  }
  // As browsers do: an unknown encoding is passed on undecoded.
  if (decoders.length < codings.length) return body;
  const whole = [Readable.fromWeb(body as NodeStream), ...decoders.map((each) => each())];
  const last = pipeline(whole, () => {}) as unknown as Readable;
  return Readable.toWeb(last) as ReadableStream<Uint8Array>;
}
