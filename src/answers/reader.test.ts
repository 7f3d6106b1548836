import { describe, expect, test } from 'vitest';
import { germanAskedFor, germanStem, germanSubjects, germanWords } from './german.ts';
import { lemma } from './lemma.ts';
import { readerFor, relatedWords } from './reader.ts';

describe('a language', () => {
  test('may have forms that no stemmer knows', () => {
    expect(['children', 'child', 'xyz'].map(lemma)).toEqual(['child', 'child', 'xyz']);
    expect(['ran', 'running', 'paid', 'pays'].map(lemma)).toEqual(['run', 'run', 'pay', 'pay']);
  });

  test('is read by its own words', () => {
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
    // A separated prefix belongs to its verb.
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
