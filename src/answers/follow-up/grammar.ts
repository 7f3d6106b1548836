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
  /** Index behind its last word. */
  readonly end: number;
  readonly words: readonly string[];
  readonly determiner: string | undefined;
  /** Neither a determiner nor a capital tells that it is a noun. */
  readonly bare: boolean;
}

/** Where the noun of a word such as "it" may stand: in an earlier clause, or anywhere before it. */
export type Reach = 'earlier clause' | 'before';

/** What has to be known of a language to tell what a question refers to. */
export interface Grammar {
  readonly determiners: ReadonlySet<string>;
  /** Determiners that ask: a verb may follow them, as in "what happens". */
  readonly asking: ReadonlySet<string>;
  /** Words that begin a clause, if they are not the first. */
  readonly joints: ReadonlySet<string>;
  /** Function words, numbers and adjectives: no nouns. */
  isPlain(word: Word): boolean;
  isVerb(word: Word): boolean;
  /** How far the noun may be, of a word that stands for one; undefined for every other word. */
  pointer(words: readonly Word[], at: number): Reach | undefined;
  /** Can the pointer at this place stand for the noun? */
  agrees(words: readonly Word[], at: number, noun: Noun): boolean;
  /** The number of words that say "this goes on": `and`, `what about`. */
  openerLength(words: readonly Word[]): number;
  /** A question without any noun is complete: "what time is it". */
  standsAlone(words: readonly Word[]): boolean;
  /** Words without a verb are a part of a question, and not what somebody types into a search: "in winter". */
  isPhrase(words: readonly Word[]): boolean;
}
