import { expect, test } from 'vitest';

import { isTable, type TableFigure, tableFigure } from './figure.ts';
import { tableQuestion } from './question.ts';

const table = (file: string, ...lines: readonly string[]) => ({ file, isCut: false, texts: [lines.join('\n')] });
const ask = (question: string, of: Parameters<typeof tableFigure>[1]) => {
  const asked = tableQuestion(question, '2026-04-02');
  return asked && tableFigure(asked, of);
};

const TRIPS = table(
  'trips.csv',
  '| day | place | km | amount |',
  '|---|---|---|---|',
  '| 2026-03-01 | Voss | 12 | 30.50 |',
  '',
  '| 2026-03-02 | Oslo | 40 |  12.25 |',
  '| 2026-03-02 | Oslo |  | 12.25 |',
);

test.each<[string, Partial<TableFigure> | undefined]>([
  [
    'how much did I pay in Oslo',
    {
      ...{ operation: 'sum', value: '24.50', column: 'amount', rows: 2 },
      shown: ['2026-03-02; Oslo; 40; 12.25', '2026-03-02; Oslo; 12.25'],
    },
  ],
  [
    'how often did I pay in Oslo',
    {
      ...{ operation: 'count', value: '2', column: undefined, rows: 2 },
      shown: ['2026-03-02; Oslo; 40; 12.25', '2026-03-02; Oslo; 12.25'],
    },
  ],
  [
    'what is the highest amount in trips.csv',
    { operation: 'highest', value: '30.50', column: 'amount', rows: 3, shown: ['2026-03-01; Voss; 12; 30.50'] },
  ],
  [
    'was war die billigste Buchung in trips.csv',
    {
      ...{ operation: 'lowest', value: '12.25', column: 'amount', rows: 3 },
      shown: ['2026-03-02; Oslo; 40; 12.25', '2026-03-02; Oslo; 12.25'],
    },
  ],
  ['what is the average amount for Oslo', { operation: 'average', value: '12.25', column: 'amount', rows: 2 }],
  ['how many km for Voss is the total', { operation: 'sum', value: '12', column: 'km', rows: 1 }],
  // One of the rows has no kilometres.
  ['what is the total of km in Oslo', { operation: 'sum', value: '24.50', column: 'amount', rows: 2 }],
  ['how much did I pay in Rome', undefined],
])('%s', (question, expected) => {
  const figure = ask(question, TRIPS);
  const shown = expected?.shown ?? figure?.shown;
  expect(figure).toEqual(expected && { file: 'trips.csv', of: 3, whole: true, ...expected, shown });
});

test('of many rows ten are shown, and all are counted', () => {
  const rows = Array.from({ length: 12 }, (_, at) => `2026-03-01 | Tea | ${at}`);
  const figure = ask('how much did I spend on tea', table('a.csv', 'day | what | amount', ...rows));
  expect(figure).toMatchObject({ value: '66', rows: 12, of: 12 });
  expect(figure?.shown).toEqual(rows.slice(0, 10).map((row) => row.replaceAll(' | ', '; ')));
});

test('without a column that can be told, rows are shown without a figure', () => {
  const two = table('a.csv', 'what | width | height', 'door | 80 | 200', 'door | 90 | 210');
  const figure = { value: undefined, column: undefined, rows: 2, shown: ['door; 80; 200', 'door; 90; 210'] };
  expect(ask('what is the total for the door', two)).toMatchObject(figure);
  expect(ask('what is the highest door', two)).toMatchObject({ ...figure, operation: 'highest' });
});

test.each([
  ['a table', 'a | b\nc | d', true],
  ['a table in Markdown', '| a | b |\n|---|---|\n| 1 | 2 |', true],
  ['figures without a heading', '1 | 2\n3 | 4', true],
  ['a heading alone', 'a | b', false],
  ['prose', 'one\ntwo\nthree', false],
  ['nothing', '', false],
])('%s is a table: %s', (_what, text, expected) => expect(isTable(text)).toBe(expected));

test('a heading that is repeated is no row, and figures may have none', () => {
  const parts = ['what | amount\ntea | 3', 'what | amount\ntea | 4'];
  expect(ask('what is the total for tea', { file: 'a.csv', isCut: false, texts: parts })).toMatchObject({
    value: '7',
    of: 2,
  });
  expect(ask('what is the total for tea', table('a.csv', 'tea | 3', 'tea | 4'))).toMatchObject({
    ...{ value: '7', of: 2, column: undefined },
  });
});

test('rows whose first or last cell is empty count, too', () => {
  const of = table(
    'a.csv',
    'day | what | amount | note',
    '1 | tea | 3 | x',
    '2 | tea | 4 | ',
    ' | tea | 5 | y',
    ' | tea | 6 | ',
  );
  expect(ask('what is the total for tea', of)).toMatchObject({
    ...{ value: '18', rows: 4, of: 4, whole: true },
    shown: ['1; tea; 3; x', '2; tea; 4', 'tea; 5; y', 'tea; 6'],
  });
  const odd = table('a.csv', 'what | amount', 'tea | 3', 'tea', 'tea | 4 | more | words');
  expect(ask('what is the total for tea', odd)).toMatchObject({ value: '3', rows: 1, of: 1, whole: false });
});

