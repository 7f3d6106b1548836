import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { App, SharedDoor } from '../../face/app.ts';
import type { AskedDoor, HttpDoor, OpenDoor } from '../../face/doors.ts';
import { readBody } from './api.ts';
import { forgetDoor, noteDoor } from './door-file.ts';
import { DoorHomes } from './door-homes.ts';
import { atTheDoor, type DoorPlace, halvesOf, jsonOnly, shownToken, turnAway } from './entry.ts';
import { hookRoutes } from './hook-routes.ts';
import { openApiDocument } from './openapi.ts';
import { pageRoutes } from './page.ts';
import { answerNothing, answerProblem, Refused } from './problem.ts';

const MAX_BODY_BYTES = 20 * 1024 * 1024;
/** Who is slower than this with a request is put out. */
const LIMITS = {
  ...{ requestTimeout: 60_000, headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
  // A busy client must not meet a connection that is just being closed.
  keepAliveTimeout: 20_000,
};
const MOST_SILENT = 500;
/** Connections that wait to be taken; the system refuses more for seconds, and lowers it to its own bound. */
const MOST_WAITING = 4096;
const COOKIE_DAYS = 400;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Open the door of a home and keep it open until it is closed.
 *
 * @throws AssistantError `bad_usage` when the port is taken, or others could reach the door without TLS.
 */
export async function openHttp(app: App, door: HttpDoor & Omit<AskedDoor, 'address'>): Promise<OpenDoor> {
  const homes = new DoorHomes({ home: app.home.id });
  homes.admit(app, door);
  const { url, close } = await openDoor(homes, door, app.home.log);
  noteDoor(app.home.dir, url);
  const shut = async () => {
    forgetDoor(app.home.dir);
    await close();
  };
  return { url, close: shut };
}

/** The same for homes that come and go. @throws AssistantError like that. */
export async function openSharedHttp(door: HttpDoor, log: Log): Promise<SharedDoor> {
  const homes = new DoorHomes('several');
  const open = await openDoor(homes, door, log);
  const admit: SharedDoor['admit'] = ({ app, run }, asked) => {
    const leave = homes.admit(app, asked, run);
    noteDoor(app.home.dir, open.url);
    return async () => {
      forgetDoor(app.home.dir);
      await leave();
    };
  };
  return { ...open, admit };
}

async function openDoor(homes: DoorHomes, door: HttpDoor, log: Log): Promise<OpenDoor> {
  const { host, tls, proxies } = door;
  if (!LOOPBACK.has(host) && !tls && proxies.length === 0)
    throw new AssistantError('bad_usage', `At ${host} others on the network could read along.`, {
      hint: 'Give a certificate (server.tls.cert, server.tls.key), or name the proxy in front (server.proxies).',
    });
  const scheme = tls ? 'https' : 'http';
  const hosts = new Set<string>();
  const routes = doorRoutes(homes, { hosts, scheme, proxies: new Set(proxies) }, log);
  const server = createAdaptorServer({
    fetch: routes.fetch,
    ...(tls && {
      createServer: createTlsServer,
      serverOptions: { ...LIMITS, cert: readFileSync(tls.cert), key: readFileSync(tls.key), handshakeTimeout: 10_000 },
    }),
    ...(!tls && { serverOptions: LIMITS }),
  }) as Server;
  server.maxConnections = 2000;
  boundSilent(server, tls ? 'secureConnection' : 'connection');
  await listening(server, door);
  const { port } = server.address() as AddressInfo;
  for (const name of namesOf(door, port, scheme)) hosts.add(name);
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: async () => {
      await homes.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        // A stream that is read would keep it open for ever.
        server.closeAllConnections();
      });
    },
  };
}

