import { expect, test } from 'vitest';
import { isNamedBy, isNameLike, type TableQuestion, tableQuestion } from './question.ts';

const TODAY = '2026-01-15';
const SUM: TableQuestion = {
  operation: 'sum',
  words: [],
  month: undefined,
  year: undefined,
  days: undefined,
  by: undefined,
  ofMoney: false,
  ofRows: false,
  ofOne: false,
};

test.each<[string, Partial<TableQuestion>]>([
  ['what did I spend this year?', { year: '2026' }],
  ['what did I spend last year on tea?', { year: '2025', words: ['tea'] }],
  ['what did we pay this month', { month: 1, year: '2026' }],
  ['what did we pay last month', { month: 12, year: '2025' }],
  ['wie viel habe ich letztes Jahr ausgegeben', { year: '2025' }],
  ['wie viel habe ich letzten Monat ausgegeben', { month: 12, year: '2025' }],
  ['what did I spend in January 2024', { month: 1, year: '2024' }],
  ['wie viel habe ich im Dezember ausgegeben', { month: 12 }],
  ['how much may I spend', {}],
  ['what did I spend in May', { month: 5 }],
  ['wie viel habe ich im Mai ausgegeben', { month: 5 }],
  ['what did I pay for 12 lamps of type 20245 and x2024', { words: ['lamps', 'type', 'x2024'] }],
  ['what did I pay for model2', { words: ['model2'] }],
  ['how much is the rent?', { words: ['rent'], ofOne: true }],
  ['how much is the rent in total?', { words: ['rent'] }],
  ['total spending', { ofRows: true, ofMoney: true }],
  ['how much did I spend by month?', { by: 'month' }],
  ['Ausgaben nach Kategorie', { ofRows: true, by: 'kategorie' }],
  ['what did I pay between 1 March and 10 April?', { days: { from: '2025-03-01', to: '2025-04-10' } }],
  ['what did I pay since November?', { days: { from: '2025-11-01', to: '2026-01-15' } }],
  ['wie viel habe ich vom 1.3.2025 bis zum 5.3.2025 ausgegeben?', { days: { from: '2025-03-01', to: '2025-03-05' } }],
  ['what did I pay from April to May 2025?', { days: { from: '2025-04-01', to: '2025-05-31' } }],
  ['how often did I pay?', { operation: 'count' }],
  ['how often is the rent due?', { operation: 'count', words: ['rent', 'due'] }],
  ['how many big payments went out', { operation: 'count', words: ['big', 'out'], ofRows: true }],
  ['what is the average price of tea', { operation: 'average', words: ['price', 'tea'] }],
  ['which month had the highest bill', { operation: 'highest', words: ['month', 'bill'] }],
  ['wie hoch ist der Durchschnitt der Mieten', { operation: 'average', words: ['mieten'] }],
  ['was kostet Strom im Schnitt', { operation: 'average', words: ['strom'] }],
  ['in welchem Jahr war der niedrigste Betrag', { operation: 'lowest', words: ['jahr', 'betrag'] }],
])('%s', (question, expected) => {
  const asked = tableQuestion(question, TODAY);
  expect({ ...asked, words: asked?.words.filter((word) => word !== 'may') }).toEqual({
    ...SUM,
    ofMoney: asked?.ofMoney,
    ...expected,
  });
});

test.each([
  ['where is the key?'],
  ['what did I spend last week?'],
  ['what did I spend this year until May?'],
  [`how much ${'x'.repeat(292)}`],
])('%s: nothing of a table is asked', (question) => expect(tableQuestion(question, TODAY)).toBeUndefined());

test('a question of 300 characters is read', () => {
  expect(tableQuestion(`how much ${'x'.repeat(291)}`, TODAY)?.words).toEqual(['x'.repeat(291)]);
});

test('what counts from today is not known without the day', () => {
  expect(tableQuestion('what did I spend this year?', undefined)).toBeUndefined();
  expect(tableQuestion('what did I spend in May?', undefined)).toEqual({ ...SUM, month: 5, ofMoney: true });
});

test.each([
  [[], false],
  [['bill'], false],
  [['invoice'], false],
  [['invoices'], true],
  [['gas', 'bill'], true],
])('%j names a file: %s', (words, expected) => expect(isNameLike({ ...SUM, words })).toBe(expected));

test.each([
  ['bills/phone-bill_2026.csv', ['phone', 'bill'], true],
  ['bills/phone-bill_2026.csv', ['phones', 'bills'], true],
  ['phones.csv', ['phone', 'bill'], false],
  ['bill.csv', ['phone'], false],
  ['phone.csv', ['phone-bill'], false],
])('%s is named by %j: %s', (path, words, expected) => expect(isNamedBy(path, { ...SUM, words })).toBe(expected));

test.each<[before: string, then: string, Partial<TableQuestion>]>([
  ['what did I spend on tea in October?', 'and in November?', { words: ['tea'], month: 11 }],
  ['what did I spend on tea in October?', 'and on coffee?', { words: ['coffee'], month: 10 }],
  ['wie viel habe ich im Oktober ausgegeben?', 'und im November?', { month: 11 }],
  ['what was the most expensive purchase in May?', 'what about June?', { operation: 'highest', month: 6 }],
])('%s %s', (before, then, expected) => {
  expect(tableQuestion(then, TODAY, before)).toMatchObject(expected);
});

test('what goes on from no question about figures asks for none', () => {
  expect(tableQuestion('and in November?', TODAY, 'who is the landlord?')).toBeUndefined();
  expect(tableQuestion('and in November?', TODAY)).toBeUndefined();
});
