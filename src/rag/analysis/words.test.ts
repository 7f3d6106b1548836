import { describe, expect, test } from 'vitest';
import { isGerman } from '../../words/telling-words.ts';
import { germanTokens, queryTokens } from './german-words.ts';
import { contentTokens, gramsOf, stem, stemIn, tokens, words } from './words.ts';

describe('a text', () => {
  test.each([
    ['', []],
    ['... !', []],
    ["The boat's 2nd key, e.g. x_1", ['the', 'boat', 's', '2nd', 'key', 'e', 'g', 'x', '1']],
    ['Café CRÈME Ö e\u0301', ['cafe', 'creme', 'o', 'e']],
    ['ﬁne Ⅳ', ['fine', 'iv']],
    ['a a', ['a', 'a']],
    ['船は出る ok 船', ['船は', 'は出', '出る', 'ok', '船']],
  ])('%j is of the tokens %j', (text, expected) => expect(tokens(text)).toEqual(expected));

  test.each([
    ['where is the boat', ['boat']],
    ['to be or not to be', ['to', 'be', 'or', 'not', 'to', 'be']],
    ['', []],
  ])('%j says %j', (text, expected) => expect(contentTokens(text)).toEqual(expected));

  test('is indexed by stems and by parts of four characters', () => {
    expect(words('the boats were leaking')).toEqual(['boat', 'leak']);
    expect(gramsOf(['boat', 'ab', 'abc', ''])).toEqual(['<boa', 'boat', 'oat>', '<ab>', '<abc', 'abc>', '<>']);
    expect(gramsOf([])).toEqual([]);
    expect([stem('boats'), stemIn('german', 'boote'), stemIn('english', 'boote')]).toEqual(['boat', 'boot', 'boot']);
    expect([stem('boats'), stemIn('german', 'häuser')]).toEqual(['boat', 'haus']);
  });
});

describe('a language', () => {
  test.each([
    ['wo ist der Schlüssel', true],
    ['where is the key', false],
    ['Passwort', false],
    ['WO liegt es', true],
    ['für uns', true],
    ['is der Schlüssel', false],
  ])('of %j is German: %s', (text, expected) => expect(isGerman(text)).toBe(expected));

  test('is searched by its own words', () => {
    expect(queryTokens('wo ist der Schlüssel zum Boot')).toEqual(['schlussel', 'boot']);
    expect(queryTokens('where is the key to the boat')).toEqual(['key', 'boat']);
  });

  test.each([
    ['Wie hoch ist die Miete für das Fahrrad', ['hoch', 'miete', 'fahrrad']],
    ['der die das', ['der', 'die', 'das']],
    ['über uns', ['uber', 'uns']],
    ['Er muß fuer alles', ['er', 'muß', 'fuer', 'alles']],
  ])('%j says %j', (text, expected) => expect(germanTokens(text)).toEqual(expected));
});
