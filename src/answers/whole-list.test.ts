import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { extractAnswer } from './extract.ts';

function answerTo(question: string, text: string, heading: readonly string[] = []): string {
  const hit: Hit = { chunkId: 1, documentId: 'a', file: 'a.md', heading, text, score: 1, citation: '[a.md]' };
  return extractAnswer({ question, resolved: question }, [hit]).answer;
}

const CAMP = '- sleeping bag\n- torch with\n  spare batteries\n- rain jacket\n\nThe bus leaves at 8.';
const HEADING = ['Scout camp', 'What to bring'];

test('what a heading speaks of is all of the list below it', () => {
  expect(answerTo('what do I need to bring to the scout camp?', CAMP, HEADING)).toBe(
    'sleeping bag; torch with spare batteries; rain jacket [a.md]',
  );
});

test('an item that says it alone is the answer', () => {
  expect(answerTo('which jacket to bring to the scout camp?', CAMP, HEADING)).toBe('rain jacket [a.md]');
});

test('a line that leads to a list is nothing without it', () => {
  const text = 'Folgende Unterlagen brauchen wir für die Ummeldung:\n- Personalausweis\n- Mietvertrag\n\nBis bald.';
  expect(answerTo('welche Unterlagen brauchen wir für die Ummeldung?', text)).toBe(
    'Folgende Unterlagen brauchen wir für die Ummeldung: Personalausweis; Mietvertrag [a.md]',
  );
});

test('of a list the items are told that have the form asked for', () => {
  const text = '- Return the keys\n- 500 euros before moving in\n- 200 euros in March';
  expect(answerTo('how much is the deposit?', text, ['Lease', 'Deposit'])).toBe(
    '500 euros before moving in; 200 euros in March [a.md]',
  );
});
