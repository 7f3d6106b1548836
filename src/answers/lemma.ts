import { stem } from '../rag/analysis/words.ts';
import { baseForm } from './irregular.ts';

/** What the forms of a word, in small letters, have in common: "ran" and "running" are "run". */
export const lemma = (word: string): string => stem(baseForm(word));
