import { expect, test } from 'vitest';
import { answerLanguage } from './language.ts';
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
