import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { bareHost, matchesHost } from './reach.ts';

/** The owner's proxy, from a variable that other programs read too: what is no HTTP proxy is none for us. */
export function proxyUrl(said: string | undefined): string | undefined {
  const url = said === undefined ? null : URL.parse(said.includes('://') ? said : `http://${said}`);
  return url && /^https?:$/u.test(url.protocol) ? url.href : undefined;
}

/**
 * Whether an address is reached through the owner's proxy: what is beyond it, by the usual meaning of `NO_PROXY`. Hosts
 * of the house are not beyond it, whatever the list says.
 */
export function isBehindProxy(url: URL, noProxy: readonly string[]): boolean {
  const host = bareHost(url);
  if (host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host))) return false;
  return !noProxy.some((entry) => entry === '*' || matchesHost(host, `*.${entry.replace(/^\*?\./u, '')}`));
}
