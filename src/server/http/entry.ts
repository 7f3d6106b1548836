import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { App } from '../../face/app.ts';
import type { Device, Devices, Scope } from './devices.ts';
import { Refused } from './problem.ts';

/** What the handlers behind the door know of who asks. */
export interface Entered {
  readonly Variables: { readonly device: Device };
}

/** Who may enter, and how a page is known. */
export interface Entry {
  readonly devices: Devices;
  readonly guesses: Guesses;
  readonly cookie: string;
  /** The door is for homes of several people: none of them has the machine. */
  readonly isShared: boolean;
}

/** Where the door is, and whom it believes. */
export interface DoorPlace {
  /** `host:port` as a client may name it, lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly scheme: 'http' | 'https';
  /** Addresses of proxies whose forwarding headers are believed. */
  readonly proxies: ReadonlySet<string>;
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const;
const TRIES = 10;
const WINDOW_MS = 60_000;
const LOCKED_MS = 5 * 60_000;

/** Before anything is read: the request names this door, comes from its own pages, and through no unnamed proxy. */
export function atTheDoor(
  { hosts, scheme, proxies }: DoorPlace,
  peerOf: (context: Context) => string,
): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const host = (req.header('host') ?? '').toLowerCase();
    if (!hosts.has(host))
      throw new Refused(403, 'wrong_host', 'This is not the name of this door.', 'Use its own address.');
    if (FORWARDING.some((name) => req.header(name) !== undefined) && !proxies.has(peerOf(context)))
      throw new Refused(
        400,
        'unnamed_proxy',
        'A proxy forwards that this door does not know.',
        'Name it in server.proxies.',
      );
    // A proxy that is believed may hold the certificate.
    const outside = req.header('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : scheme;
    const origin = req.header('origin');
    if (origin !== undefined && origin.toLowerCase() !== `${outside}://${host}`)
      throw new Refused(403, 'wrong_origin', 'Other pages may not ask this door.');
    await next();
  };
}

/** What other pages can send by themselves is never of this type. */
export const jsonOnly: MiddlewareHandler = async ({ req }, next) => {
  // With other methods a browser asks before it sends something for another page, and is told no.
  if (req.method === 'POST' && !isJson(req.header('content-type')))
    throw new Refused(415, 'wrong_type', 'The body must be JSON.', 'Send content-type: application/json.');
  await next();
};

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/iu.test(type ?? '');
}

/** Counts what did not get in. A token that is valid always passes: a lock must not shut out the owner. */
export class Guesses {
  readonly #failures: number[] = [];
  #lockedUntil = 0;
  readonly #now: () => number;
  readonly #tries: number;

  constructor(now: () => number = Date.now, tries = TRIES) {
    this.#now = now;
    this.#tries = tries;
  }

  failed(): void {
    const now = this.#now();
    this.#failures.push(now);
    while ((this.#failures[0] ?? now) < now - WINDOW_MS) this.#failures.shift();
    if (this.#failures.length >= this.#tries) this.#lockedUntil = now + LOCKED_MS;
  }

  /** @throws Refused 429 while the door is locked against guessing. */
  check(): void {
    if (this.#now() < this.#lockedUntil)
      throw new Refused(
        429,
        'locked',
        'There were too many wrong codes, tokens or signatures.',
        'Try again in five minutes.',
      );
  }
}

/** In which a page sends its half of the token. */
const KEY_HEADER = 'x-wooster-key';

/**
 * The token of a page in two halves. Browsers send a cookie to every port of a host: whoever listens on another one
 * gets a half. The other is kept by the page, for its own origin alone, where no script can read the cookie.
 */
export function halvesOf(token: string): { readonly cookie: string; readonly key: string } {
  const middle = token.length - HALF_CHARS;
  return { cookie: token.slice(0, middle), key: token.slice(middle) };
}

/** 128 of its 256 bits. */
const HALF_CHARS = 22;

/** What somebody shows to be let in: a page both halves of its token, a program a bearer token. */
export function shownToken(
  c: Context,
  cookie: string,
): { readonly token: string; readonly kind: Device['kind'] } | undefined {
  const bearer = /^Bearer ([\w.-]{8,400})$/u.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) return { token: bearer, kind: 'program' };
  const [kept, key] = [getCookie(c, cookie), c.req.header(KEY_HEADER)];
  return kept === undefined || key === undefined ? undefined : { token: kept + key, kind: 'page' };
}

/** @throws Refused always: 401, or 429 while the door is locked. @param token  a guess, if there is one. */
export function turnAway(guesses: Guesses, token: string | undefined): never {
  guesses.check();
  if (token !== undefined) guesses.failed();
  throw new Refused(
    401,
    'not_paired',
    'This device is not let in.',
    'Run "wooster pair" and open its link; a program needs the token of "wooster pair --token".',
  );
}

/** Let in who has a valid token with this scope. */
export function mayEnter(scope: Scope, { devices, guesses, cookie }: Entry): MiddlewareHandler<Entered> {
  return async (context, next) => {
    const shown = shownToken(context, cookie);
    const device = shown && (await devices.byToken(shown.token));
    // A cookie is no bearer token and the other way round: what a page holds is of no use in a script.
    if (device?.kind !== shown?.kind || !device) turnAway(guesses, shown?.token);
    if (!device.scopes.includes(scope))
      throw new Refused(403, 'no_scope', `This device may not do that: it has no scope "${scope}".`);
    context.set('device', device);
    await next();
  };
}

/** What a program is told may leave this machine. @throws Refused 403 for a project that stays at home. */
export function mustBeServed(project: string, { models }: Pick<App, 'models'>): void {
  if (models.isLocalOnly(project))
    throw new Refused(403, 'local_only', `The project "${project}" is local only: programs are not served from it.`);
}
