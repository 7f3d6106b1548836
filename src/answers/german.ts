import { pattern } from '../base/pattern.ts';
import { germanTokens, SMALL_GERMAN } from '../rag/analysis/german-words.ts';
import { stemIn, tokens } from '../rag/analysis/words.ts';
import { VERB_PREFIXES } from '../words/verb-prefixes.ts';

/** As `tokens` spells them: "abholen", "holt ... ab". */
const PREFIX = VERB_PREFIXES.written.map((prefix) => tokens(prefix)[0]).join('|');
const APART = new RegExp(`^(?:${PREFIX})$`, 'u');
const CLAUSE_END = /(?<=[\p{L}\d])[,;:.!?]+(?:\s|$)/u;
const VERB = /^\p{Ll}{3,}(?:e|t|en)$/u;

/** The stems of the content words: "neue" and "neuer" have one, and so do "holt ... ab" and "abholen". */
export function germanWords(text: string): string[] {
  return text.split(CLAUSE_END).flatMap(rejoined).map(germanStem);
}

/** The tokens of a clause, with a separated prefix put back in front of its verb. */
function rejoined(clause: string): string[] {
  if (clause === '') return [];
  const kept = germanTokens(clause);
  const said = clause.match(/[\p{L}\d]+/gu) ?? [];
  const last = tokens(said.at(-1) ?? '')[0] ?? '';
  if (said.length < 3 || !APART.test(last)) return kept;
  const verb = said.slice(0, -1).find((word) => VERB.test(word) && !SMALL_GERMAN.has(tokens(word)[0] ?? ''));
  const [bare] = tokens(verb ?? '');
  if (bare === undefined) return kept;
  return kept.filter((token) => token !== last).map((token) => (token === bare ? `${last}${token}` : token));
}

/** "gearbeitet" is a form of "arbeiten", */
const PARTICIPLE = /^ge(\p{L}{3,})t$/u;
/** "abgeholt" and "abzuholen" of "abholen", */
const WITHIN = new RegExp(`^(${PREFIX})(?:ge(?=\\p{L}{3,}(?:t|en)$)|zu(?=\\p{L}{3,}en$))`, 'u');
/** and "beträgt" of "betragen". */
const ENDING_T = /(?<=\p{L}{4})(?:et|t)$/u;

/** The stem of a word, with or without its umlauts. */
export function germanStem(word: string): string {
  const token = tokens(word)[0] ?? word;
  return stemIn('german', token.replace(PARTICIPLE, '$1').replace(WITHIN, '$1')).replace(ENDING_T, '');
}

/** Nouns are capitalized, but so is the first word of a sentence. */
const NOUN = /(?<=[\p{L}\d"“”„,] ["“”„]?)\p{Lu}[\p{L}-]{2,}/gu;
/** The noun behind "welche" or "wie viele"; */
const COUNTED = /\b(?:[Ww]elche[rsmn]?|[Ww]ie ?viele?n?)\s(?:\p{Ll}+e[nrsm]?\s)?(\p{Lu}[\p{L}-]{2,})/u;
/** an answer need not repeat these: "wie viel Uhr", "an welchem Tag". */
const FORM = pattern(
  'u',
  '^(?:Uhr|Uhrzeit|Zeit|Tag|Tage|Tagen|Wochentag|Datum|Monat|Jahr|Woche|Grad|Temperatur|Prozent|Euro|Geld|Ort|Stadt',
  '|Straße|Raum|Nummer|Leute|Menschen|Person)$',
);

/** The nouns of a question, as far as they can be recognized: an answer has to mention one of them, */
export function germanSubjects(question: string): string[] {
  return (question.match(NOUN) ?? []).filter((noun) => !FORM.test(noun)).map(germanStem);
}

/** and also what is asked for by name. */
export function germanAskedFor(question: string): string | undefined {
  const noun = COUNTED.exec(question)?.[1];
  return noun === undefined || FORM.test(noun) ? undefined : germanStem(noun);
}
