import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { outsideOfCage } from '../base/cage.ts';

const CONNECT_MS = 10_000;

export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** Use TLS from the first byte and verify the host's certificate; otherwise plain text. */
  readonly tls?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Open one connection.
 *
 * @param lookup resolves the host and judges each of its addresses.
 * @param isAllowed judges the address that was actually reached.
 */
export function dial(
  { host, port, tls, signal }: DialTarget,
  { lookup, isAllowed }: { lookup: LookupFunction; isAllowed: (address: string) => boolean },
): Promise<Socket> {
  return outsideOfCage(
    () =>
      new Promise<Socket>((resolve, reject) => {
        signal?.throwIfAborted();
        const socket = tls
          ? connectTls({ host, port, lookup, servername: host })
          : connectPlain({ host, port, lookup });
        const fail = (error: Error) => {
          socket.destroy();
          reject(error);
        };
        const stop = () => fail(signal?.reason instanceof Error ? signal.reason : new Error('it was stopped'));
        const timer = setTimeout(() => fail(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
        signal?.addEventListener('abort', stop, { once: true });
        socket.once('error', fail);
        socket.once('close', () => clearTimeout(timer));
        socket.once(tls ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          if (!isAllowed(socket.remoteAddress ?? '')) return fail(new Error(`${host} is at a private address`));
          socket.off('error', fail);
          resolve(socket);
        });
      }),
  );
}
