/** A word of a question. */
export interface Word {
  /** In lower case, umlauts as `ae`, `oe`, `ue`. */
  readonly text: string;
  readonly capital: boolean;
  readonly first: boolean;
  readonly afterComma: boolean;
}

/** A noun with the words before it that belong to it. */
export interface Noun {
  /** Index of its first word, the determiner where it has one. */
  readonly at: number;
  /** Index after its last word. */
  readonly end: number;
  readonly words: readonly string[];
  readonly determiner: string | undefined;
  /** Neither a determiner nor a capital letter marks it as a noun. */
  readonly bare: boolean;
}

/** Where the noun of a word such as "it" may stand: in an earlier clause, or anywhere before it. */
export type Reach = 'earlier clause' | 'before';

/** What has to be known about a language to tell what a question refers to. */
export interface Grammar {
  readonly determiners: ReadonlySet<string>;
  /** Determiners that ask: a verb may follow them, as in "what happens". */
  readonly asking: ReadonlySet<string>;
  /** Words that begin a clause, unless they are the first word. */
  readonly joints: ReadonlySet<string>;
  /** Function words, numbers and adjectives, which are not nouns. */
  isPlain(word: Word): boolean;
  isVerb(word: Word): boolean;
  /** How far back the noun of a pointer such as "it" may be; undefined for every other word. */
  pointer(words: readonly Word[], at: number): Reach | undefined;
  /** Can the pointer at this place stand for the noun? */
  agrees(words: readonly Word[], at: number, noun: Noun): boolean;
  /** The words at the start that mark a continuation, the longer first: `what about`, `and`. */
  readonly openers: readonly string[];
  /** Is a question without any noun complete, as "what time is it" is? */
  standsAlone(words: readonly Word[]): boolean;
  /** Are words without a verb part of a question, such as "in winter", and not typed as search terms? */
  isPhrase(words: readonly Word[]): boolean;
}

export const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u));
export const text = (words: readonly Word[], at: number): string => words[at]?.text ?? '';
