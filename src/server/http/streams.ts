import type { SSEStreamingApi } from 'hono/streaming';

/** Proxies cut connections on which nothing comes. */
const ALIVE_MS = 15_000;

/** Do something with a stream that has to stay open while nothing is said. @param gone fires when nobody reads. */
export async function keptAlive(stream: SSEStreamingApi, gone: AbortController, work: () => Promise<void>) {
  const alive = setInterval(() => void stream.write(': alive\n\n').catch(() => gone.abort()), ALIVE_MS);
  try {
    await work();
  } finally {
    clearInterval(alive);
  }
}
