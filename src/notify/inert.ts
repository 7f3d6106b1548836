import { pattern } from '../base/pattern.ts';
import { plainLinks } from '../base/plain-links.ts';
import type { Voice } from '../base/turn.ts';

/** Format characters, but those that join letters of Persian or Indic words and parts of emoji. */
const HIDDEN = pattern(
  'gu',
  String.raw`(?!\u200c|\u200d)\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|(?<=\p{ASCII})(?:\u200c|\u200d)`,
);
const BLANKS = /(\s+)/u;
/** Markup that a service takes out before it looks for addresses. */
const MARKUP = String.raw`(?:[*_~|${'`'}\\]|<[^<>\s]{0,20}>){0,6}`;
const DOT = String.raw`(?:[.\u2024\u3002\uff0e\uff61]|%2e|&(?:#0*46|#x0*2e|period);)`;
/** A dot behind which the last part of a host could stand: no number, no end of a sentence, no single letter. */
const HOST_DOT = pattern(
  'giu',
  String.raw`(?<=[^\s.,;:!?()\[\]{}"'<>/]${MARKUP})${DOT}(?=${MARKUP}\p{L}${MARKUP}[\p{L}\p{N}-])`,
);
const IP_ADDRESS = pattern('giu', String.raw`\d{1,3}(?:${MARKUP}${DOT}${MARKUP}\d{1,3}){3}`);
const WEB_SCHEME = /(?:https?|ftp)[:：][/／\\]*(?=\S)/giu;
const SCHEME = /[:：](?=[/／\\]{2})/gu;
const MENTION = /(?<![\p{L}\p{N}._-])@(?=[\p{L}\p{N}_&!])/gu;
/** A full stop of Chinese or Japanese between two of their letters. */
const EAST_ASIAN_STOP = /^[\u3002\uff0e\uff61]$/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** It may follow an address without belonging to it. */
const EMPHASIS = /[*_~|]+$/u;
/** What may stand before an address that stays, and behind it up to the next blank. */
const BEFORE = /(?:^|[(<["'*_~|])$/u;
const BEHIND = /^[).,;:!?\]}>"'*_~|]*$/u;

/**
 * A text as every channel may send it: after text of others was read, nothing in it is a link, an image or a mention,
 * however it is spelt and whatever the service makes of it, so that neither a click nor a preview can carry anything
 * away. Addresses stay readable, `collector[.]example/page`; whole ones that the owner or a search named stay links.
 *
 * It is not asked which spellings a service knows. An address needs a scheme or a host, a host needs a dot: so the
 * schemes go, and the dots are put into brackets. Takes linear time.
 *
 * @param voice who speaks; absent: the owner's own words, which stay as they are.
 */
export function inert(text: string, voice: Voice | undefined): string {
  if (voice?.untrusted !== true) return text;
  const links = new Set(voice.links);
  const mayLink = (address: string) => links.has(address.replace(EMPHASIS, ''));
  const plain = plainLinks(text.replace(HIDDEN, ''), { mayLink, bare: true });
  // The longest first: one may be the beginning of another.
  const known = [...links].toSorted((a, b) => b.length - a.length);
  return plain
    .split(BLANKS)
    .map((run) => withoutLinks(run, known))
    .join('');
}

/** A run of characters without blanks, of which a known address alone stays a link. */
function withoutLinks(run: string, known: readonly string[]): string {
  for (const link of known) {
    const at = run.indexOf(link);
    if (at < 0) continue;
    const [before, behind] = [run.slice(0, at), run.slice(at + link.length)];
    if (BEFORE.test(before) && BEHIND.test(behind)) return `${broken(before)}${link}${behind}`;
  }
  return broken(run);
}

function broken(run: string): string {
  return run
    .replace(WEB_SCHEME, '')
    .replace(SCHEME, '[:]')
    .replace(HOST_DOT, bracketed)
    .replace(IP_ADDRESS, (address) => address.replace(pattern('giu', DOT), '[.]'))
    .replace(MENTION, '[@]');
}

function bracketed(dot: string, at: number, run: string): string {
  const isStop = EAST_ASIAN_STOP.test(dot) && EAST_ASIAN.test(run[at - 1] ?? '') && EAST_ASIAN.test(run[at + 1] ?? '');
  return isStop ? dot : '[.]';
}
