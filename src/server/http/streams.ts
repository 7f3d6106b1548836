import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';

/** Proxies cut connections on which nothing comes. */
const ALIVE_MS = 15_000;

/** Answer with a stream that stays open while nothing is said. @param work its signal fires when nobody reads. */
export function openStream(
  c: Context,
  work: (stream: SSEStreamingApi, signal: AbortSignal) => Promise<void>,
): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const alive = setInterval(() => void stream.write(': alive\n\n').catch(() => gone.abort()), ALIVE_MS);
    try {
      await work(stream, gone.signal);
    } finally {
      clearInterval(alive);
    }
  });
}
