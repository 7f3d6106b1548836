import { fold, type Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { ownExamples } from './compute.ts';
import type { PriorMessage } from './request.ts';
import { tokensOf } from './tokens.ts';

/** Fewer words tell no language. */
const FEWEST_WORDS = 3;
/** Of a text in a language that we know, no fewer words than these are small words or stand in an example. */
const LEAST_KNOWN = 1 / 3;
/** A text is told by its beginning. */
const TOLD_CHARS = 1000;
/** So many of the person's messages tell the language of one that does not. */
const LOOKED_BACK = 20;

let known: Readonly<Record<Language, ReadonlySet<string>>> | undefined;

/** The words of each language: small ones, and those of our own examples. */
function knownWords(): Readonly<Record<Language, ReadonlySet<string>>> {
  if (known) return known;
  const examples = ownExamples();
  const of = (language: Language) =>
    new Set([
      ...[...STOP_WORDS[language]].map(fold),
      ...examples
        .flatMap((each) => each[language].flatMap((said) => tokensOf(said.replace(/\{[^{}]*\}/gu, ' '))))
        .map(({ word }) => word),
    ]);
  known = { en: of('en'), de: of('de') };
  return known;
}

/** The language of a text by its words; `other` for one that is neither, undefined where they do not tell. */
function tellLanguage(text: string): Language | 'other' | undefined {
  const said = text.slice(0, TOLD_CHARS);
  const words = tokensOf(said).flatMap(({ word }) => (/^\p{L}/u.test(word) ? [word] : []));
  if (words.length > 0 && !/\p{Script=Latin}/u.test(said)) return 'other';
  const { en, de } = knownWords();
  const [english, german] = [en, de].map((set) => words.filter((word) => set.has(word)).length) as [number, number];
  const either = words.filter((word) => en.has(word) || de.has(word)).length;
  if (words.length >= FEWEST_WORDS && either / words.length < LEAST_KNOWN) return 'other';
  const lead = german + (/[äöüß]/iu.test(said) ? 0.5 : 0) - english;
  return lead === 0 ? undefined : lead > 0 ? 'de' : 'en';
}

/** What to answer in: the request's own language, else that of the conversation, else English. */
export function answerLanguage(text: string, earlier: readonly PriorMessage[]): Language {
  const before = earlier
    .filter(({ by }) => by === 'person')
    .slice(-LOOKED_BACK)
    .toReversed();
  const told = [text, ...before.map((message) => message.text)]
    .map(tellLanguage)
    .find((name) => name === 'en' || name === 'de');
  return told === 'de' ? 'de' : 'en';
}

/** One line for those who write another language. */
export function lineElsewhere(text: string): string | undefined {
  return tellLanguage(text) === 'other' ? 'I understand English and German only.' : undefined;
}
