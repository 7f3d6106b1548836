/** `scheme://`, in the forms that people and models write. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//iu;

/**
 * A web address as it will be dialled: parsed, its host in lower-case ASCII. Undefined for any other text, and
 * for an address with a user name, which only serves to make its host look like another one.
 */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? undefined : url;
}

/** The same for an address that may lack its scheme: `example.org/page` is dialled as `https://example.org/page`. */
export function typedAddress(text: string, scheme: 'https' | 'http' = 'https'): URL | undefined {
  const trimmed = text.trim();
  return webAddress(HAS_SCHEME.test(trimmed) ? trimmed : `${scheme}://${trimmed}`);
}