test('a file that is named needs no word of its own, a file that is not does', () => {
  const bill = table('bill.csv', 'item | amount', 'gas | 40.00', 'water | 9.30');
  expect(ask('what is the total?', bill)).toBeUndefined();
  expect(ask('what is the total?', { ...bill, isNamed: true })).toMatchObject({ value: '49.30', rows: 2, of: 2 });
  expect(ask('what is the total of all payments?', bill)).toMatchObject({ value: '49.30' });
  expect(ask('what is the total amount?', bill)).toMatchObject({ value: '49.30' });
  expect(ask('what is the highest amount?', bill)).toMatchObject({ value: '40.00' });
});

test.each([
  ['of a table of totals each is a row', ['Total | 40', 'total | 2'], 'what is the total amount', '42', 2],
  ['one total is the sum', ['gas | 40', 'tea | 1', 'Total | 50'], 'what is the total amount', '50', 1],
  ['of two totals none is', ['gas | 40', 'Sum | 50', 'Total | 60'], 'what is the total amount', '40', 1],
  ['a total is no item', ['gas | 40', 'Total | 50'], 'what is the highest amount', '40', 1],
  ['nor is a total below nothing', ['gas | 40', ' | 50', 'gesamt | 90'], 'what is the highest amount', '50', 2],
])('%s', (_what, rows, question, value, count) => {
  expect(ask(question, table('a.csv', 'item | amount', ...rows))).toMatchObject({ value, rows: count });
});

test.each([
  ['2026-03-02', 1],
  ['02.03.2026', 1],
  ['2.3.2026', 1],
  ['March 2026', 1],
  ['mar. 2026', 1],
  ['Mär 2026', 1],
  ['März', 0],
  ['March 2025', 0],
  ['May 2026', 0],
  ['2026-04-02', 0],
  ['soon', 0],
])('a row of %s is of March 2026: %i', (date, rows) => {
  const of = table('a.csv', 'what | day | amount', `tea | ${date} | 3`, 'tea | 2026-03-30 | 4');
  expect(ask('how much did I pay for tea in March 2026', of)?.rows).toBe(rows + 1);
});

test('a month of several years is shown without a figure, other spans have one', () => {
  const of = table(
    'a.csv',
    'day | what | amount',
    '2025-03-01 | tea | 1',
    '2026-03-01 | tea | 2',
    '2026-01-05 | tea | 4',
  );
  expect(ask('how much did I pay for tea in March', of)).toMatchObject({ value: undefined, rows: 2 });
  expect(ask('how much did I pay for tea in 2026', of)).toMatchObject({ value: '6', rows: 2 });
  expect(ask('how much did I pay for tea', of)).toMatchObject({ value: '7', rows: 3 });
  expect(ask('how much did I pay for tea in January', of)).toMatchObject({ value: '4', rows: 1 });
});

test.each([
  ['1250', '1250'],
  ['-7', '-7'],
  ['7.5', '7.50'],
  ['1250.00', '1250.00'],
  ['1,250.00', '1250.00'],
  ['12,345,678.90', '12345678.90'],
  ['-1,250.00', '-1250.00'],
  ['80,00', '80.00'],
  ['12345,67', '12345.67'],
  ['1.250,00', '1250.00'],
  ['12.345.678,90', '12345678.90'],
  ['-1.250,00', '-1250.00'],
  ['$12', '12'],
  ['€ 12.50', '12.50'],
  ['12 €', '12'],
  ['12€', '12'],
  ['12.50 EUR', '12.50'],
  ['12,50chf', '12.50'],
  ['£1,000.00', '1000.00'],
  ['x1,250.00', undefined],
  ['1,250.00x', undefined],
  ['1234,567.00', undefined],
  ['1,25.00', undefined],
  ['80,0', undefined],
  ['80,000', undefined],
  ['x80,00', undefined],
  ['80,00 m', undefined],
  ['1234.567,00', undefined],
  ['1,250.0', undefined],
  ['x1.250,00', undefined],
  ['1.250,00 x', undefined],
  ['EUR 12', undefined],
  ['eur', undefined],
  ['12 $ 5', undefined],
])('the amount %s is %s', (cell, value) => {
  expect(ask('what is the total for tea', table('a.csv', 'what | note', `tea | ${cell}`))?.value).toBe(value);
});

test('cents are added without what computing adds to them, and an average has two digits', () => {
  const of = table('a.csv', 'what | amount', 'tea | 0.1', 'tea | 0.2', 'tea | 1');
  expect(ask('what is the total for tea', of)?.value).toBe('1.30');
  expect(ask('what is the average for tea', of)?.value).toBe('0.43');
  expect(ask('what is the highest for tea', of)).toMatchObject({ value: '1.00', shown: ['tea; 1'] });
});
