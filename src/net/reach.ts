/** What a plugin may reach, and nothing else. */
export interface Reach {
  /** From its manifest: `example.org`, `*.example.org`, with `:port` or the web's ports. Public addresses only. */
  readonly hosts: readonly string[];
  /** From the owner's settings; without a port, on any port. Reachable even when private. */
  readonly named: readonly string[];
}

/** Who allowed a place: the owner or the plugin's author; undefined if nobody did. */
export type NamedBy = 'owner' | 'author';

const WEB_PORTS = ['80', '443'];

/** @param url its scheme does not matter. */
export function namedBy(reach: Reach, url: URL): NamedBy | undefined {
  const host = bareHost(url);
  const port = portOf(url);
  const names = (anyPort: boolean) => (entry: string) => {
    const [pattern, only] = splitEntry(entry);
    return matchesHost(host, pattern) && (only === undefined ? anyPort || WEB_PORTS.includes(port) : only === port);
  };
  if (reach.named.some(names(true))) return 'owner';
  return reach.hosts.some(names(false)) ? 'author' : undefined;
}

/** The host in lower case, without brackets and without the one trailing dot that DNS allows. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

export function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** `example.org` matches itself only; `*.example.org` matches itself and all subdomains. */
export function matchesHost(host: string, pattern: string): boolean {
  const base = pattern.toLowerCase().replace(/^\*\./u, '');
  return host === base || (pattern.startsWith('*.') && host.endsWith(`.${base}`));
}

/** `host:port`; an IPv6 address with a port has brackets around it. */
function splitEntry(entry: string): [string, string | undefined] {
  const [, bracketed, port] = /^\[(.+)\](?::(\d+))?$/u.exec(entry) ?? [];
  if (bracketed !== undefined) return [bracketed, port];
  const [host = '', only, ...more] = entry.split(':');
  return more.length > 0 ? [entry, undefined] : [host, only];
}
