import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listen on a free port of this machine. @returns `http://127.0.0.1:port`. */
export async function listenHere(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Close it at once, whoever is still connected. */
export function closeNow(server: Server): void {
  server.closeAllConnections();
  server.close();
}
