import type { Client, FetchLike, Transport } from '@modelcontextprotocol/client';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import { cut, cutTail } from '../../base/text.ts';
import { version } from '../../base/version.ts';
import { unlessAborted } from '../../tools/gate/tool-call.ts';
import { ServerLogin } from './login.ts';
import { LoginFile } from './login-file.ts';
import { warningsTo } from './sdk-warnings.ts';
import { expandVariables, type LocalServer, type RemoteServer, type ServerSettings } from './server-settings.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface ConnectDeps {
  readonly log: Log;
  readonly redactor: Redactor;
  /** The variables that `mcp.json` may name. */
  readonly env: NodeJS.ProcessEnv;
  /** Gives a `fetch` that reaches one origin only. */
  fetchFor(caller: string, configured: readonly string[]): typeof fetch;
  /** Gives a `fetch` for a server's login service; absent: its own origin only. */
  publicFetch?(caller: string): typeof fetch;
  /** Where logins are stored. */
  readonly homeDir: string;
}

/** Handlers of the requests that a server may send us; each gets the request's parameters. */
export interface ClientHandlers {
  readonly elicit?: ((params: unknown) => Promise<unknown>) | undefined;
  readonly sample?: ((params: unknown) => Promise<unknown>) | undefined;
  /** Called when one of its lists has changed. */
  readonly changed: (list: 'tools' | 'prompts' | 'resources') => void;
}

/** An open connection. */
export interface Link {
  readonly client: Client;
  readonly transport: Transport;
  /** The process of a server on this machine. */
  readonly pid: number | undefined;
  /** Why it ended, quoting the last line of the server's log if there is one. */
  reason(): string;
  /** Close it, with a reason. */
  stop(why: string): void;
}

const CONNECT_MS = 10_000;
const LISTS = ['tools', 'prompts', 'resources'] as const;
/** Longest line of a server's log; the rest is cut. */
const LOGGED_CHARS = 400;
/** Limit for each start of a server. */
const LOGGED_LINES = 500;

/** Third-party regular expressions can block the program for minutes, so only our own gate checks the results. */
const NO_CHECK = {
  getValidator: () => (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined }),
};

/**
 * Connect to a server. The packages for it are loaded here, with the first server.
 *
 * @throws Error that says why not; any process that was started has been ended by then.
 */
export async function connect(
  settings: ServerSettings,
  deps: ConnectDeps,
  handlers: ClientHandlers,
  signal?: AbortSignal,
): Promise<Link> {
  const sdk = await import('@modelcontextprotocol/client');
  const { name, target } = settings;
  const capabilities = {
    ...(handlers.elicit ? { elicitation: { form: { applyDefaults: true } } } : {}),
    ...(handlers.sample ? { sampling: {} } : {}),
  };
  const client = new sdk.Client(
    { name: 'wooster', version: version() },
    {
      capabilities,
      jsonSchemaValidator: NO_CHECK,
      listMaxPages: 16,
      // Over standard streams, asking for the version would start every older server twice.
      versionNegotiation: { mode: target.kind === 'http' ? 'auto' : 'legacy' },
    },
  );
  client.onerror = (error) => deps.log.debug('mcp', { server: name, error: cut(error.message, LOGGED_CHARS) });
  handle(client, handlers);
  const { transport, reason } =
    target.kind === 'stdio' ? startLocal(name, target, deps) : openRemote(name, target, deps, sdk);
  try {
    const connecting = client.connect(transport, { timeout: CONNECT_MS, ...(signal && { signal }) });
    // During version negotiation the client ignores the signal.
    await (signal ? unlessAborted(connecting, signal) : connecting);
  } catch (error) {
    const why = reason() || whyOf(error);
    await transport.close().catch(() => undefined);
    throw new Error(`it did not connect: ${why}`, { cause: error });
  }
  const local = transport instanceof StdioTransport ? transport : undefined;
  return { client, transport, reason, pid: local?.pid, stop: (why) => local?.stop(why) };
}

