import { watchStream } from '../net/body.ts';

/** Why an HTTP response of a model server was rejected, before any SDK read it. */
export class ModelHttpError extends Error {
  readonly fault: 'status' | 'content_type' | 'too_large';
  readonly status: number;
  /** The wait the server asked for, in ms; undefined when it did not ask. */
  readonly retryAfterMs: number | undefined;
  /** Start of the body; may contain secrets until it is redacted. */
  readonly body: string;

  constructor(
    fault: ModelHttpError['fault'],
    details: { status: number; retryAfterMs?: number | undefined; body?: string },
  ) {
    super(`model server answered: ${fault} ${details.status}`);
    this.name = 'ModelHttpError';
    this.fault = fault;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.body = details.body ?? '';
  }
}

/** Told what the guard sees of one attempt. SDKs wrap and reword errors; these are the originals. */
export interface WireWatch {
  /** Bytes arrived. */
  onActivity(): void;
  onFault(fault: ModelHttpError): void;
}

const MAX_ERROR_BYTES = 64 * 1024;
const READABLE = /^(?:application\/(?:[\w.+-]*json|x-ndjson|jsonl)|text\/event-stream|text\/json)\b/iu;

/**
 * A `fetch` that fails where SDKs would mistake an error page for an answer: on a bad status, on a content type other
 * than JSON or an event stream, and after `maxBytes` of body.
 *
 * @param watcher  asked at the beginning of each request who watches it.
 */
export function guardFetch(inner: typeof fetch, watcher: () => WireWatch, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const watch = watcher();
    const response = await inner(input, init);
    watch.onActivity();
    const fault = await faultOf(response);
    if (fault) {
      watch.onFault(fault);
      throw fault;
    }
    const look = counted(watch, { maxBytes, status: response.status });
    const body = response.body && watchStream(response.body, look);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/** The reason to reject a response; undefined for a readable one. */
async function faultOf(response: Response): Promise<ModelHttpError | undefined> {
  const { status, headers } = response;
  if (!response.ok) {
    const retryAfterMs = parseRetryAfter(headers);
    return new ModelHttpError('status', { status, retryAfterMs, body: await beginning(response) });
  }
  const type = headers.get('content-type') ?? '';
  if (READABLE.test(type)) return undefined;
  return new ModelHttpError('content_type', {
    status,
    body: `${type || 'no content type'}: ${await beginning(response)}`,
  });
}

function counted(watch: WireWatch, limit: { maxBytes: number; status: number }): (chunk: Uint8Array) => void {
  let bytes = 0;
  return (chunk) => {
    watch.onActivity();
    bytes += chunk.byteLength;
    if (bytes <= limit.maxBytes) return;
    const fault = new ModelHttpError('too_large', { status: limit.status });
    watch.onFault(fault);
    throw fault;
  };
}

/**
 * The wait a server asks for, in ms: `retry-after` in seconds or as an HTTP date, or the `retry-after-ms` of some
 * providers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
function parseRetryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The start of an error body; if the connection breaks, what arrived until then. */
async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes > MAX_ERROR_BYTES) break;
    }
  } catch {
    return text;
  }
  return text;
}
