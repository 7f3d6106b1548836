import { fold } from '../words/spelling.ts';
import { VERB_PREFIXES } from '../words/verb-prefixes.ts';
import type { Element } from './pattern.ts';

/** "Trag ... ein". */
const APART = new Set(VERB_PREFIXES.spoken.map(fold));
/** Commands that are not the infinitive without its ending. */
const IRREGULAR: Readonly<Record<string, string>> = {
  gib: 'geben',
  lies: 'lesen',
  nimm: 'nehmen',
  sieh: 'sehen',
  sprich: 'sprechen',
  vergiss: 'vergessen',
  wirf: 'werfen',
};
const ADDRESSED: Element = { words: ['du', 'sie'], optional: true };

/**
 * A German command in the orders of its other moods, so that an example has to be written once: "setz Milch auf die
 * Liste", "setzen Sie ...", "setzt du ..." and, as it stands behind "kannst du" or alone, "Milch auf die Liste setzen".
 * A particle joins its verb there: "trag Milch ein", "Milch eintragen". What is no command stays as it is.
 */
export function ordersOf(way: readonly Element[]): readonly (readonly Element[])[] {
  const [verb, ...rest] = way;
  const infinitive = verb && 'words' in verb && !verb.optional ? infinitiveOf(verb.words) : undefined;
  if (!verb || !('words' in verb) || infinitive === undefined || rest.length === 0) return [way];
  const stem = infinitive.replace(/e?n$/u, '');
  const finite = { words: [...new Set([...verb.words, infinitive, `${stem}st`, `${stem}e`])], optional: false };
  const { particle, object } = apart(rest);
  const last: Element = { words: [`${particle}${infinitive}`, `${particle}zu${infinitive}`], optional: false };
  const end = object.at(-1);
  const orders = [
    [finite, ADDRESSED, ...rest],
    [...object, last],
  ];
  // "Mich daran erinnern, ...": a clause may follow its verb.
  if (end && 'slot' in end && object.length > 1) orders.push([...object.slice(0, -1), last, end]);
  return orders;
}

/** The particle at the end, which may be one that can be left out, and what stands between it and the verb. */
function apart(rest: readonly Element[]): { readonly particle: string; readonly object: readonly Element[] } {
  const end = rest.at(-1);
  const particle = end && 'words' in end ? end.words.find((word) => APART.has(word)) : undefined;
  return { particle: particle ?? '', object: particle === undefined ? rest : rest.slice(0, -1) };
}

/** Of `setz|setze`, `setzen`; undefined for words that are no command. */
function infinitiveOf(words: readonly string[]): string | undefined {
  const known = words.map((word) => IRREGULAR[word]).find((word) => word !== undefined);
  const stem = words.find((word) => words.includes(`${word}e`));
  if (known !== undefined || stem === undefined) return known;
  return `${stem}${/e[lr]$/u.test(stem) ? 'n' : 'en'}`;
}
