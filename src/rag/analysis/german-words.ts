import { pattern } from '../../base/pattern.ts';
import { germanLetters } from './question-language.ts';
import { stemIn, tokens } from './words.ts';

/** Function words of German, and those of a question that say nothing about its subject; with `ae` for `ä`. */
const LISTS = [
  'der die das den dem des dass daß ein eine einen einem einer eines kein keine keinen keinem keiner keines',
  'ich du er sie es wir ihr mich dich sich uns euch ihn ihm ihnen mir dir man selbst selber',
  'mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem',
  'seiner seines',
  'unser unsere unseren unserem unserer unseres unsern ihre ihren ihrem ihrer ihres euer eure',
  'dieser diese dieses diesen diesem jener jene jenes jeder jede jedes jeden jedem alle alles allen aller',
  'und oder aber denn sondern wenn weil als ob falls damit sobald bevor nachdem waehrend',
  'in im ins an am ans auf aufs bei beim mit nach von vom vor zu zum zur fuer fuers ueber unter um aus durch',
  'gegen ohne',
  'bis seit ab wegen zwischen neben hinter gegenueber',
  'bin bist ist sind seid war waren warst gewesen sei habe hab hast hat habt haben hatte hatten gehabt',
  'werde wirst wird werden wurde wurden worden kann kannst koennen koennte konnte muss musst muessen musste',
  'soll sollst sollen sollte darf darfst duerfen durfte will willst wollen wollte mag moechte moechten',
  'was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb wozu womit worum worauf woran wofuer wovon',
  'welche welcher welches welchen welchem wieviel wieviele viel viele gibt',
  'nicht nur auch noch schon mal nochmal eigentlich denn doch eben halt ja nein bitte da dann dort hier so sehr',
  'daran darauf darin davon dazu dafuer dabei danach darueber heisst heissen lautet',
];

/** As `tokens` spells them, without the dots of umlauts. */
const SMALL = new Set(LISTS.flatMap((list) => list.split(' ')).flatMap((word) => tokens(dotted(word))));

/** "ueber" as "über" and "muss" as both "muss" and "muß". */
function dotted(word: string): string {
  const umlauts = word
    .replaceAll('ae', 'ä')
    .replaceAll('oe', 'ö')
    .replace(/(?<![aeq])ue/gu, 'ü');
  return `${word} ${umlauts} ${umlauts.replaceAll('ss', 'ß')}`;
}

/** The tokens without the small words, or all of them when nothing would be left. */
export function germanTokens(text: string): string[] {
  const all = tokens(text);
  const kept = all.filter((token) => !SMALL.has(token) && !SMALL.has(germanLetters(token)));
  return kept.length > 0 ? kept : all;
}

/** What stands in front of a verb or apart from it, as `tokens` spells it: "abholen", "holt ... ab". */
const PREFIX = [
  'ab|an|auf|aus|bei|durch|ein|entgegen|fest|frei|heraus|her|hinzu|hin|kennen|los|mit|nach|nieder|teil|um|unter|vorbei',
  'vor|weg|weiter|wieder|zuruck|zusammen|zu',
].join('|');
const APART = new RegExp(`^(?:${PREFIX})$`, 'u');
const CLAUSE_END = /(?<=[\p{L}\d])[,;:.!?]+(?:\s|$)/u;
const VERB = /^\p{Ll}{3,}(?:e|t|en)$/u;

/** The words that say something, by their stems: "neue" and "neuer" are one, so are "holt ... ab" and "abholen". */
export function germanWords(text: string): string[] {
  return text.split(CLAUSE_END).flatMap(rejoined).map(germanStem);
}

/** The tokens of a clause, with what stands apart from its verb in front of it. */
function rejoined(clause: string): string[] {
  if (clause === '') return [];
  const kept = germanTokens(clause);
  const said = clause.match(/[\p{L}\d]+/gu) ?? [];
  const last = tokens(said.at(-1) ?? '')[0] ?? '';
  if (said.length < 3 || !APART.test(last)) return kept;
  const verb = said.slice(0, -1).find((word) => VERB.test(word) && !SMALL.has(tokens(word)[0] ?? ''));
  const [bare] = tokens(verb ?? '');
  if (bare === undefined) return kept;
  return kept.filter((token) => token !== last).map((token) => (token === bare ? `${last}${token}` : token));
}

/** "Gearbeitet" is a form of "arbeiten", */
const PARTICIPLE = /^ge(\p{L}{3,})t$/u;
/** "abgeholt" and "abzuholen" of "abholen", */
const WITHIN = new RegExp(`^(${PREFIX})(?:ge(?=\\p{L}{3,}(?:t|en)$)|zu(?=\\p{L}{3,}en$))`, 'u');
/** and "beträgt" of "betragen". */
const ENDING_T = /(?<=\p{L}{4})(?:et|t)$/u;

/** Of a word with or without its umlauts. */
export function germanStem(word: string): string {
  const token = tokens(word)[0] ?? word;
  return stemIn('german', token.replace(PARTICIPLE, '$1').replace(WITHIN, '$1')).replace(ENDING_T, '');
}

/** Nouns have a capital letter; so has the first word of a sentence. */
const NOUN = /(?<=[\p{L}\d"“”„,] ["“”„]?)\p{Lu}[\p{L}-]{2,}/gu;
/** The noun behind "welche" or "wie viele"; */
const COUNTED = /\b(?:[Ww]elche[rsmn]?|[Ww]ie ?viele?n?)\s(?:\p{Ll}+e[nrsm]?\s)?(\p{Lu}[\p{L}-]{2,})/u;
/** of these an answer has no need: "wie viel Uhr", "an welchem Tag". */
const FORM = pattern(
  'u',
  '^(?:Uhr|Uhrzeit|Zeit|Tag|Tage|Tagen|Wochentag|Datum|Monat|Jahr|Woche|Grad|Temperatur|Prozent|Euro|Geld|Ort|Stadt',
  '|Straße|Raum|Nummer|Leute|Menschen|Person)$',
);

/** What a question is about, as far as it can be seen: an answer speaks of one of these, */
export function germanSubjects(question: string): string[] {
  return (question.match(NOUN) ?? []).filter((noun) => !FORM.test(noun)).map(germanStem);
}

/** and of what is asked for by its name. */
export function germanAskedFor(question: string): string | undefined {
  const noun = COUNTED.exec(question)?.[1];
  return noun === undefined || FORM.test(noun) ? undefined : germanStem(noun);
}
