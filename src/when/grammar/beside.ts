import { pattern } from '../../base/pattern.ts';
import type { Place } from './piece.ts';
import type { Token } from './token.ts';

/** Abbreviations of time zones. Short ones are ordinary words unless they are in capitals. */
const ZONES = pattern(
  'u',
  '^(?:[A-Z]{1,2}[SD]?T|(?:utc|gmt|edt|cst|cdt|pst|pdt|mdt|bst|jst|cet|cest|mez|mesz|aest|UTC',
  '|GMT|CEST|MEZ|MESZ|AEST|AEDT|NZST|NZDT))$',
);
const WHOSE = pattern(
  'iu',
  '^(?:their|local|your|his|her|eastern|pacific|central|mountain|british|european|dortiger|dortige|hiesiger',
  '|amerikanischer|englischer|lokaler|deiner|ihrer|seiner)$',
);
const TIME = /^(?:time|zeit)$/iu;
const CLOCK_OF_A_PLACE = /^(?:Orts|Lokal|Welt)zeit$/iu;
const WITHOUT = /^(?:save|without|bar|minus|besides|ohne|nicht|ausgenommen)$/iu;
const ME = /^(?:me|us|mich|mir|uns)$/iu;
/** One of these would have to be chosen, so "at 8 or 9" is asked about, like "monday or tuesday". */
const LISTING = new Set(['weekdays', 'monthly', 'months', 'nth', 'clocks']);

/**
 * Words next to a time that change it in a way that no rule covers: "3pm New York time", "every day at 9 save Sundays",
 * "monday or tuesday", "the next two Fridays", "at 6-7", "after five" in German.
 */
export function besideTimes(places: readonly Place[], tokens: readonly Token[], left: readonly Token[]): Token[] {
  const unread = (token: Token) => left.includes(token);
  return places
    .flatMap((place) => {
      const { start, end, piece } = place;
      const [next, second, third] = tokens.filter((token) => token.start >= end);
      const before = tokens.filter((token) => token.end <= start);
      return [
        ...(piece.is === 'clocks' || piece.is === 'part' ? otherZone([next, second, third]) : []).filter(unread),
        ...(piece.is === 'clocks' && next && second && isRange(end, next, second) ? [second].filter(unread) : []),
        ...(LISTING.has(piece.is) ? choices(place, tokens) : []),
        ...leading(place, before.at(-1), before.at(-2)).filter(unread),
        ...(isAmount(
          before.at(-1),
          tokens.filter((token) => token.start >= start),
          unread,
        )
          ? tokensOf(place, tokens)
          : []),
        ...(tellsNoTime(place, places, tokens) ? tokensOf(place, tokens) : []),
      ];
    })
    .map((token) => ({ ...token, ofTime: true }));
}

/** "Monday or Tuesday", but "at five or so". */
function choices({ start, end }: Place, tokens: readonly Token[]): Token[] {
  return tokens.filter(
    (token, index) =>
      token.start > start &&
      token.end < end &&
      /^(?:or|oder)$/iu.test(token.text) &&
      !/^(?:so|thereabouts)$/iu.test(tokens[index + 1]?.text ?? ''),
  );
}

/** `PST`, `Ortszeit`, `their time`, `Madrid time`, `New Yorker Zeit`. */
function otherZone([next, second, third]: readonly (Token | undefined)[]): Token[] {
  if (!next) return [];
  if (ZONES.test(next.text) || CLOCK_OF_A_PLACE.test(next.text)) return [next];
  const isName = ({ text }: Token) => WHOSE.test(text) || /^\p{Lu}\p{Ll}/u.test(text);
  if (!isName(next) || !second) return [];
  if (TIME.test(second.text)) return [next, second];
  return third && isName(second) && TIME.test(third.text) ? [next, second, third] : [];
}

/** `6-7` without blanks: two hours, only one of which was read. */
function isRange(end: number, dash: Token, number: Token): boolean {
  return /^[-–]$/u.test(dash.text) && dash.start === end && number.start === dash.end && /^\d/u.test(number.text);
}

const tokensOf = ({ start, end }: Place, tokens: readonly Token[]) =>
  tokens.filter((token) => token.start >= start && token.end <= end);

/** "Pay 9.50 to Tom": hours and minutes with a dot, after a word that has nothing to do with time. */
function isAmount(
  previous: Token | undefined,
  [first, next]: readonly Token[],
  unread: (token: Token) => boolean,
): boolean {
  const dotted = /^\d{1,2}\.\d\d$/u.test(first?.text ?? '');
  const marked = next?.senses.some(({ is }) => is === 'half-day' || is === 'oclock') ?? false;
  return dotted && !marked && previous !== undefined && unread(previous) && !ME.test(previous.text);
}

/** "On Friday that the shop closes at 6": a day first, and then a clause whose time belongs to its content. */
function tellsNoTime({ start, piece }: Place, places: readonly Place[], tokens: readonly Token[]): boolean {
  const that = tokens.find(({ text }) => /^(?:that|dass|daß)$/iu.test(text));
  if (piece.is !== 'clocks' || !that || that.start > start) return false;
  return places.some((other) => other.end <= that.start);
}

/** What comes before the time. */
function leading({ piece: { is }, start }: Place, previous: Token | undefined, former: Token | undefined): Token[] {
  if (!previous) return [];
  const counted = previous.senses.some((sense) => sense.is === 'number' || sense.is === 'couple');
  if (is === 'weekdays' && (counted || WITHOUT.test(previous.text))) return [previous];
  if (is === 'clocks' && /^(?:nach|in)$/iu.test(previous.text)) return [previous];
  // "Bi-weekly", "mid-morning".
  if (/^[-–]$/u.test(previous.text) && previous.end === start && former?.end === previous.start) return [former];
  if (is === 'until' && previous.senses.some((sense) => sense.is === 'ordinal' || sense.is === 'number'))
    return [previous];
  return /^(?:late|early|spät)$/iu.test(previous.text) && ME.test(former?.text ?? '') ? [previous] : [];
}
