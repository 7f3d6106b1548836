import { refused } from './target.ts';

/** One request in a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The only headers that follow a redirect to another origin: any other could be a credential. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent', 'content-type']);

/** Whether an answer is a redirect. */
export function isRedirect(status: number, location: string | null): location is string {
  return REDIRECTS.has(status) && location !== null;
}

/**
 * The request that follows a redirect. Method and body change as browsers do it; the caller judges the new address.
 *
 * @throws AssistantError `egress_refused` for a downgrade to http, or a body that would go to another origin.
 */
export function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = URL.parse(location, hop.url.href);
  if (!url) throw refused('The page redirects to something that is not an address.', 'Try another page.');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw refused(`${hop.url.host} redirects from https to http.`, 'Try the address that it redirects to.');
  const sameOrigin = url.origin === hop.url.origin;
  const headers = sameOrigin ? hop.headers : harmless(hop.headers);
  const keepsBody = status === 307 || status === 308;
  if (keepsBody && hop.body !== undefined && !sameOrigin)
    throw refused(`${hop.url.host} redirects the request's content to ${url.host}.`, 'Set the new address instead.');
  if (keepsBody) return { ...hop, url, headers };
  return { url, headers, method: hop.method === 'HEAD' ? 'HEAD' : 'GET', body: undefined };
}

function harmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())));
}
