import { expect, test } from 'vitest';
import type { Paper } from '../../rag/types.ts';
import { tableQuestion } from '../table/question.ts';
import { billIn, billsFigure, billsIn } from './bills.ts';
import { fieldsByForm } from './paper.ts';

const BILL = [
  'Stadtwerke Lindau',
  'Hafenstraße 5',
  '3. November 2026',
  'Bitte zahlen Sie 1.234,56 EUR bis zum 15. Dezember 2026. Danach müssen wir eine Gebühr erheben.',
].join('\n');
const RECEIPT = [
  ...['Corner Bakery', 'Date: 2026-11-12', 'Brown bread | 3.20', 'Butter | 2.10'],
  ...['Subtotal EUR | 5.30', 'Total EUR | 5.30', 'Cash | 10.00', 'Change | 4.70'],
].join('\n');

const bill = (text: string) => billIn(text, fieldsByForm(text));

test.each([
  [
    BILL,
    { kind: 'bill', from: 'Stadtwerke Lindau', date: '2026-11-03', due: '2026-12-15', total: 1234.56, currency: 'EUR' },
  ],
  [
    RECEIPT,
    { kind: 'receipt', from: 'Corner Bakery', date: '2026-11-12', due: undefined, total: 5.3, currency: 'EUR' },
  ],
  [
    'Water Board\nNovember 3, 2026\nPlease pay 88.10 GBP by post or at the desk, no later than 18 December 2026.',
    { kind: 'bill', from: 'Water Board', date: '2026-11-03', due: '2026-12-18', total: 88.1, currency: 'GBP' },
  ],
  // Lines are broken where the paper ends; cells of a row stand below each other.
  [
    [
      'Gaswerk Oberstaufen GmbH\nRechnungsdatum: 2.11.2026\nGrundpreis\n17,00 EUR\nGesamtbetrag\n88,20 EUR',
      'Wir bitten Sie, den Betrag von 88,20 EUR auf unser\nKonto zu überweisen, spätestens bis zum 5. Januar. Danach',
      'kommen 5,00 EUR dazu.',
    ].join('\n\n'),
    { kind: 'bill', from: 'Gaswerk Oberstaufen GmbH', due: '2027-01-05', total: 88.2, currency: 'EUR' },
  ],
  [
    'From: Dr. Klein <k@klein.example>\nDate: 2026-11-09T10:00:00.000Z\n\nbitte überweisen Sie bis 29.11. 60,00 EUR.',
    { kind: 'bill', from: 'Dr. Klein <k@klein.example>', due: '2026-11-29', total: 60 },
  ],
  ['Invoice No. 4711\n\nNordbank\n2 May 2026\nAmount due 12.00 CHF', { from: 'Nordbank', total: 12, currency: 'CHF' }],
  // What was spent on several days is no receipt.
  ['Travel costs\n2026-11-03 Train | 20.00\n2026-11-04 Hotel | 80.00\nTotal | 100.00', undefined],
  ['Rewe\n12.11.2026\nSumme | 1.204,99\nMwSt | 192,39', { kind: 'receipt', total: 1204.99, currency: undefined }],
  ['Dear Ann, the party is on 3 December 2026.', undefined],
])('%j', (text, expected) => {
  if (expected === undefined) expect(bill(text)).toBeUndefined();
  else expect(bill(text)).toMatchObject(expected);
});

let lastId = 0;
const passage = (file: string, text: string, uncertain = false): Paper[number] => ({
  ...{ chunkId: lastId++, file, heading: [], text },
  ...(uncertain ? { uncertain, citation: `[${file}, read from a picture, uncertain]` } : { citation: `[${file}]` }),
});

function figure(question: string, passages: Paper) {
  const asked = tableQuestion(question, '2026-12-01');
  return asked && billsFigure(asked, billsIn(passages.map((each) => [each])))?.figure;
}

test.each(['What do I have to pay this month?', 'Was muss ich diesen Monat noch bezahlen?'])('%s', (question) => {
  const found = figure(question, [passage('bill.jpg', BILL), passage('receipt.jpg', RECEIPT)]);
  expect(found).toMatchObject({ value: '1234.56', column: 'total', rows: 1, file: 'bills and receipts' });
  expect(found?.shown).toEqual(['2026-12-15; Stadtwerke Lindau; 1234.56; EUR; [bill.jpg]']);
});

test('what was paid is of receipts, by their days', () => {
  const other = RECEIPT.replace('2026-11-12', '2026-10-30');
  const all = [passage('bill.jpg', BILL), passage('a.jpg', RECEIPT), passage('b1.jpg', other)];
  expect(figure('How much did I spend in November 2026?', all)).toMatchObject({ value: '5.30', rows: 1 });
  expect(figure('How much did I pay Corner Bakery?', all)).toMatchObject({ value: '10.60', rows: 2 });
});

test('a bill that came twice is paid once, and is as certain as the better copy', () => {
  const copies = [passage('bill.jpg', BILL, true), passage('bill.pdf', BILL), passage('bill.txt', BILL)];
  const found = figure('What do I have to pay this month?', copies);
  expect(found).toMatchObject({ value: '1234.56', rows: 1, file: 'bills and receipts' });
  expect(found?.shown).toEqual([expect.stringContaining('[bill.pdf]')]);
});

test('a sum over something uncertain is uncertain, and currencies are not added up', () => {
  const pounds = RECEIPT.replaceAll('EUR', 'GBP');
  const found = figure('How much did I spend in November 2026?', [
    passage('a.jpg', RECEIPT, true),
    passage('b1.jpg', pounds),
  ]);
  expect(found?.file).toBe('bills and receipts, read from a picture, uncertain');
  expect(found?.value).toBeUndefined();
  expect(found?.groups).toEqual([
    { of: 'EUR', value: '5.30' },
    { of: 'GBP', value: '5.30' },
  ]);
});
