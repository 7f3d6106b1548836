import { baseForm } from './irregular.ts';
import { stem } from './words.ts';

/** What the forms of a word, in small letters, have in common: "ran" and "running" are "run". */
export const lemma = (word: string): string => stem(baseForm(word));
