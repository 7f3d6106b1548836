import type { Language } from '../words/spelling.ts';
import { tokensOf } from './tokens.ts';

/** Folded; the place is the number less one. */
const ORDINALS: readonly (readonly string[])[] = [
  'first 1st former erste ersten erster erstes 1'.split(' '),
  'second 2nd latter zweite zweiten zweiter zweites letztere letzteres 2'.split(' '),
  'third 3rd dritte dritten dritter drittes 3'.split(' '),
  'fourth 4th vierte vierten vierter viertes 4'.split(' '),
  'fifth 5th fuenfte fuenften fuenfter fuenftes 5'.split(' '),
  'sixth 6th sechste sechsten sechster sechstes 6'.split(' '),
  'seventh 7th siebte siebten siebter siebtes 7'.split(' '),
  'eighth 8th achte achten achter achtes 8'.split(' '),
];
const LAST = new Set(['last', 'letzte', 'letzten', 'letzter', 'letztes']);

/** The place that words such as "the second one" name: 1 for the first, -1 for the last. */
export function ordinalOf(words: string): number | undefined {
  const said = tokensOf(words).map(({ word }) => word);
  const at = ORDINALS.findIndex((ordinals) => ordinals.some((ordinal) => said.includes(ordinal)));
  if (at >= 0) return at + 1;
  return said.some((word) => LAST.has(word)) ? -1 : undefined;
}

/** The place of "the second one" among so many, from 0 on; undefined where no place is named. */
function placeNamed(words: string, of: number): number | undefined {
  const place = ordinalOf(words) ?? 0;
  if (place < 0 && of > 0) return of - 1;
  return place > 0 && place <= of ? place - 1 : undefined;
}

const YES = new Set(
  'yes yep yeah yup sure ok okay right exactly please ja jo jep klar genau richtig bitte gern gerne'.split(' '),
);

/** Whether an answer agrees, and says nothing more. */
export function agrees(answer: string): boolean {
  const words = wordsOf(answer);
  return words.length > 0 && words.length <= 3 && words.every((word) => YES.has(word));
}

/** Whether an answer agrees first of all: "yes, put it on the list"; "do it" and "go on" are as much. */
export function saysYes(answer: string): boolean {
  const [first = '', second = ''] = wordsOf(answer);
  return YES.has(first) || ['do it', 'go on'].includes(`${first} ${second}`);
}

function wordsOf(text: string): readonly string[] {
  return tokensOf(text).flatMap(({ word }) => (word === '' ? [] : [word]));
}

/** Which of some texts an answer chooses: by its place, or by the words that it has and the others have not. */
export function chosenFrom(answer: string, texts: readonly string[]): number | undefined {
  const said = new Set(tokensOf(answer).map(({ word }) => word));
  const words = texts.map((text) => new Set(tokensOf(text).map(({ word }) => word)));
  const own = words.map((set, at) => {
    const others = words.filter((_, other) => other !== at);
    return [...set].filter((word) => word !== '' && said.has(word) && !others.some((other) => other.has(word))).length;
  });
  const most = Math.max(...own);
  if (most > 0 && own.filter((count) => count === most).length === 1) return own.indexOf(most);
  return placeNamed(answer, texts.length);
}

/** "A or B", each in quotation marks. */
export function quoted(texts: readonly string[], language: Language): string {
  return language === 'de'
    ? texts.map((text) => `„${text}“`).join(' oder ')
    : texts.map((text) => `"${text}"`).join(' or ');
}
