import { pattern } from '../base/pattern.ts';
import { month } from '../words/months.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { weekday } from '../words/weekdays.ts';
import type { UserRequest } from './request.ts';

/** Beside the sentence that comes nearest, the ones behind it are shown as far as they fit. */
const ENOUGH_CHARS = 160;

/** The sentence of a passage that shares most words with the question, with a little of what follows it. */
export function nearestPart(passage: string, question: string): string {
  const sentences = passage.split(/(?<=\p{L}{3}[.!?]|[)\d][!?])\s+(?=\p{Lu})|\n+/u);
  const asked = stems(question);
  const shared = sentences.map((sentence) => {
    const own = stems(sentence);
    return asked.reduce((sum, stem) => sum + met(stem, own), 0);
  });
  const from = shared.indexOf(Math.max(...shared));
  let to = from + 1;
  while (to < sentences.length && sentences.slice(from, to + 1).join(' ').length <= ENOUGH_CHARS) to++;
  return sentences.slice(from, to).join(' ');
}

/** What a question is about counts more than the rest of its words. */
const NOUN_WEIGHT = 3;

/** The share of a question's longer words that a text has, the nouns of a German one first. */
export function sharedShare(question: string, text: string): number {
  const nouns = new Set(nounsIn(question).flatMap(stems));
  const known = stems(text);
  const asked = stems(question).map((stem) => ({
    weight: nouns.has(stem) ? NOUN_WEIGHT : 1,
    met: met(stem, known),
  }));
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  return sum(asked.map(({ weight, met }) => weight * met)) / Math.max(1, sum(asked.map(({ weight }) => weight)));
}

/** Whether a text has any of the words that an English question is about. */
export function sharesAny(question: string, text: string): boolean {
  const wordsIn = (of: string) =>
    (of.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !STOP_WORDS.en.has(word));
  const known = wordsIn(text);
  return wordsIn(question).some((asked) => known.some((word) => word === asked || alike(asked, word) > 0));
}

/** The name of a file has "daenemark" for "Dänemark". */
function undotted(text: string): string {
  return text.replace(/[äöü]|([ao])e|(?<![aeq])ue/gu, (found) => UNDOTTED[found] ?? found);
}

const UNDOTTED: Readonly<Record<string, string>> = { ä: 'a', ae: 'a', ö: 'o', oe: 'o', ü: 'u', ue: 'u' };

/** The longer words without their endings, each once: "give" and "given" are one. */
function stems(text: string): string[] {
  const words = undotted(text.toLowerCase()).match(/\p{L}{4,}/gu) ?? [];
  return [
    ...new Set(
      words.filter((word) => !SMALL.has(word)).map((word) => word.replace(/(?<=\p{L}{3})(?:e?[nrs]|e)$/u, '')),
    ),
  ];
}

/** "Kündigungsfrist" is half "Frist": of a compound the parts count. */
function alike(a: string, b: string): number {
  if (a === b || a.slice(0, 5) === b.slice(0, 5)) return 1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short)) ? 0.5 : 0;
}

/** How much of a word is among others. */
function met(stem: string, known: readonly string[]): number {
  return Math.max(0, ...known.map((other) => alike(stem, other)));
}

const SMALL = new Set(
  [
    'what when where which does have much many must should with from that this about wann welche welcher welches wird',
    'haben habe muss wieviel viel viele lange hoch meine meiner meinen meinem mein eine einen',
    'einer einem kann soll wurde werden sind nicht noch gibt unser unsere',
  ].flatMap((words) => words.split(' ')),
);

/** German nouns are written with a capital letter; the first word of a sentence is, too, but it is not so long. */
const NOUN = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}{3,}|^\p{Lu}\p{Ll}{11,}/gu;

function nounsIn(question: string): string[] {
  const nouns = [...question.matchAll(NOUN)].map(([noun]) => noun);
  return nouns.filter((noun) => !OF_TIME.test(noun));
}

/** "Letztes Jahr" says when, not what it is about. */
const OF_TIME = pattern(
  'iu',
  '^(?:Jahre?s?|Jahren|Monate?n?|Wochen?|Tage?n?|Stunden?|Minuten?|Zeit|Uhrzeit|Datum|Euro|Prozent',
  `|${weekday('de')}|${weekday('en')}|${month('de', 'en')})$`,
);

/** A noun of a German question, or a name of an English one, of which nothing found speaks. */
export function unknownNoun(
  passages: readonly Record<string, unknown>[],
  { plain, language }: Pick<UserRequest, 'plain' | 'language'>,
): string | undefined {
  const texts = passages.map(({ text, citation }) => `${String(text)} ${String(citation)}`);
  if (language === 'en') {
    const known = new Set(
      texts
        .join(' ')
        .toLowerCase()
        .match(/\p{L}+/gu),
    );
    return nounsIn(plain).find((name) => !known.has(name.toLowerCase()));
  }
  const known = texts.flatMap(stems);
  return nounsIn(plain).find((noun) => stems(noun).every((stem) => met(stem, known) === 0));
}

/** An amount, a percentage or a time of day that a sum is asked from. */
const FIGURE =
  /(?<![\p{L}\d.,])(?:[$€£] ?)?(\d[\d.,]*)(?= ?(?:[$€£%]|(?:euros?|prozent|percent|uhr|dollars?|pounds?)\b))/giu;

/** A question that gives figures which nothing found has is about them, not about the documents. */
export function givesFigures(
  { plain }: Pick<UserRequest, 'plain'>,
  passages: readonly Record<string, unknown>[],
): boolean {
  const given = [...plain.matchAll(FIGURE)].map(([, figure = '']) => figure);
  const known = new Set(passages.flatMap(({ text }) => String(text).match(/\d+(?:[.,]+\d+)*/gu) ?? []));
  return given.length > 0 && !given.some((figure) => known.has(figure));
}

const MOST_UNMET = 3;

/** The longer words of a question that no passage has, as they are written. */
export function unmetIn(question: string, passages: readonly Record<string, unknown>[]): string[] {
  const known = stems(passages.map(({ text }) => String(text)).join(' '));
  const asked = question.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return [...new Set(asked)].filter((word) => stems(word).some((stem) => met(stem, known) === 0)).slice(0, MOST_UNMET);
}
