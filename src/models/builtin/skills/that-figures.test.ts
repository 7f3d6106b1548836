import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';
import type { PriorMessage } from '../request.ts';

const after = (text: string): readonly PriorMessage[] => [
  { by: 'person', text: 'how much is it?' },
  { by: 'assistant', text },
];
const SUM = '12 * 7 = 84';

test.each([
  ['halve it', SUM, 'half of 84 = 42'],
  ['double that', SUM, '2 times 84 = 168'],
  ['and 20% of that', SUM, '20% of 84 = 16.8'],
  ['so that plus 12', SUM, '84 plus 12 = 96'],
  ['minus the 30 deposit', SUM, '84 minus 30 = 54'],
  ['plus 10%', SUM, '92.40 (8.40 on top).'],
  ['divided by 4', SUM, '84 divided by 4 = 21'],
  ['a third of that', SUM, 'a third of 84 = 28'],
  ['3 times that', SUM, '3 times 84 = 252'],
  ['that times two', SUM, '84 times two = 168'],
  ['split that 4 ways', 'A tip of 15% is 9.51; 72.91 in all.', '18.23 each.'],
  ['times 3', '€18 each.', '€18 times 3 = 54'],
  ['times 3', '18.23 each.', '18.23 times 3 = 54.69'],
  ['in metres?', '26 miles = 41.84294 kilometres', '41.84294 kilometres = 41842.94 metres'],
  ['and what about in litres?', '2 pints = 946.3529 ml (US) or 1136.523 ml (UK)', '946.3529 ml = 0.9463529 litres'],
])('%s, after "%s"', (text, before, said) => expect(outcome(text, after(before))).toBe(said));

test.each([
  ['und geteilt durch 4?', SUM, '84 geteilt durch 4 = 21'],
  ['und davon 20 %?', SUM, '20 % von 84 = 16,8'],
  ['davon die Hälfte', SUM, 'die Hälfte von 84 = 42'],
  ['und die Hälfte davon?', SUM, 'die Hälfte von 84 = 42'],
  ['3 mal davon', SUM, '3 mal 84 = 252'],
  ['davon 3 mal', SUM, '3 mal 84 = 252'],
  ['das Doppelte', SUM, 'das doppelte von 84 = 168'],
  ['verdoppel das', SUM, 'das doppelte von 84 = 168'],
  ['halbiere das', SUM, 'die hälfte von 84 = 42'],
  ['und das mal 3?', SUM, '84 mal 3 = 252'],
  ['teil das durch vier', SUM, '84 durch vier = 21'],
  ['davon noch 15 abziehen', SUM, '84 minus 15 = 69'],
  ['davon 15 Euro Anzahlung abziehen', SUM, '84 minus 15 = 69'],
  ['davon gehen noch 15 ab', SUM, '84 minus 15 = 69'],
  ['dazu noch 12,50 Versand', SUM, '84 plus 12,50 = 96,5'],
  ['plus 12,50 für Versand drauf', SUM, '84 plus 12,50 = 96,5'],
  ['und in Metern?', '26 Meilen = 41,84294 Kilometer', '41,84294 Kilometer = 41842,94 Metern'],
  ['das in Fuß', '26 Meilen = 41,84294 Kilometer', '41,84294 Kilometer = 137280 Fuß'],
  ['wie viel bleibt mir davon übrig?', '20% von 80 Euro = 16', '80 minus 16 = 64'],
  ['was bleibt übrig?', '20 % von 80 = 16', '80 minus 16 = 64'],
])('%s, nach „%s“', (text, before, said) => expect(outcome(text, after(before))).toBe(said));

test.each([
  ['und im Jahr?', 'Die Miete ist 850 Euro pro Monat. [miete.txt]', '10200 Euro pro Jahr, bei 12 Monaten im Jahr.'],
  ['und pro Woche?', 'Die Miete ist 850 Euro pro Monat.', '196,15 Euro pro Woche, bei 52 Wochen im Jahr.'],
  ['und im Monat?', 'Der Jahresbeitrag ist 120 €. [verein.txt]', '10 € pro Monat, bei 12 Monaten im Jahr.'],
  ['was ist das im Monat?', 'Es sind 12 € wöchentlich.', '52 € pro Monat, bei 52 Wochen im Jahr.'],
])('%s, nach „%s“: in einer anderen Zeit', (text, before, said) => expect(outcome(text, after(before))).toBe(said));

test.each([
  ['und im Monat?', 'Die Miete ist 850 Euro pro Monat.'],
  ['und im Jahr?', 'Es kostet 12 Euro wöchentlich und 50 Euro pro Monat.'],
  ['und im Jahr?', 'Es kostet 12 Euro.'],
  ['und im Jahr?', 'Monatlich 12 Euro, dazu 13 Euro Gebühr.'],
])('%s, nach „%s“, sagt nichts Neues oder ist nicht eindeutig', (text, before) => {
  expect(outcome(text, after(before))).toMatchObject([['query_rag', {}]]);
});

test('without a figure there is nothing to go on from', () => {
  const before = after('Nothing is scheduled.');
  expect(outcome('split that 4 ways', before)).toMatch(/^I did not understand that\./u);
  expect(outcome('und die Hälfte davon?', before)).toEqual([['query_rag', { query: 'und die Hälfte davon?' }]]);
  expect(outcome('split that 4 ways', after(SUM).toReversed())).toMatch(/^I did not understand that\./u);
});
