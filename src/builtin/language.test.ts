import { expect, test } from 'vitest';
import { answerLanguage, lineElsewhere } from './language.ts';
import type { PriorMessage } from './request.ts';

const said = (text: string): PriorMessage => ({ by: 'person', text });

test('a request is answered in its own language, one that tells none in that of the latest that did', () => {
  expect(answerLanguage('was habe ich morgen vor?', [said('what do I have today?')])).toBe('de');
  expect(answerLanguage('OK', [said('what do I have today?'), said('und was ist mit morgen?')])).toBe('de');
  expect(answerLanguage('OK', [said('und was ist mit morgen?'), said('what do I have today?')])).toBe('en');
  expect(answerLanguage('OK', [])).toBe('en');
});

test('a long conversation that changed its language is in the new one', () => {
  const english = Array.from({ length: 30 }, () => said('what do I have today?'));
  expect(answerLanguage('OK', [...english, said('und was ist mit morgen?')])).toBe('de');
});

test.each([
  'quel temps fait-il à Paris demain ?',
  'recuérdame llamar a mi madre mañana',
  'hoe laat is het in Tokio?',
  'ricordami di chiamare Anna domani',
  'что у меня сегодня?',
])('"%s" is another language', (text) => expect(lineElsewhere(text)).toBe('I understand English and German only.'));

test.each([
  'Handynummer Marta Brandt',
  'Autoversicherung Kündigungsfrist?',
  'Öffnungszeiten Stadtbibliothek Samstag',
  'wie heißt der Hausmeister?',
  'boiler service invoice Hart & Sons',
  'Rezept Apfelkuchen Oma',
])('"%s" is not', (text) => expect(lineElsewhere(text)).toBeUndefined());
