import { describe, expect, test } from 'vitest';
import { answered, outcome, told } from '../../../testing/built-in-outcome.ts';

const EN = 'what do the bills sum up to?';
const DE = 'wie hoch ist die Summe der Rechnungen?';
const NOTHING = [
  'I found nothing about that in your documents and notes. `wooster ingest PATH` adds documents;',
  'as the built-in model I know nothing beyond them.',
].join(' ');
const NICHTS = [
  'Dazu habe ich in deinen Unterlagen und Notizen nichts gefunden. `wooster ingest PFAD` nimmt Unterlagen auf;',
  'mehr als sie weiß ich als eingebautes Modell nicht.',
].join(' ');

test.each([
  ['search my documents', 'What should I look for in your documents?', 'the boiler'],
  ['durchsuche meine Unterlagen', 'Wonach soll ich in deinen Unterlagen suchen?', 'die Heizung'],
])('%s: what for is asked, and the answer is looked up', (text, question, answer) => {
  expect(outcome(text)).toBe(question);
  expect(answered(text, answer)).toEqual([['query_rag', { query: answer }]]);
});

test.each([
  ['durchsuche meine Unterlagen nach der Heizung', 'der Heizung'],
  ['look in the manual for the boiler', 'the boiler'],
])('%s', (text, query) => expect(outcome(text)).toEqual([['query_rag', { query }]]));

test.each([
  [EN, 'The index is being built.', 'The index is being built.'],
  [EN, '', NOTHING],
  [EN, 7, NOTHING],
  [EN, {}, NOTHING],
  [EN, { answer: ' ', passages: 'none' }, NOTHING],
  [DE, '', NICHTS],
  [DE, { passages: [{ citation: '[lists/shopping.md]', text: 'Summe der Rechnungen' }] }, NICHTS],
])('%s answered with %j', (text, value, said) => expect(told(text, value)).toBe(said));

describe('figures of a table', () => {
  const table = { operation: 'sum', value: 120, column: 'Amount', file: 'bills.csv', rows: 3, of: 40, whole: true };
  const shown = ['May: 40', 'June: 50', 'July: 30'];
  const LINES = '\n- May: 40\n- June: 50\n- July: 30';

  test.each([
    [
      {},
      `120: the sum of "Amount" over 3 of the 40 rows in bills.csv.${LINES}`,
      `120: Summe von „Amount“ über 3 von den 40 Zeilen in bills.csv.${LINES}`,
    ],
    [
      { whole: false },
      `120: the sum of "Amount" over 3 of the readable 40 rows in bills.csv.${LINES}`,
      `120: Summe von „Amount“ über 3 von den lesbaren 40 Zeilen in bills.csv.${LINES}`,
    ],
    [
      { rows: 1, value: 40, shown: ['May: 40'] },
      '40 (Amount; May: 40) [bills.csv]',
      '40 (Amount; May: 40) [bills.csv]',
    ],
    [
      { rows: 1, value: 40, shown: undefined },
      '40: the sum of "Amount" over 1 of the 40 rows in bills.csv.',
      '40: Summe von „Amount“ über 1 von den 40 Zeilen in bills.csv.',
    ],
    [
      { operation: 'average', rows: 1, value: 40, shown: ['May: 40'] },
      '40: the average of "Amount" over 1 of the 40 rows in bills.csv.\n- May: 40',
      '40: Durchschnitt von „Amount“ über 1 von den 40 Zeilen in bills.csv.\n- May: 40',
    ],
    [
      { value: undefined },
      `These speak of it, 3 of the 40 rows in bills.csv:${LINES}`,
      `Davon sprechen 3 von den 40 Zeilen in bills.csv:${LINES}`,
    ],
    [{ operation: 'count', value: 3 }, '3 of the 40 rows in bills.csv.', '3 von den 40 Zeilen in bills.csv.'],
    [
      { operation: 'highest', rows: 9 },
      `120: the highest of "Amount" over 9 of the 40 rows in bills.csv.${LINES}`,
      `120: höchster Wert von „Amount“ über 9 von den 40 Zeilen in bills.csv.${LINES}`,
    ],
    [
      { operation: 'lowest', rows: 9, shown: ['May: 40'] },
      '120: the lowest of "Amount" over 9 of the 40 rows in bills.csv.\n- May: 40',
      '120: niedrigster Wert von „Amount“ über 9 von den 40 Zeilen in bills.csv.\n- May: 40',
    ],
  ])('%j', (change, en, de) => {
    expect(told(EN, { table: { ...table, shown, ...change } })).toBe(en);
    expect(told(DE, { table: { ...table, shown, ...change } })).toBe(de);
  });

  test.each([
    ['sum', 5, 5, 5],
    ['sum', 6, 5, 0],
    ['lowest', 6, 5, 5],
    ['lowest', 6, 6, 0],
    ['highest', 6, 6, 0],
  ])('%s of %d rows, of which %d are known: %d are shown', (operation, rows, known, lines) => {
    const said = told(EN, { table: { ...table, operation, rows, shown: Array(known).fill('May: 40') } });
    expect(said.split('\n')).toHaveLength(1 + lines);
  });
});

test('one near passage is announced as one, several as several', () => {
  const near = (...texts: string[]) =>
    told('Wie hoch ist die Kaution für den Schlüssel?', {
      ...{ answer: '', confidence: 0.3 },
      passages: texts.map((text, at) => ({ text, citation: `[a.md, line ${at + 1}]` })),
    });
  const [first, second] = ['Für den Schlüssel ist eine Kaution fällig.', 'Die Kaution für den Schlüssel ist hoch.'];
  expect(near(first)).toBe(`Da bin ich nicht sicher. Am ehesten:\n- ${first} [a.md, Zeile 1]`);
  expect(near(first, second, second)).toBe(
    [
      'Da bin ich nicht sicher. Am nächsten kommen diese Stellen:',
      `- ${first} [a.md, Zeile 1]\n- ${second} [a.md, Zeile 2]`,
    ].join('\n'),
  );
});
