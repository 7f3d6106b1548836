import { isGerman } from '../../words/telling-words.ts';
import { germanAskedFor, germanStem, germanSubjects, germanTokens, germanWords } from './german-words.ts';
import { lemma } from './lemma.ts';
import { relatedGerman, relatedTo } from './related.ts';
import { contentTokens } from './words.ts';

/** Reads question and passages alike. The index has one stemmer for all languages; an answer is chosen by its own. */
export interface Reader {
  /** The words that say something, by their stems. */
  words(text: string): string[];
  /** The stems of the words that papers may have instead. */
  relatedTo(stemmed: string): ReadonlySet<string>;
  /** Words are put together of others: the end of one may be the beginning of the other. */
  readonly compounds: boolean;
  /** The share of the question's idf weight that the best sentence must cover; otherwise none is quoted. */
  readonly leastShare: number;
  /** Whether a stem is of a word that questions have whatever they are about. */
  isLight(stemmed: string): boolean;
  /** The stems of what a question is about, where its language shows them: an answer speaks of one of these, */
  subjects(question: string): string[];
  /** and of this, which is asked for by its name: "welche Rahmennummer". */
  askedFor(question: string): string | undefined;
}

/** Verbs of everything: a question has them whatever it is about. What papers say does without them. */
const LIGHT = [
  `ask bring come do find get give go happen have hear keep know let look make mean need put remind say see show take
  tell think try want next again currently exactly actually anyone anything somebody someone something`,
  `brauchen bekommen bringen finden geben gehen kommen lassen machen nehmen sagen sehen tun stehen wissen nächste wieder
  derzeit genau gerade aktuell jemand etwas passieren stattfinden statt heißen heißt bedeuten kümmern`,
] as const;

/** Whether a stem is one of those of a list. They are made for the first question: the stemmer takes time to load. */
function isOneOf(list: string, stemOf: (word: string) => string): (stemmed: string) => boolean {
  let stems: ReadonlySet<string> | undefined;
  return (stemmed) => {
    stems ??= new Set(list.split(/\s+/u).map(stemOf));
    return stems.has(stemmed);
  };
}

/** "Days of holiday" are no other days. */
const COUNTED = /\bhow (?:many|much) (?:days?|weeks?|months?|hours?|years?|kinds?|boxes|packs?) of (\p{L}{3,})/iu;

/** "Sent" is a form of "send". The shares are measured: bench/rag/answers.ts. */
const ENGLISH: Reader = {
  words: (text) => contentTokens(text).map(lemma),
  relatedTo,
  compounds: false,
  leastShare: 0.3,
  isLight: isOneOf(LIGHT[0], lemma),
  subjects: () => [],
  askedFor: (question) => {
    const noun = COUNTED.exec(question)?.[1];
    return noun === undefined ? undefined : lemma(noun.toLowerCase());
  },
};
const GERMAN: Reader = {
  words: germanWords,
  relatedTo: relatedGerman,
  compounds: true,
  leastShare: 0.35,
  isLight: isOneOf(LIGHT[1], germanStem),
  subjects: germanSubjects,
  askedFor: germanAskedFor,
};

/** In the language of the question. */
export function readerFor(question: string): Reader {
  return isGerman(question) || question.includes('ß') ? GERMAN : ENGLISH;
}

/** What is searched for: the tokens of a query without the small words of its language. */
export function queryTokens(query: string): string[] {
  return isGerman(query) ? germanTokens(query) : contentTokens(query);
}

/** The words that papers may have instead of those of a question. */
export function relatedWords(question: string): readonly string[] {
  const { words, relatedTo: related } = readerFor(question);
  return [...new Set(words(question).flatMap((word) => [...related(word)]))];
}
