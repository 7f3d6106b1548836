import { isIP, type LookupFunction, Socket } from 'node:net';

/** An attempt to connect beyond this machine. It was blocked. */
export interface Dial {
  readonly target: string;
  /** Made by `src/net/`, the only place that may. */
  readonly allowed: boolean;
}

const dials: Dial[] = [];
let isBlocked = false;

/** All attempts since the last call of this function. */
export function takeDials(): Dial[] {
  return dials.splice(0);
}

interface ConnectOptions {
  path?: string;
  host?: string;
  port?: number | string;
  lookup?: LookupFunction;
}

/** From now on every connection of this process beyond loopback fails and is recorded. */
export function blockOutside(): void {
  if (isBlocked) return;
  isBlocked = true;
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const options = optionsOf(args);
    const host = options.host ?? 'localhost';
    const allowed = openedByNet();
    if (options.path !== undefined || isLoopback(host)) return Reflect.apply(connect, this, args);
    if (isIP(host) !== 0 || !options.lookup) return refuse(this, { target: `${host}:${options.port}`, allowed });
    options.lookup = watched(options.lookup, allowed);
    return Reflect.apply(connect, this, args);
  } as typeof connect;
}

/** Judge a name by what it resolves to. */
function watched(lookup: LookupFunction, allowed: boolean): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const outside = error ? undefined : addresses.find((address) => !isLoopback(address));
      if (outside === undefined) return callback(error, found, family);
      dials.push({ target: outside, allowed });
      callback(new Error(`${outside} is outside: blocked in tests`), [], 0);
    });
}

function refuse(socket: Socket, dial: Dial): Socket {
  dials.push(dial);
  return socket.destroy(new Error(`${dial.target} is outside: blocked in tests`));
}

function optionsOf([first, second]: readonly unknown[]): ConnectOptions {
  if (Array.isArray(first)) return first[0] as ConnectOptions;
  if (typeof first === 'object' && first !== null) return first as ConnectOptions;
  return typeof first === 'number'
    ? { port: first, host: typeof second === 'string' ? second : 'localhost' }
    : { path: String(first) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(?:::ffff:)?127\./u.test(host);
}

function openedByNet(): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = limit;
  return stack.includes('/src/net/');
}
