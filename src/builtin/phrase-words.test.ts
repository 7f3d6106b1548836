import { expect, test } from 'vitest';
import { randomFrom } from '../testing/fake-secrets.ts';
import { PhraseWords, plainLetters } from './phrase-words.ts';
import { phrases } from './phrases.ts';

const mayBe = (template: string, text: string) => new PhraseWords(template).mayBe(plainLetters(text));

test.each([
  ['add {items} to the list', 'add milk to it', false],
  ['add {items} to [my|the] list', 'add milk to list', true],
  ['(how much|what) is {n:\\d{1,3}} (plus|and) {m}', 'what is 2+2', false],
  ['(how much|what) is {n:\\d{1,3}} (plus|and) {m}', 'what is 2 plus 2', true],
  ['(in (two|three)|{later:(?:soon|now)}) do it', 'do it soon', true],
  ['(in (two|three)|after {n} days) do it', 'do it in four', false],
  ['zeig[e] {list}liste', 'Zeige die EINKAUFSLISTE', true],
  ['füge|streiche', 'FUEGE', true],
  ['(schließe|öffne) das', 'oeffne das', true],
  ['(schließe|öffne) das', 'mach das', false],
])('%s may be "%s": %s', (template, text, expected) => expect(mayBe(template, text)).toBe(expected));

/** A phrase by chance, and a text that it means. */
function randomPhrase(random: () => number, depth = 0): readonly [template: string, text: string] {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at): readonly [string, string] => {
    const kind = depth < 2 ? pick(['word', 'word', 'maybe', 'one', 'slot']) : 'word';
    if (kind === 'word')
      return pick([
        ['what is', 'what is'],
        ['Straße', 'Strasse'],
        ['für', 'FUER'],
        ["it's", "it's"],
      ]);
    if (kind === 'slot') return [`{s${depth}${at}${Math.floor(random() * 1e6)}:[^,]{1,9}}`, pick(['x y', '7'])];
    const choices = [randomPhrase(random, depth + 1), randomPhrase(random, depth + 1)];
    const body = choices.map(([template]) => template).join('|');
    const [, text] = pick(choices);
    return kind === 'one' ? [`(${body})`, text] : [`[${body}]`, random() < 0.5 ? text : ''];
  });
  return [parts.map(([template]) => template).join(' '), parts.map(([, text]) => text).join(' ')];
}

test('whatever a phrase means is tried on it', () => {
  const random = randomFrom(7);
  const missed: unknown[] = [];
  for (let n = 0; n < 2000; n++) {
    const [template, text] = randomPhrase(random);
    const request = text.replace(/\s+/gu, ' ').trim();
    if (request !== '' && !phrases({ en: [template], de: [] })(request)) missed.push([template, request]);
  }
  expect(missed).toEqual([]);
});