function handle(client: Client, { elicit, sample, changed }: ClientHandlers): void {
  if (elicit) client.setRequestHandler('elicitation/create', async ({ params }) => (await elicit(params)) as never);
  if (sample) client.setRequestHandler('sampling/createMessage', async ({ params }) => (await sample(params)) as never);
  for (const list of LISTS) client.setNotificationHandler(`notifications/${list}/list_changed`, () => changed(list));
}

function startLocal(name: string, target: LocalServer, deps: ConnectDeps): Pick<Link, 'transport' | 'reason'> {
  const { command, args, env, cwd } = target;
  const expand = (text: string) => expandVariables(text, deps.env);
  const transport = new StdioTransport(
    { command: expand(command), args: args.map(expand), env: secretly(env, deps), cwd: cwd && expand(cwd) },
    stderrLog(name, deps.log),
  );
  const reason = () => [transport.ended, lastLine(deps.redactor.redact(transport.stderr))].filter(Boolean).join(': ');
  return { transport, reason };
}

/** Logs a server's messages, up to a limit. */
function stderrLog(server: string, log: Log): (text: string) => void {
  let left = LOGGED_LINES;
  return (text) => {
    for (const line of left > 0 ? text.split('\n', left) : []) {
      if (line.trim() === '') continue;
      left -= 1;
      log.info('mcp stderr', { server, text: cut(line, LOGGED_CHARS), ...(left === 0 ? { last: true } : {}) });
    }
  };
}

function openRemote(
  name: string,
  target: RemoteServer,
  deps: ConnectDeps,
  { StreamableHTTPClientTransport }: typeof import('@modelcontextprotocol/client'),
): Pick<Link, 'transport' | 'reason'> {
  const address = new URL(expandVariables(target.url, deps.env));
  const { login, loginDeps } = loginOf(name, target, deps);
  const way = remoteFetch(name, target, deps);
  let refused = false;
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (input, init) => {
      const response = await way(input, init);
      if (String(input) === address.href) refused = response.status === 401;
      return response;
    },
    ...(login && { authProvider: new ServerLogin(loginDeps, login) }),
  });
  const send = transport.send.bind(transport);
  transport.send = (...given) => warningsTo(deps.log, () => send(...given));
  const reason = () => (refused ? `it wants you to log in: wooster mcp login ${name}` : '');
  return { transport, reason };
}

/** The owner's login at a server, and what it was made with. */
export function loginOf(name: string, target: RemoteServer, deps: ConnectDeps) {
  const url = expandVariables(target.url, deps.env);
  const file = new LoginFile(deps.homeDir, name, url);
  const { clientSecret, ...rest } = target.oauth;
  const secret = clientSecret === undefined ? {} : secretly({ clientSecret }, deps);
  return { url, login: file.read(), loginDeps: { file, redactor: deps.redactor, oauth: { ...rest, ...secret } } };
}

/** The server's own origin, which gets its configured headers, and public ones, where its login service is. */
export function remoteFetch(name: string, target: RemoteServer, deps: ConnectDeps): FetchLike {
  const { origin } = new URL(expandVariables(target.url, deps.env));
  const own = deps.fetchFor(`mcp:${name}`, [origin]);
  const others = deps.publicFetch?.(`mcp:${name}`) ?? own;
  const secrets = Object.entries(secretly(target.headers, deps));
  return (input, init) => {
    const url = URL.parse(String(input));
    if (url?.origin !== origin) return others(input, init);
    const headers = new Headers(init?.headers);
    for (const [key, value] of secrets) if (!headers.has(key)) headers.set(key, value);
    return own(input, { ...init, headers });
  };
}

/** With their variables substituted, whose values are redacted from now on. */
function secretly(texts: Readonly<Record<string, string>>, { env, redactor }: ConnectDeps): Record<string, string> {
  const expanded = Object.entries(texts).map(([key, text]) => {
    const value = expandVariables(text, env);
    if (value !== text) redactor.add(value.replace(/^Bearer /iu, ''));
    return [key, value] as const;
  });
  return Object.fromEntries(expanded);
}

function lastLine(text: string): string {
  return cutTail(text.split('\n').at(-1)?.trim() ?? '', LOGGED_CHARS);
}

/** The innermost cause: what failed, not who noticed. */
export function whyOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
}
