import type { Voice } from '../../base/turn.ts';
import { typedAddress, webAddress } from '../../base/web-address.ts';
import type { Tool } from '../tool.ts';
import type { CallScope } from './types.ts';

/** Where a call may go without approval. */
export interface KnownPlaces {
  /** What the person said in this conversation. */
  readonly said: readonly string[];
  /** Addresses in search results. */
  readonly destinations: ReadonlySet<string>;
}

/** `derived`: a place of the person's words or a search. `none`: the call reaches nobody but a recipient, if any. */
export type Departure = 'none' | 'derived' | 'free';

const SEPARATORS = /[\s<>"'`«»„“”‘’]+/u;
/** Punctuation that may follow an address without belonging to it. */
const CLOSING = /[).,;:!?\]}*_~]$/u;
const MAX_CLOSING = 8;
const MAX_ADDRESS_CHARS = 4096;
/** A host that nobody takes for a word or a number: it ends in a name of letters, or is a whole IPv4 address. */
const BARE_HOST = /^(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[^\s/?#]*\.\p{L}[^\s/?#.]+)(?=[/?#]|$)/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Where a call goes besides its recipient. An address counts as it will be dialled; whatever does not parse as one
 * could be anything, and so could a tool that uses the network without naming where.
 */
export function departureOf(tool: Tool, input: unknown, known: KnownPlaces): Departure {
  const address = tool.policy.destination?.(input);
  if (address !== undefined) return isKnownAddress(address, known) ? 'derived' : 'free';
  const query = tool.policy.query?.(input);
  if (query !== undefined) return isKnownQuery(query, known.said) ? 'derived' : 'free';
  return tool.policy.network && tool.policy.effect !== 'outbound' ? 'free' : 'none';
}

/**
 * Is an address, as it will be dialled, one that the person or a search named? Only `www.`, a final slash and a step
 * from http to https are forgiven; the fragment never leaves the machine.
 */
export function isKnownAddress(address: string, known: KnownPlaces): boolean {
  const url = webAddress(address);
  return url !== undefined && placesOf(known).has(keyOf(url));
}

/** The same for a link. The page behind it can read the fragment, so that has to be known as well. */
export function isKnownLink(address: string, known: KnownPlaces): boolean {
  const url = webAddress(address);
  return url !== undefined && placesOf(known).has(keyOf(url) + url.hash);
}

/** The places that a turn knows. The text of one born untrusted is not the person's, so its addresses open nothing. */
export function placesIn({ destinations, bornUntrusted, said }: Scope): KnownPlaces {
  return { destinations, said: bornUntrusted ? [] : said };
}

type Scope = Pick<CallScope, 'destinations' | 'bornUntrusted' | 'said' | 'labels'>;

/** Who speaks in a text that a turn sends. */
export function voiceOf(text: string, scope: Scope): Voice {
  const known = placesIn(scope);
  const isKnown = (piece: string) => isKnownLink(piece, known) || isKnownLink(typedAddress(piece)?.href ?? '', known);
  const links = piecesOf(text).flatMap((piece) => endings(piece).find(isKnown) ?? []);
  return { untrusted: scope.labels.untrusted, links: [...new Set(links)] };
}

/**
 * Does a search consist of the person's own words, none more often than they said it? Then it can carry nothing else.
 * Punctuation, further blanks and unusual capitals could spell something out; they are in no word of theirs.
 */
export function isKnownQuery(query: string, said: readonly string[]): boolean {
  const theirs = wordsOf(said);
  const left = new Map<string, number>();
  return query.split(' ').every((word) => {
    const lower = word.toLowerCase();
    const times = left.get(lower) ?? theirs.counts.get(lower) ?? 0;
    left.set(lower, times - 1);
    return times > 0 && (theirs.spellings.has(word) || isUsualSpelling(word, lower));
  });
}

/** `otters`, `Otters` and `OTTERS`, but not `oTTers`. */
function isUsualSpelling(word: string, lower: string): boolean {
  const upper = lower.toUpperCase();
  const title = lower.replace(/./u, (first) => first.toUpperCase());
  return word === lower || word === upper || word === title;
}

interface Words {
  readonly counts: ReadonlyMap<string, number>;
  readonly spellings: ReadonlySet<string>;
}

function wordsOf(said: readonly string[]): Words {
  return remembered(WORDS, said, said.length, () => {
    const counts = new Map<string, number>();
    const spellings = new Set<string>();
    for (const text of said)
      for (const [word] of text.normalize('NFC').matchAll(WORD)) {
        spellings.add(word);
        counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
      }
    return { counts, spellings };
  });
}

function placesOf({ said, destinations }: KnownPlaces): { has(key: string): boolean } {
  const spoken = remembered(SPOKEN, said, said.length, () => new Set(said.flatMap(addressesIn)));
  const found = remembered(FOUND, destinations, destinations.size, () => {
    return new Set([...destinations].flatMap((address) => keysOf(webAddress(address))));
  });
  return { has: (key) => spoken.has(key) || found.has(key) };
}

/** The keys of every address in a text, also without the punctuation behind it, which may belong to the sentence. */
function addressesIn(text: string): string[] {
  return piecesOf(text).flatMap((piece) => endings(piece).flatMap(spokenKeys));
}

/** What may begin with an address. */
function piecesOf(text: string): string[] {
  return text
    .split(SEPARATORS)
    .filter((token) => token.length <= MAX_ADDRESS_CHARS && /[.:]/u.test(token))
    .flatMap((token) => token.split(/(?=https?:\/\/)/iu));
}

/** A piece of text as it stands, and with one closing mark less at a time. */
function endings(piece: string): string[] {
  const all = [piece];
  for (let last = piece; all.length <= MAX_CLOSING && CLOSING.test(last); ) {
    last = last.slice(0, -1);
    all.push(last);
  }
  return all;
}

function spokenKeys(text: string): string[] {
  if (/https?:\/\//iu.test(text)) return keysOf(webAddress(text));
  const bare = text.replace(/^[^\p{L}\p{N}]+/u, '');
  if (!BARE_HOST.test(bare.replace(/:\d+/u, ''))) return [];
  const keys = keysOf(typedAddress(bare));
  // Without a scheme, http and https are both meant.
  return [...keys, ...keys.map((key) => key.replace('https:', 'http:'))];
}

/** An address that the person named covers itself and the same over https. */
function keysOf(url: URL | undefined): string[] {
  if (!url) return [];
  const key = keyOf(url);
  const keys = [key, key + url.hash];
  return [...keys, ...keys.map((each) => each.replace(/^http:/u, 'https:'))];
}

/** Equal for all spellings of one place; without the fragment, which is not dialled. */
function keyOf({ protocol, host, origin, href }: URL): string {
  const plainHost = host.replace(/^www\./u, '').replace(/\.(?=:|$)/u, '');
  const rest = href.slice(origin.length).replace(/#.*/u, '');
  return `${protocol}//${plainHost}${rest.endsWith('/') ? rest.slice(0, -1) : rest}`;
}

/** A value computed from an append-only list, with the length of the list at that time. */
interface Remembered<T> {
  readonly size: number;
  readonly value: T;
}

const SPOKEN = new WeakMap<object, Remembered<ReadonlySet<string>>>();
const FOUND = new WeakMap<object, Remembered<ReadonlySet<string>>>();
const WORDS = new WeakMap<object, Remembered<Words>>();

/** Every call of a turn asks for the same places, and what a person pasted can be long. */
function remembered<T>(memory: WeakMap<object, Remembered<T>>, list: object, size: number, make: () => T): T {
  const known = memory.get(list);
  if (known?.size === size) return known.value;
  const value = make();
  memory.set(list, { size, value });
  return value;
}
