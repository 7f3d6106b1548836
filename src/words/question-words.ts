import { fold, type Language } from './spelling.ts';

/** Question words. */
export const QUESTION_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: 'what which who whom whose when where why how'.split(' '),
  de: `was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb wozu womit worum worauf woran wofür wovon
    welche welcher welches welchen welchem wieviel wieviele`.split(/\s+/u),
};

/** Verbs and conjunctions with which questions and conditions begin, and no order does. */
const ASKING: Readonly<Record<Language, string>> = {
  en: 'if is are do does did must should have has was were whether',
  de: 'muss müssen soll sollen sollte darf dürfen ist sind hat haben war gibt wenn ob falls',
};

const beginnings = (language: Language): ReadonlySet<string> =>
  new Set([...QUESTION_WORDS[language], ...ASKING[language].split(' ')].map(fold));

/** How questions begin, folded: what begins so asks something, or says when. */
export const BEGINNINGS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: beginnings('en'),
  de: beginnings('de'),
};

/** Those of both languages, as they are written and folded. */
export const ANY_QUESTION_WORD: ReadonlySet<string> = new Set([
  ...QUESTION_WORDS.en,
  ...QUESTION_WORDS.de.flatMap((word) => [word, fold(word)]),
]);
