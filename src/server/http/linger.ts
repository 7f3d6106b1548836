import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** How long a client that is still sending has to notice that it was answered. */
const LINGER_MS = 1000;

/**
 * Let the client read an answer that comes while it is sending. Closed with data unread, a connection is reset, and the
 * client loses what it has not read yet of the answer. What it sends meanwhile is read by nobody.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function lingering(c: Context): void {
  const { incoming } = c.env as { readonly incoming?: IncomingMessage };
  if (!incoming) return;
  const { socket } = incoming;
  const close = socket.destroySoon.bind(socket);
  // Node calls it when the answer is written.
  socket.destroySoon = () => {
    socket.destroySoon = () => undefined;
    socket.end();
    const over = setTimeout(close, LINGER_MS);
    socket.once('close', () => clearTimeout(over));
    // Whoever read it would hold it back, since nobody takes it from there.
    incoming.removeAllListeners('data').resume();
  };
}
