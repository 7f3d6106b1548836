import { expect, test } from 'vitest';
import { tableFigure } from './figure.ts';
import { tableQuestion } from './question.ts';

const HEAD = 'date | payee | amount | category';
const BANK = {
  file: 'bank.csv',
  isCut: false,
  texts: [
    [
      HEAD,
      '2026-02-27 | Fjordbank | 1210.00 | mortgage',
      '2026-03-03 | Fjordbank | 1250.00 | mortgage',
      '2026-03-14 | Grocer | 82.40 | food',
    ],
    [
      HEAD,
      '2026-03-20 | Fjordbank | 35.50 | fees',
      '2025-03-03 | Landlord | 900.00 | rent',
      '2026-03-03 | Landlord | 950.00 | rent',
    ],
  ].map((lines) => lines.join('\n')),
};
const ask = (question: string, table = BANK) => {
  const asked = tableQuestion(question, '2026-04-02');
  return asked && tableFigure(asked, table);
};

test.each([
  ['how much did I pay Fjordbank in March?', '1285.50', 2],
  ['how much did I pay Fjordbank in February 2026', '1210.00', 1],
  ['what is the total for food?', '82.40', 1],
  ['how much did I pay Fjordbank for fees', '35.50', 1],
  ['how much did I pay Fjordbank since March?', '1285.50', 2],
  ['what did I spend between 1 March 2026 and 14 March 2026?', '2282.40', 3],
  ['how much rent did I pay in March 2025?', '900.00', 1],
  ['how much did I spend last month in total?', '2317.90', 4],
  ['how much did I pay the landlord this year', '950.00', 1],
  ['what did I spend on food in March?', '82.40', 1],
  ['what was the cheapest thing in bank.csv?', '35.50', 6],
  ['how often did I pay Fjordbank?', '3', 3],
  ['how many payments went to the Landlord?', '2', 2],
  ['what is the average amount for mortgage?', '1230.00', 2],
  ['what was my most expensive purchase in bank.csv?', '1250.00', 6],
  ['what was the lowest amount in 2026', '35.50', 5],
  ['wie viel habe ich der Fjordbank im März bezahlt?', '1285.50', 2],
  ['wie oft habe ich Fjordbank bezahlt?', '3', 3],
  ['how much is the rent of March 2025?', '900.00', 1],
  ['how much is the rent in total?', '1850.00', 2],
])('%s: %s', (question, value, rows) => {
  expect(ask(question)).toMatchObject({ value, rows, of: 6, whole: true });
});

test('a word is no part of another one', () => {
  const rows = [
    '2026-03-03 | Carlsberg | 12.00 | drinks',
    '2026-03-04 | Garage | 400.00 | car',
    '2026-03-05 | card fee | 3.50 | fees',
  ];
  const table = { file: 'bank.csv', texts: [[HEAD, ...rows].join('\n')], isCut: false };
  expect(ask('how much did I spend on the car?', table)).toMatchObject({ value: '400.00', rows: 1 });
  expect(ask('how much did I spend on cars?', table)).toMatchObject({ value: '400.00', rows: 1 });
  expect(ask('how much did I pay for the fee?', table)).toMatchObject({ value: '3.50', rows: 1 });
});

test('the row of the highest amount is shown', () => {
  expect(ask('what is the highest amount for rent')?.shown).toEqual(['2026-03-03; Landlord; 950.00; rent']);
});

test('rows of several years are shown and not added up for a month alone', () => {
  expect(ask('how much rent did I pay in March?')).toMatchObject({ value: undefined, rows: 2 });
});

test('amounts as they are written in German', () => {
  const texts = ['Datum | Empfänger | Betrag\n03.03.2026 | Stadtwerke | 1.250,10\n03.04.2026 | Stadtwerke | 80,00'];
  const table = { file: 'a.csv', texts, isCut: false };
  expect(ask('Wie viel haben die Stadtwerke insgesamt gekostet?', table)?.value).toBe('1330.10');
});

test('a table that was not read as a whole says so', () => {
  expect(ask('what is the total for food?', { ...BANK, isCut: true })).toMatchObject({ whole: false });
  const texts = ['item | price\nlamp | 30\nchair | 50 | new'];
  const odd = { file: 'b.csv', texts, isCut: false };
  expect(ask('what is the total price?', odd)).toMatchObject({ value: '30', whole: false });
});

