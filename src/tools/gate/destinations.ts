/** Where a call may go without approval. */
export interface KnownPlaces {
  /** What the person said in this conversation. */
  readonly said: readonly string[];
  /** Addresses in search results. */
  readonly destinations: ReadonlySet<string>;
}

const ADDRESSES = /\bhttps?:\/\/[^\s<>"'`]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/[^\s<>"'`]*)?/giu;

/**
 * Is a destination free of anything that the person or a search did not put there? An address must equal one of theirs
 * as a whole; a search query may contain only words that the person used, so it cannot carry data out.
 */
export function isDerived(destination: string, known: KnownPlaces): boolean {
  const wanted = addressKeys(destination);
  if (wanted.length === 0) return onlyWordsOf(destination, known.said);
  const theirs = new Set([...known.destinations].flatMap(addressKeys));
  for (const text of known.said) for (const address of addressesIn(text)) theirs.add(address);
  return wanted.some((key) => theirs.has(key));
}

/** Every address in a text as a key; also without the punctuation after it, which may belong to the sentence. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(ADDRESSES)].flatMap(([found]) => [
    ...addressKeys(found),
    ...addressKeys(found.replace(/[).,;:!?\]]+$/u, '')),
  ]);
}

/** A key that is equal for all spellings of an address: scheme, `www.`, final slash and fragment do not count. */
function addressKeys(address: string): string[] {
  const isBare = !/^[a-z][a-z0-9+.-]*:/iu.test(address) || /^[^/]+:\d+(?:\/|$)/u.test(address);
  if (isBare && !/^[^\s/]+\.[^\s/.]{2,}(?:\/\S*)?$/u.test(address)) return [];
  const url = URL.parse(isBare ? `https://${address}` : address);
  if (!url || url.username || url.password) return [];
  const host = url.host.replace(/^www\./u, '').replace(/\.(?=:|$)/u, '');
  return [`${host}${url.pathname.replace(/\/$/u, '')}${url.search}`];
}

function onlyWordsOf(query: string, said: readonly string[]): boolean {
  const theirs = new Set(said.flatMap(words));
  const asked = words(query);
  return asked.length > 0 && asked.every((word) => theirs.has(word));
}

function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
