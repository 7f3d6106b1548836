import type { Reader } from './reader.ts';

/** A word of nearly the same meaning says less surely what was asked for. */
const RELATED_FACTOR = 0.6;
const FORM_FACTOR = 0.9;

/** How much of a word stands there: all of it, or one of nearly the same meaning. */
export function said(word: string, own: ReadonlySet<string>, reader: Reader): number {
  if (own.has(word)) return 1;
  if (reader.compounds && hasFormOf(word, own)) return FORM_FACTOR;
  return [...reader.relatedTo(word)].some((other) => own.has(other)) ? RELATED_FACTOR : 0;
}

const LEAST_FORM = 7;
const MOST_ENDING = 4;

/** "Untervermietung" is a form of "untervermieten". */
export function hasFormOf(word: string, own: ReadonlySet<string>): boolean {
  return [...own].some((other) => {
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    return short.length >= LEAST_FORM && long.startsWith(short) && long.length - short.length <= MOST_ENDING;
  });
}

/** What joins two words: "Hochzeit-s-feier", "Zecke-n-tablette". */
const JOINT = /^(?:e?s|e?n|er|e)?/u;

/** "Wollprogramm" of the row "Wolle" below "Programm", "Zeckentablette" of "Gegen Zecken: eine Tablette". */
export function isJoined(word: string, own: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...own].some((first) => {
    if (first.length < LEAST_HEAD || !word.startsWith(first)) return false;
    const rest = word.slice(first.length);
    return rest.length >= LEAST_HEAD && (all.has(rest) || all.has(rest.replace(JOINT, '')));
  });
}

/** "Salat" of "Kartoffelsalat". */
export function isHeadOf(word: string, above: ReadonlySet<string>): boolean {
  return word.length > LEAST_HEAD && [...above].some((other) => other !== word && other.endsWith(word));
}

/** From here on what two words share at either end is hardly chance. */
const LEAST_COMPOUND = 5;
/** Of a compound's last part, which says what kind of thing it is, fewer letters are enough. */
const LEAST_HEAD = 3;

/** A riding lesson, "Reitstunde", is no hour of anything else. */
const UNITS = new Set(['stund', 'monat', 'minut', 'sekund', 'woche']);

/** Whether one of the words is a part of this one, or this of it, as "Kündigung" is of "Kündigungsfrist". */
export function hasPartOf(word: string, own: ReadonlySet<string>, { compounds }: Reader): boolean {
  if (word.length < LEAST_COMPOUND) return false;
  for (const other of own) {
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    if (short.length >= LEAST_COMPOUND && !UNITS.has(short) && (long.startsWith(short) || long.endsWith(short)))
      return true;
    if (compounds && (overlap(word, other) || overlap(other, word))) return true;
  }
  return false;
}

/** The end of one is the beginning of the other: "Urlaubstage" and "Erholungsurlaub". */
function overlap(first: string, second: string): boolean {
  for (let length = LEAST_COMPOUND; length < Math.min(first.length, second.length); length++)
    if (first.endsWith(second.slice(0, length))) return true;
  return false;
}

/** Whether a shorter word stands there that this one ends with. */
export function hasHeadOf(word: string, own: ReadonlySet<string>): boolean {
  return [...own].some((other) => other.length >= LEAST_HEAD && other !== word && word.endsWith(other));
}
