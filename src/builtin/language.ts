import { OF_OTHER_LANGUAGES } from '../words/other-languages.ts';
import { fold, type Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { examplesOfTools, ownExamples } from './compute.ts';
import type { PriorMessage } from './request.ts';
import { tokensOf } from './tokens.ts';

/** One word of another language may be a name. */
const FEWEST_FOREIGN = 2;
/** A text is told by its beginning. */
const TOLD_CHARS = 1000;
/** So many of the person's messages tell the language of one that does not. */
const LOOKED_BACK = 20;

let known: Readonly<Record<Language, ReadonlySet<string>>> | undefined;

/** The words of each language: small ones, and those of examples. */
function knownWords(): Readonly<Record<Language, ReadonlySet<string>>> {
  if (known) return known;
  const examples = [...ownExamples(), ...examplesOfTools()];
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

/**
 * The language of a text by its words; undefined where they do not tell. It is another only where its words say so:
 * names and nouns that we do not know are of any language.
 */
function tellLanguage(text: string): Language | 'other' | undefined {
  const said = text.slice(0, TOLD_CHARS);
  const words = tokensOf(said).flatMap(({ word }) => (/^\p{L}/u.test(word) ? [word] : []));
  if (words.length > 0 && !/\p{Script=Latin}/u.test(said)) return 'other';
  const { en, de } = knownWords();
  const [english, german] = [en, de].map((set) => words.filter((word) => set.has(word)).length) as [number, number];
  const foreign = words.filter((word) => OF_OTHER_LANGUAGES.has(word) && !en.has(word) && !de.has(word)).length;
  if (foreign >= FEWEST_FOREIGN && foreign >= Math.max(english, german)) return 'other';
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
