import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';

/** Proxies cut connections on which nothing comes. */
const ALIVE_MS = 15_000;

export type StreamWork = (stream: SSEStreamingApi, signal: AbortSignal) => Promise<void>;

/**
 * Answer with a stream that stays open while nothing is said.
 *
 * @param work its signal fires when nobody reads, or may read any more.
 * @param mayRead asked now and then: who was shut out meanwhile hears no more.
 */
export function openStream(c: Context, work: StreamWork, mayRead: () => Promise<boolean> = async () => true): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const look = async () => {
      if (await mayRead()) await stream.write(': alive\n\n');
      else gone.abort();
    };
    const alive = setInterval(() => void look().catch(() => gone.abort()), ALIVE_MS);
    try {
      await work(stream, gone.signal);
    } finally {
      clearInterval(alive);
    }
  });
}