test.each([
  ['how much did I pay Ingrid in March?'],
  ['how much did I pay Fjordbank in July?'],
  ['how much did I pay Ingrid for food?'],
  ['how much is the deposit of the Landlord?'],
  ['how much is it?'],
  ['how much is the rent?'],
  ['wie viel kostet die mortgage?'],
  ['how much did I pay Fjordbank last week?'],
  ['how many days of leave do I have?'],
  ['when did I pay the Grocer?'],
])('%s: nothing for a table', (question) => expect(ask(question)).toBeUndefined());

test('prose is no table', () => {
  expect(
    ask('how much is the deposit?', { file: 'a.md', texts: ['The deposit\nis 900 euros.'], isCut: false }),
  ).toBeUndefined();
});

test.each([
  ['who has the most days off left?', 'Priya', '17'],
  ['who has the fewest days off?', 'Stefan', '0'],
  ['wer hat die meisten days off?', 'Priya', '17'],
])('%s', (question, name, value) => {
  const texts = ['Name | Phone | Days off left\nLuke | 0161 1 | 4\nPriya | 0161 2 | 17\nStefan | 0161 3 | 0'];
  const figure = ask(question, { file: 'staff.csv', isCut: false, texts });
  expect([figure?.value, figure?.shown.length]).toEqual([value, 1]);
  expect(figure?.shown[0]).toContain(name);
});

const BILLS = {
  file: 'bills.csv',
  isCut: false,
  texts: ['month | gas | water\nMarch 2026 | 98.20 | 34.00\nApril 2026 | 61.75 | 34.00\nMay 2026 | 34.40 | 36.50'],
};

test.each([
  ['how much was the water bill in May?', '36.50', 'May 2026; 34.40; 36.50'],
  ['which month had the highest gas bill?', '98.20', 'March 2026; 98.20; 34.00'],
  ['what did we pay for gas in April 2026?', '61.75', 'April 2026; 61.75; 34.00'],
])('of a table by months: %s', (question, value, row) => {
  expect(ask(question, BILLS)).toMatchObject({ value, shown: [row] });
});

const INVOICE = {
  file: 'gas-bill-may.csv',
  isCut: false,
  texts: ['No | G-771 |\nitem | days | amount\ngas | 31 | 40.00\nstanding charge | 31 | 9.30\nTotal |  | 49.30'],
};

test.each([
  ['how much is my gas bill?', '49.30', 1],
  ['how much is the standing charge?', '9.30', 1],
])('of an invoice its total, which is no item of it: %s', (question, value, rows) => {
  expect([ask(question, INVOICE)?.value, ask(question, INVOICE)?.rows ?? 0]).toEqual([value, rows]);
});

test.each([
  ['Wie hoch ist die Wasserrechnung?', 'wasserrechnung-2026.csv', '71.40'],
  ['wie hoch ist die Rechnung', 'wasserrechnung-2026.csv', undefined],
])('%s of %s', (question, file, value) => {
  const texts = ['Position | Menge | Betrag\nWasser | 31 | 40,00\nAbwasser | 31 | 31,40\nGesamtbetrag |  | 71,40'];
  expect(ask(question, { file, isCut: false, texts })?.value).toBe(value);
});

test('one figure for each month, in order, and for each value of a column, the largest first', () => {
  const rows = ['02.10.2026 | Rewe | 52,35', '09.10.2026 | Aral | 61,00', '03.11.2026 | Aral | 58,40'];
  const costs = { file: 'kosten.csv', isCut: false, texts: [['Datum | Laden | Betrag', ...rows].join('\n')] };
  expect(ask('how much did I spend by month?', costs)?.groups).toEqual([
    { of: '2026-10', value: '113.35' },
    { of: '2026-11', value: '58.40' },
  ]);
  expect(ask('wie hoch sind die Ausgaben pro Laden?', costs)?.groups).toEqual([
    { of: 'Aral', value: '119.40' },
    { of: 'Rewe', value: '52.35' },
  ]);
  expect(ask('how much did I spend by colour?', costs)).toBeUndefined();
});
