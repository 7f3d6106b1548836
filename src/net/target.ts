import { isIP } from 'node:net';
import { AssistantError } from '../base/errors.ts';
import { isPublicAddress } from './addresses.ts';
import { bareHost, matchesHost, namedBy, portOf, type Reach } from './reach.ts';

/** What a caller may reach. */
export interface ReachRules {
  /** Origins (`URL.origin`) from the caller's own settings: reachable on any port, even when private. */
  readonly configured: readonly string[];
  /** `host:port` entries that the person opened for tools. */
  readonly allowPrivate: readonly string[];
  /** The only hosts that may be reached: `example.org`, or `*.example.org` with all its subdomains. */
  readonly onlyHosts?: readonly string[] | undefined;
  /** What a plugin may reach, and nothing else. */
  readonly reach?: Reach | undefined;
}

/** A judged address. `open`: the person named it, so what it resolves to is not checked. */
export interface Target {
  readonly url: URL;
  readonly open: boolean;
}

const PORTS = new Set(['', '80', '443']);

/**
 * Judge an address by its parsed form alone. What it resolves to is checked when connecting.
 *
 * @throws AssistantError `egress_refused`.
 */
export function judgeTarget(address: string, rules: ReachRules): Target {
  const url = URL.parse(address);
  if (!url) throw refused('This is not a web address.', 'Give a full address such as https://example.org/page.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`${url.protocol} addresses are not fetched.`, 'Only http and https can be reached.');
  if (url.username || url.password)
    throw refused('Addresses with a user name or password are not fetched.', 'Remove the part before the @.');
  const host = bareHost(url);
  if (rules.onlyHosts && !rules.onlyHosts.some((pattern) => matchesHost(host, pattern)))
    throw refused(`${host} is not on the list of hosts for this tool.`, 'Add it to EGRESS_TOOL_HOSTS.');
  const by = rules.reach && namedBy(rules.reach, url);
  if (rules.reach && !by) throw notDeclared(url, rules.reach);
  const open =
    by === 'owner' ||
    rules.configured.some((origin) => sameOrigin(origin, url)) ||
    isOpened(url, host, rules.allowPrivate);
  if (!open) judgePublic(url, host, by === 'author');
  return { url, open };
}

function notDeclared(url: URL, { hosts, named }: Reach): AssistantError {
  const all = [...hosts, ...named];
  const list = all.length === 0 ? 'none' : all.join(', ');
  return refused(
    `${bareHost(url)}:${portOf(url)} is not among the hosts of this plugin (${list}).`,
    'Name it in the "hosts" of the plugin.',
  );
}

function judgePublic(url: URL, host: string, anyPort: boolean): void {
  if (host === '') throw refused('The address names no host.', 'Give a full address such as https://example.org/page.');
  const hint = 'Only public addresses can be reached; allow a private one with EGRESS_ALLOW_PRIVATE=host:port.';
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refused(`${host} is a private or special address.`, hint);
  if (host === 'localhost' || host.endsWith('.localhost')) throw refused('localhost is this machine.', hint);
  if (!anyPort && !PORTS.has(url.port)) throw refused(`Port ${url.port} is not allowed.`, 'Only ports 80 and 443 are.');
}

function isOpened(url: URL, host: string, allowPrivate: readonly string[]): boolean {
  const port = portOf(url);
  return allowPrivate.some((entry) => {
    const named = URL.parse(`http://${entry}`);
    return named !== null && bareHost(named) === host && (named.port || '80') === port;
  });
}

function sameOrigin(origin: string, url: URL): boolean {
  return URL.parse(origin)?.origin === url.origin;
}

export function refused(message: string, hint: string): AssistantError {
  return new AssistantError('egress_refused', message, { hint });
}
