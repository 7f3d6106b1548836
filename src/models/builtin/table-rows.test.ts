import { expect, test } from 'vitest';
import { rowsFor } from './table-rows.ts';

const BANK = {
  citation: '[bank.csv, lines 2-6]',
  text: [
    'date | payee | amount | category',
    '2026-02-27 | Fjordbank | 1210.00 | mortgage',
    '2026-03-03 | Fjordbank | 1250.00 | mortgage',
    '2026-03-14 | Grocer | 82.40 | food',
    '2026-03-20 | Fjordbank | 35.50 | fees',
    '2025-03-03 | Landlord | 900.00 | rent',
    '2026-03-03 | Landlord | 950.00 | rent',
  ].join('\n'),
};
const ask = (question: string, ...passages: Record<string, unknown>[]) => rowsFor(question, [BANK, ...passages]);

test.each([
  ['how much did I pay Fjordbank in March?', '1285.50', 2],
  ['how much did I pay Fjordbank in February 2026', '1210.00', 1],
  ['what is the total for food?', '82.40', 1],
  ['how much did I pay Fjordbank for fees', '35.50', 1],
  ['how much rent did I pay in March 2025?', '900.00', 1],
  ['wie viel habe ich der Fjordbank im März bezahlt?', '1285.50', 2],
])('%s: %s', (question, sum, rows) => {
  const found = ask(question);
  expect(found?.sum).toBe(sum);
  expect(found?.rows).toHaveLength(rows);
});

test('rows of several years are shown and not added up', () => {
  expect(ask('how much rent did I pay in March?')).toMatchObject({ sum: undefined, rows: { length: 2 } });
});

test('amounts as they are written in German', () => {
  const text = 'Datum | Empfänger | Betrag\n03.03.2026 | Stadtwerke | 1.250,10\n03.04.2026 | Stadtwerke | 80,00';
  const found = rowsFor('Wie viel haben die Stadtwerke insgesamt gekostet?', [{ text, citation: '[a.csv]' }]);
  expect(found?.sum).toBe('1330.10');
});

test.each([
  ['how much did I pay Ingrid in March?'],
  ['how much did I pay Fjordbank in July?'],
  ['how much did I pay Ingrid for food?'],
  ['how much is the deposit of the Landlord?'],
  ['how much is it?'],
  ['when did I pay the Grocer?'],
])('%s: nothing for a table', (question) => expect(ask(question)).toBeUndefined());

test('prose is no table', () => {
  expect(
    rowsFor('how much is the deposit?', [{ text: 'The deposit\nis 900 euros.', citation: '[a.md]' }]),
  ).toBeUndefined();
});
