import { connect } from 'node:net';

/**
 * Whether a program on this machine accepts connections on the port. Cheaper than asking by HTTP, which
 * would load a client first.
 */
export function isListening(port: number, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port });
  socket.setTimeout(timeoutMs);
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
