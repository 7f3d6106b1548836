import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { outsideOfCage } from '../base/cage.ts';
import type { AssistantError } from '../base/errors.ts';
import { isPublicAddress } from './addresses.ts';
import { refused } from './target.ts';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Look up all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const HEADERS_MS = 10_000;
const IDLE_MS = 30_000;
/** Of a WebSocket, decompressed. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** A model on a slow machine may take minutes before its first byte; the real timeouts are in models/. */
const MODEL_WAIT_MS = 900_000;

/**
 * The ways out. Each has a connection pool of its own, so that a connection opened for one is never reused by another:
 * `checked` for tools and plugins, `open` for addresses that the person named, and both with long timeouts for models:
 * `checkedModels` and `models`. `proxied` goes through the owner's proxy, which looks up the names itself.
 */
export interface Connections {
  readonly checked: Agent;
  readonly open: Agent;
  readonly models: Agent;
  readonly checkedModels: Agent;
  readonly proxied: Dispatcher;
}

/**
 * @param resolve stands in for DNS in tests.
 * @param proxy URL of the owner's proxy; without one, `proxied` is `checked`.
 */
export function openConnections(resolve: Resolve = systemResolve, proxy?: string | undefined): Connections {
  const webSocket = { maxPayloadSize: MAX_MESSAGE_BYTES };
  const quick = { headersTimeout: HEADERS_MS, bodyTimeout: IDLE_MS, webSocket };
  const direct = buildConnector({ timeout: HEADERS_MS, lookup: lookupBy(resolve, () => true) });
  const patient = { headersTimeout: MODEL_WAIT_MS, bodyTimeout: MODEL_WAIT_MS };
  // A pool opens a connection whenever it needs one, even while caged code reads an answer.
  const connect: buildConnector.connector = (options, callback) => outsideOfCage(() => direct(options, callback));
  const checked = new Agent({ ...quick, connect: checkedConnector(resolve) });
  return {
    checked,
    proxied: proxy === undefined ? checked : new ProxyAgent({ ...quick, uri: proxy }),
    open: new Agent({ ...quick, connect }),
    models: new Agent({ ...patient, connect }),
    checkedModels: new Agent({ ...patient, connect: checkedConnector(resolve) }),
  };
}

function systemResolve(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true });
}

/**
 * Checks every resolved address before connecting and the peer's address afterwards, so that a DNS answer that changes
 * in between (DNS rebinding) gains nothing.
 */
function checkedConnector(resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ timeout: HEADERS_MS, lookup: lookupBy(resolve, isPublicAddress) });
  return (options, callback) =>
    outsideOfCage(() =>
      connect(options, (error, socket) => {
        if (error || socket === null) return callback(error ?? new Error('no connection'), null);
        if (socket.remoteAddress !== undefined && isPublicAddress(socket.remoteAddress)) return callback(null, socket);
        socket.destroy();
        callback(notPublic(options.hostname), null);
      }),
    );
}

/** For connections of other protocols: how to resolve the host, and which addresses are allowed. */
export function judgedAddresses(open: boolean, resolve: Resolve = systemResolve) {
  const isAllowed = open ? () => true : isPublicAddress;
  return { lookup: lookupBy(resolve, isAllowed), isAllowed };
}

function lookupBy(resolve: Resolve, accepts: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    const name = host.replace(/\.$/u, '');
    resolve(name)
      .then((found) => {
        if (found.length === 0) throw new Error(`${name} has no address`);
        if (!found.every(({ address }) => accepts(address))) throw notPublic(name);
        if (options.all) return callback(null, [...found]);
        callback(null, found[0]?.address ?? '', found[0]?.family);
      })
      .catch((error: unknown) => callback(error as NodeJS.ErrnoException, options.all ? [] : '', 0));
  };
}

function notPublic(host: string): AssistantError {
  return refused(
    `${host} resolves to a private or special address.`,
    'Only public addresses can be reached; allow a private one with EGRESS_ALLOW_PRIVATE=host:port.',
  );
}
