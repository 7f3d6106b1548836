import { describe, expect, test } from 'vitest';
import { isGerman } from '../../words/telling-words.ts';
import { germanAskedFor, germanStem, germanSubjects, germanTokens, germanWords } from './german-words.ts';
import { baseForm } from './irregular.ts';
import { lemma } from './lemma.ts';
import { queryTokens, readerFor, relatedWords } from './reader.ts';
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

  test('may have forms that no stemmer knows', () => {
    expect(['ran', 'children', 'run', 'xyz'].map(baseForm)).toEqual(['run', 'child', 'run', 'xyz']);
    expect(['ran', 'running', 'paid', 'pays'].map(lemma)).toEqual(['run', 'run', 'pay', 'pay']);
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

  test('is read by its own words', () => {
    expect(queryTokens('wo ist der Schlüssel zum Boot')).toEqual(['schlussel', 'boot']);
    expect(queryTokens('where is the key to the boat')).toEqual(['key', 'boat']);
    expect(readerFor('wo ist es')).not.toBe(readerFor('where is it'));
    expect(readerFor('Fuß')).toBe(readerFor('wo ist es'));
    expect(relatedWords('xyzzy')).toEqual([]);
    const related = relatedWords('rubbish rubbish');
    expect(related).toEqual([...new Set(related)]);
    expect(related).toContain('wast');
  });

  test('has words that are asked for whatever is meant', () => {
    const [english, german] = [readerFor('where is it'), readerFor('wo ist es')];
    expect(['find', 'get', 'boat'].map(english.isLight)).toEqual([true, true, false]);
    expect(['find', 'boot', germanStem('bekommen')].map(german.isLight)).toEqual([true, false, true]);
    expect(english.subjects('where is the Key')).toEqual([]);
    expect(english.askedFor('how many days of holiday do I have')).toBe('holiday');
    expect(english.askedFor('How much weeks of HOLIDAYS')).toBe('holiday');
    expect(english.askedFor('how many keys')).toBeUndefined();
    expect([english.compounds, german.compounds]).toEqual([false, true]);
  });
});

describe('German', () => {
  test.each([
    ['Wie hoch ist die Miete für das Fahrrad', ['hoch', 'miete', 'fahrrad']],
    ['der die das', ['der', 'die', 'das']],
    ['über uns', ['uber', 'uns']],
    ['Er muß fuer alles', ['er', 'muß', 'fuer', 'alles']],
  ])('%j says %j', (text, expected) => expect(germanTokens(text)).toEqual(expected));

  test.each([
    ['neue', 'neu'],
    ['neuer', 'neu'],
    ['gearbeitet', germanStem('arbeiten')],
    ['abgeholt', germanStem('abholen')],
    ['abzuholen', germanStem('abholen')],
    ['beträgt', germanStem('betragen')],
    ['betragt', germanStem('beträgt')],
    ['Fenster', germanStem('fenstern')],
    ['zahlt', germanStem('zahlen')],
    ['Getränk', 'getrank'],
    ['gast', 'gast'],
  ])('%s has the stem %s', (word, expected) => expect(germanStem(word)).toBe(expected));

  test.each([
    // What stands apart from its verb belongs to it.
    ['Wann holen wir das Rad ab?', ['abholen', 'rad']],
    ['Sie holt das Rad ab, danach fährt sie weg.', ['abholen', 'rad', 'wegfahren']],
    ['Holt weg', ['holt', 'weg']],
    ['das Rad dort weg', ['rad', 'weg']],
    ['Wo hängt das Rad', ['hangt', 'rad']],
    ['1,5 bar', ['1', '5', 'bar']],
    ['', []],
  ])('%j is of the words %j', (text, expected) => expect(germanWords(text)).toEqual(expected.map(germanStem)));

  test.each([
    ['Was kostet das Mittagessen für Kinder am Tag?', ['Mittagessen', 'Kinder']],
    ['Mittagessen kostet was', []],
    ['Wo ist „Haus am See“, WC und A?', ['Haus', 'See']],
    ['wie viel Uhr ist es in Oslo', ['Oslo']],
  ])('%j is about %j', (question, nouns) => expect(germanSubjects(question)).toEqual(nouns.map(germanStem)));

  test.each([
    ['Welche Rahmennummer hat das Rad?', 'Rahmennummer'],
    ['wie viele neue Schlüssel gibt es', 'Schlüssel'],
    ['Wieviel Strom brauchen wir', 'Strom'],
    ['an welchem Tag kommt er', undefined],
    ['wie viel Uhr ist es', undefined],
    ['was kostet das Rad', undefined],
    ['welche sind neu', undefined],
  ])('%j asks for %s by its name', (question, noun) => {
    expect(germanAskedFor(question)).toBe(noun && germanStem(noun));
  });
});
