import { germanLetters, isGerman } from './question-language.ts';
import { contentTokens, tokens } from './words.ts';

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

/** The same as `tokens` spells them, without the dots of umlauts. */
export const SMALL_GERMAN = new Set(LISTS.flatMap((list) => list.split(' ')).flatMap((word) => tokens(dotted(word))));

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
  const kept = all.filter((token) => !SMALL_GERMAN.has(token) && !SMALL_GERMAN.has(germanLetters(token)));
  return kept.length > 0 ? kept : all;
}

/** What is searched for: the tokens of a query without the small words of its language. */
export function queryTokens(query: string): string[] {
  return isGerman(query) ? germanTokens(query) : contentTokens(query);
}
