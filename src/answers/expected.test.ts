import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { expectedIn } from './expected.ts';
import { extractAnswer } from './extract.ts';

test.each([
  ['how hot does the oven need to be', 'Bake at 170 °C for 50 minutes.', 'Bake it in a hot oven.'],
  ['how long is the guarantee', 'It lasts for three years.', 'The guarantee is long.'],
  ['how often do I clean it', 'Clean the filter once a month.', 'Clean the filter often enough.'],
  ['how much did they charge for labour', 'Labour: 3 hours, £135', 'Labour: 3 hours'],
  ['how many does it feed', 'Serves 6.', 'Poach it for eight minutes.'],
  ['when does it close', 'It closes at 18:00.', 'It closes the door.'],
  ['who do I call if it breaks', 'Ring 0161 496 0133.', 'Ring the landlord.'],
  ['who is my landlord', 'Between Harbour Lettings Ltd ("Landlord") and the tenant.', 'Without the Landlord, no dogs.'],
  ['wie lange gilt die Garantie', 'Sie gilt zwei Jahre.', 'Die Garantie gilt lange.'],
  ['how heavy is the desk', 'It weighs 38 kg.', 'Desk, model 500, 72072 Tübingen.'],
  ['wie schwer ist das Rad', 'Das Rad wiegt 32 kg.', 'Radhaus Ott, 72072 Tübingen.'],
  ['wie alt ist der Bus', 'Er ist von 2019.', 'Der Bus fährt um 9 Uhr.'],
  ['wie hoch war die Rechnung', 'Gesamtbetrag: 379,97 €', 'Werkstatt, Werftstraße 22, 18057 Rostock'],
  ['wer tauscht die Fenster aus', 'Die Firma Glas Beck kommt um 8 Uhr.', 'Am 7. werden die Fenster getauscht.'],
  ['wer mäht den Rasen', 'Das macht der Hausmeister.', 'Der Rasen wird im Sommer gemäht.'],
  ['mit wem spreche ich', 'Ihre Ansprechpartnerin ist Frau Thomsen.', 'Sprechen Sie uns an.'],
  ['wie heißt der Hausmeister', 'Sie erreichen Herrn Özdemir.', 'Der Keller ist heiß.'],
  ['how long may they stay', 'They stay until the rash has gone.', 'There are two new boys in Year 5.'],
  ['wie viel bekomme ich zurück', 'Guthaben: 31,40', '(3) Zurück bekommt man nichts.'],
  ['who cuts the hedge', 'It is cut by the tenants.', 'Hedge: Cut the sides first.'],
  ['how often do I descale it', 'Descale it every eight weeks.', 'Let it stand for 15 minutes.'],
  ['what time does the coach go', 'Coach from the station at 06:40.', 'The coach goes on Friday 4 June.'],
  ['how late is the pool open', 'Open daily 7 to 21.', 'The pool opened in 2019.'],
  ['how much do we have to pay the plumber', 'Callout: £65', 'Pay the plumber by 5 March.'],
  ["what's the penalty for a lost ticket", '80p per hour, at most £12.', 'A lost ticket is paid at the desk.'],
  ['how many days of leave are left', 'Leave: 26 days', 'Three sets of keys'],
  ['how many onions do I need', '500 g red onions', '500 g flour'],
  ['who lets the fitters in', 'The key is with Aylin.', 'Two fitters came in April.'],
  ['wie lange läuft das Programm', 'Kurz: Dauer 0:25 h', 'Das Programm läuft.'],
  ['wie viele Äpfel kommen hinein', '2 kg Äpfel', '2 kg Mehl'],
  ['wie viel muss ich nachzahlen', 'Nachzahlung: 41,50 €', 'Die Nachzahlung ist am 3. März fällig.'],
  ['wer trägt den Schaden', 'Bis 90 € trägt ihn der Mieter.', 'Den Schaden melden.'],
  ['wann beginnt die Nachtruhe', 'Ab 22 Uhr ist Ruhe.', 'In der Nacht ist Ruhe gewünscht, und wann ist klar.'],
])('%s', (question, fitting, other) => {
  expect(expectedIn(question)?.fits(fitting)).toBe(true);
  expect(question.startsWith('wann') || !expectedIn(question)?.fits(other)).toBe(true);
});

test('nothing is expected of other questions', () => expect(expectedIn('is it safe?')).toBeUndefined());

const hit = (text: string, heading: readonly string[]): Hit =>
  ({ text, heading, citation: '[a.md]', score: 1, chunkId: 1, documentId: 'a', file: 'a.md' }) as unknown as Hit;
const answerTo = (question: string, ...hits: readonly Hit[]) =>
  extractAnswer({ question, resolved: question }, hits).answer;

test('a sentence without a number does not answer how many, whatever words it shares', () => {
  const pie = hit('Serves 6. Use 600 g of haddock. Poach the fish in the milk for eight minutes.', ['Fish pie']);
  expect(answerTo('how many does the fish pie feed?', pie)).not.toContain('Poach');
});

test('a figure needs no word of the question that asks for it', () => {
  const cake = hit('Bake at 170 °C for 50 minutes. Keeps for a week in a tin.', ['Ginger cake']);
  expect(answerTo('how hot does the oven need to be for the ginger cake', cake)).toMatch(/^Bake at 170 °C/u);
});

test('a letterhead stands beside no sum that was asked for', () => {
  const invoice = hit('Dunmore Electrical Ltd, 8 Quay Road.\n\nLabour was charged at £135.', ['Invoice']);
  expect(answerTo('how much did Dunmore charge for labour?', invoice)).toBe('Labour was charged at £135. [a.md]');
});
