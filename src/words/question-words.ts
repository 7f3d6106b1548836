import type { Language } from './spelling.ts';

/** Question words. */
export const QUESTION_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: 'what which who whom whose when where why how'.split(' '),
  de: `was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb wozu womit worum worauf woran wofür wovon
    welche welcher welches welchen welchem wieviel wieviele`.split(/\s+/u),
};

/** Those of both languages. */
export const ANY_QUESTION_WORD: ReadonlySet<string> = new Set([...QUESTION_WORDS.en, ...QUESTION_WORDS.de]);
