/** What a numbered part of a document is called where another refers to it: "see section 12". */
export const SECTION_WORDS = {
  en: 'sections?|clauses?|paragraphs?|articles?|chapters?|parts?|annex|appendix|schedule|items?|nos?\\.',
  de: 'abschnitte?s?|ziffern?|kapitels?|absatz|artikels?|anlagen?|anhang|punkte?|nummern?|nr\\.',
} as const;
