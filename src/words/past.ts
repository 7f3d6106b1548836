import { fold } from './spelling.ts';

const FINITE = new Set(
  `was were had did went came got said told gave took saw made left rang called asked began broke brought bought built
  caught drove ate fell felt found flew forgot kept knew lost meant met paid ran sang sat sent slept spoke spent stood
  thought won wore woke wrote
  war waren warst hatte hatten wurde wurden ging gingen kam kamen gab gaben sagte sagten fand fanden nahm nahmen rief
  riefen sah sahen stand standen blieb blieben fuhr fuhren fiel fielen lief liefen machte machten wollte konnte musste`
    .split(/\s+/u)
    .map(fold),
);
/** "Cooked", but not "need" and "feed". */
const REGULAR = /^\p{L}{2,}[^e\P{L}]ed$/u;
const HAVING = /\b(?:habe?|hast|hat|haben|habt|bin|bist|ist|sind|seid)\b/iu;
/** Whether a sentence tells what happened: behind its first word stands a verb of the past. */
export function isPast(text: string): boolean {
  const [, ...words] = (fold(text.replaceAll(/['’]/gu, '')).match(/\p{L}+/gu) ?? []) as string[];
  return (
    words.some((word) => FINITE.has(word) || REGULAR.test(word)) ||
    (HAVING.test(text) && isParticiple(words.at(-1) ?? ''))
  );
}

/** "Abgesagt", "gegessen", "telefoniert": a German sentence ends with it. */
function isParticiple(word: string): boolean {
  const stem = /(?:t|en)$/u.test(word) ? word.replace(/(?:t|en)$/u, '') : '';
  const at = stem.startsWith('ge') ? 0 : stem.indexOf('ge', 2);
  return (at >= 0 && stem.length >= at + 4) || (stem.endsWith('ier') && stem.length >= 5);
}
