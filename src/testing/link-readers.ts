/** What services make of a text before they look for addresses: each by itself, and one after the other. */
const READINGS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\p{Cf}|\u034f|\u3164|[\u0000-\u0008\u000b-\u001f]/gu, ''),
  (text) => text.normalize('NFKC').replaceAll('\u3002', '.'),
  (text) => text.replace(/&(?:#0*46|#x0*2e|period);/giu, '.').replace(/&(?:#0*58|colon);/giu, ':'),
  (text) => text.replace(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1'),
  (text) => text.replace(/<\/?[a-z]{1,8}>/giu, '').replace(/[*_~|`]+/gu, ''),
];
/** Any scheme with slashes; the web's also with one or none. */
const WITH_SCHEME = /(?:[a-z][a-z0-9+.-]*:[/\\]{2,}|https?:)[^\s<>"]+/giu;
const BARE =
  /(?:[^\s<>()[\]{}"'/@]+@)?(?:[\p{L}\p{N}_-]+\.)+(?:xn--[a-z0-9-]+|\p{L}{2,})(?::\d+)?(?:[/?#][^\s<>"]*)?/giu;
const IP = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:[/?#][^\s<>"]*)?/giu;
const TARGETS = [
  /\]\(\s*<?([^)\s>]+)/giu,
  /^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?$/gimu,
  /\b(?:src|href|srcset|poster|action|data)\s*=\s*["']?([^"'\s>]+)/giu,
];
const MENTIONS = /(?<![\p{L}\p{N}._-])@[\p{L}\p{N}_]+|<@[!&]?\d+>/giu;

/**
 * Every address that some service would make a link, load or preview, and everybody whom it would ring, in whichever
 * way it reads the text: with and without Markdown, HTML, entities, escapes and invisible characters, linking bare hosts
 * with any ending. It takes more for an address than any one service does.
 */
export function liveIn(text: string): { readonly addresses: readonly string[]; readonly rung: readonly string[] } {
  const [addresses, rung] = [new Set<string>(), new Set<string>()];
  for (const reading of readingsOf(text)) {
    for (const pattern of [WITH_SCHEME, BARE, IP])
      for (const [found] of reading.matchAll(pattern)) addresses.add(found);
    for (const pattern of TARGETS)
      for (const [, target = ''] of reading.matchAll(pattern))
        if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/iu.test(target)) addresses.add(target);
    for (const [found] of reading.matchAll(MENTIONS)) rung.add(found);
  }
  return { addresses: [...addresses], rung: [...rung] };
}

function readingsOf(text: string): Set<string> {
  const all = new Set([text]);
  for (const reading of READINGS) for (const each of [...all]) all.add(reading(each));
  return all;
}
