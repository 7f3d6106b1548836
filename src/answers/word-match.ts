import type { Reader } from './reader.ts';

/** A related word is a weaker match than the word itself. */
const RELATED_FACTOR = 0.6;
const FORM_FACTOR = 0.9;

/** How well a set of words matches one word: by the word itself, a form of it or a related word. */
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

/** The linking letters of a compound: "Hochzeit-s-feier", "Zecke-n-tablette". */
const JOINT = /^(?:e?s|e?n|er|e)?/u;

/** "Wollprogramm" matches the row "Wolle" below "Programm", "Zeckentablette" "Gegen Zecken: eine Tablette". */
export function isJoined(word: string, own: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...own].some((first) => {
    if (first.length < LEAST_HEAD || !word.startsWith(first)) return false;
    const rest = word.slice(first.length);
    return rest.length >= LEAST_HEAD && (all.has(rest) || all.has(rest.replace(JOINT, '')));
  });
}

/** "Salat" is the head of "Kartoffelsalat". */
export function isHeadOf(word: string, above: ReadonlySet<string>): boolean {
  return word.length > LEAST_HEAD && [...above].some((other) => other !== word && other.endsWith(word));
}

/** From this length on, a shared beginning or end is hardly a coincidence. */
const LEAST_COMPOUND = 5;
/** Fewer letters are enough for the head of a compound, which says what kind of thing it is. */
const LEAST_HEAD = 3;

/** A unit is not a match: "Reitstunde", a riding lesson, has nothing to do with other hours. */
const UNITS = new Set(['stund', 'monat', 'minut', 'sekund', 'woche']);

/** Whether one of the words contains this one, or the reverse: "Kündigung" and "Kündigungsfrist". */
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

/** Whether the end of one is the beginning of the other: "Erholungsurlaub" and "Urlaubstage". */
function overlap(first: string, second: string): boolean {
  for (let length = LEAST_COMPOUND; length < Math.min(first.length, second.length); length++)
    if (first.endsWith(second.slice(0, length))) return true;
  return false;
}

/** Whether this word ends with one of the others. */
export function hasHeadOf(word: string, own: ReadonlySet<string>): boolean {
  return [...own].some((other) => other.length >= LEAST_HEAD && other !== word && word.endsWith(other));
}