/** Who connects and says nothing is put out for the next one: a thousand of them do not keep the owner out. */
function boundSilent(server: Server, connected: 'connection' | 'secureConnection'): void {
  const silent = new Set<Socket>();
  server.on(connected, (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > MOST_SILENT) oldest?.destroy();
  });
  server.on('request', ({ socket }: { readonly socket: Socket }) => silent.delete(socket));
}

/** What a client may call this door, as browsers write it: without the port where it is the usual one. */
function namesOf({ host, names }: HttpDoor, port: number, scheme: 'http' | 'https'): readonly string[] {
  const own = LOOPBACK.has(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [host.includes(':') ? `[${host}]` : host];
  const usual = port === (scheme === 'https' ? 443 : 80);
  const withPort = own.flatMap((name) => [`${name}:${port}`, ...(usual ? [name] : [])]);
  return [...withPort, ...names.flatMap((name) => (/:\d+$/u.test(name) ? [name] : [name, `${name}:${port}`]))].map(
    (name) => name.toLowerCase(),
  );
}

async function listening(server: Server, { host, port }: HttpDoor): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ port, host, backlog: MOST_WAITING }, resolve);
  await promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') throw error;
    const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : 'cannot be used';
    throw new AssistantError('bad_usage', `${host}:${port} ${why}.`, {
      hint: 'Choose another address with --http HOST:PORT or server.address.',
      cause: error,
    });
  });
}

function doorRoutes(homes: DoorHomes, place: DoorPlace, log: Log): Hono {
  const routes = new Hono();
  routes.onError((error, c) => answerProblem(error, c, (told) => log.error('a request failed', told)));
  routes.notFound(answerNothing);
  routes.use(atTheDoor(place, peerOf));
  routes.use(
    secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY', strictTransportSecurity: false }),
  );
  routes.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refused(413, 'too_large', 'The body is too large.', 'At most 20 MB are taken.');
      },
    }),
  );
  routes.route('/hooks', hookRoutes(homes));
  routes.use(jsonOnly);
  routes.get('/healthz', (c) => c.json({ serving: true }));
  routes.get('/api/openapi.json', (c) => c.json(openApiDocument()));
  routes.post('/api/pair', async (c) => pairedPage(c, homes));
  for (const path of OF_A_HOME) routes.all(path, async (c) => answerOfHome(c, homes));
  routes.route('/', pageRoutes());
  return routes;
}

/** Whose answer depends on who asks. */
const OF_A_HOME = ['/api/*', '/mcp', '/v1/*'] as const;

async function answerOfHome(c: Context, homes: DoorHomes): Promise<Response> {
  const token = shownToken(c, homes.cookie)?.token;
  const home = token === undefined ? undefined : homes.of(token);
  return home ? home.answer(c.req.raw, c.env) : turnAway(homes.guesses, token);
}

const pairBody = z.strictObject({ code: z.string().max(40), name: z.string().max(200) });

/** A code for the two halves of a token. @throws Refused 401, 429. */
async function pairedPage(c: Context, homes: DoorHomes): Promise<Response> {
  homes.guesses.check();
  const { code, name } = await readBody(c.req.raw, pairBody);
  const paired = await homes.find(({ devices }) => devices.redeem(code, name));
  if (!paired) {
    homes.guesses.failed();
    await homes.find(({ devices }) => devices.wrongCode().then(() => undefined));
    throw new Refused(401, 'wrong_code', 'This code is wrong, used or too old.', 'Run "wooster pair" for a new one.');
  }
  const { token, device } = paired;
  const maxAge = COOKIE_DAYS * 86_400;
  const { cookie, key } = halvesOf(token);
  setCookie(c, homes.cookie, cookie, { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', maxAge });
  return c.json({ id: device.id, name: device.name, scopes: device.scopes, key });
}

/** The address at the other end of the connection. */
function peerOf(c: Context): string {
  const { incoming } = c.env as { incoming?: { socket?: { remoteAddress?: string } } };
  return (incoming?.socket?.remoteAddress ?? '').replace(/^::ffff:/u, '');
}
