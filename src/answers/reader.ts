import { contentTokens } from '../rag/analysis/words.ts';
import { isGerman } from '../words/telling-words.ts';
import { germanAskedFor, germanStem, germanSubjects, germanWords } from './german.ts';
import { lemma } from './lemma.ts';
import { relatedGerman, relatedTo } from './related.ts';

/**
 * Reads questions and passages in one language. The index uses a single stemmer for all languages; choosing an answer
 * needs the one for its language.
 */
export interface Reader {
  /** The stems of the content words. */
  words(text: string): string[];
  /** The stems of the words that documents may use instead. */
  relatedTo(stemmed: string): ReadonlySet<string>;
  /** The language forms compounds: one word may contain another, or share its beginning or end. */
  readonly compounds: boolean;
  /** The share of the question's idf weight that the best sentence must cover to be quoted. */
  readonly leastShare: number;
  /** Whether a stem belongs to a word that occurs in questions about anything. */
  isLight(stemmed: string): boolean;
  /** The stems of the nouns, where the language marks them: an answer has to mention one of them, */
  subjects(question: string): string[];
  /** and also this, which is asked for by name: "welche Rahmennummer". */
  askedFor(question: string): string | undefined;
}

/** Words that occur in questions about anything but seldom in documents. */
const LIGHT = [
  `ask bring come do find get give go happen have hear keep know let look make mean need put remind say see show take
  tell think try want next again currently exactly actually anyone anything somebody someone something`,
  `brauchen bekommen bringen finden geben gehen kommen lassen machen nehmen sagen sehen tun stehen wissen nächste wieder
  derzeit genau gerade aktuell jemand etwas passieren stattfinden statt heißen heißt bedeuten kümmern`,
] as const;

/** The words are stemmed on the first question, because the stemmer takes time to load. */
function isOneOf(list: string, stemOf: (word: string) => string): (stemmed: string) => boolean {
  let stems: ReadonlySet<string> | undefined;
  return (stemmed) => {
    stems ??= new Set(list.split(/\s+/u).map(stemOf));
    return stems.has(stemmed);
  };
}

/** The noun in "how many days of holiday". */
const COUNTED = /\bhow (?:many|much) (?:days?|weeks?|months?|hours?|years?|kinds?|boxes|packs?) of (\p{L}{3,})/iu;

/** The shares of both languages were measured: bench/rag/answers.ts. */
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

/** The reader for the language of a question. */
export function readerFor(question: string): Reader {
  return isGerman(question) || question.includes('ß') ? GERMAN : ENGLISH;
}

/** The words that documents may use instead of those of a question. */
export function relatedWords(question: string): readonly string[] {
  const { words, relatedTo: related } = readerFor(question);
  return [...new Set(words(question).flatMap((word) => [...related(word)]))];
}
