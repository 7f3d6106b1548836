import { type Dispatcher, WebSocket } from 'undici';

const OPEN_MS = 10_000;

/**
 * Open a WebSocket and wait until it is open. Its owner closes it; the signal ends the waiting.
 *
 * @throws Error when it does not open within ten seconds; the signal's reason.
 */
export async function openSocket(
  url: string,
  more: { headers: Readonly<Record<string, string>>; dispatcher: Dispatcher; signal: AbortSignal },
): Promise<WebSocket> {
  const { headers, dispatcher, signal } = more;
  signal.throwIfAborted();
  const socket = new WebSocket(url, { headers: { ...headers }, dispatcher });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`no connection within ${OPEN_MS} ms`)), OPEN_MS);
  const stop = () => reject(new Error('it was stopped'));
  signal.addEventListener('abort', stop, { once: true });
  socket.addEventListener('open', () => resolve(), { once: true });
  // A socket that fails says so once more when it closes.
  socket.addEventListener('error', ({ error }) => reject(error instanceof Error ? error : new Error('refused')));
  socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)), { once: true });
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
