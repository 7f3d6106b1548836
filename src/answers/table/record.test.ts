import { expect, test } from 'vitest';
import type { Hit } from '../../rag/types.ts';
import { recordFrom } from './record.ts';

const PEOPLE = [
  'name | phone | birthday | note',
  'Anna Berg | 0171 2223 | 1984-03-02 | sister of Tom Reed',
  'Tom Reed | 0171 9981 | 1979-11-30 | met through Anna',
  'Tom Hale |  | 12.05.2001 | plays chess',
].join('\n');

function hitOf(text: string): Hit {
  return { chunkId: 7, documentId: 'a', file: 'a.csv', heading: [], text, score: 1, citation: '[a.csv]' };
}
const ask = (question: string, text = PEOPLE) => recordFrom(question, [hitOf(text)], '2026-11-24')?.answer;

test.each([
  ["what is Anna's phone number?", 'Anna Berg: phone 0171 2223 [a.csv]'],
  ["what's Tom Reed's phone number?", 'Tom Reed: phone 0171 9981 [a.csv]'],
  ["what is Tom's phone number?", 'Tom Reed: phone 0171 9981 [a.csv]\nTom Hale: phone - [a.csv]'],
  ['how old is Anna?', 'Anna Berg: 42 (birthday 1984-03-02) [a.csv]'],
  ['Wie alt ist Tom Reed?', 'Tom Reed: 46 (birthday 1979-11-30) [a.csv]'],
  ['how old is Tom Hale?', 'Tom Hale: 25 (birthday 12.05.2001) [a.csv]'],
  ["how many days until Tom Reed's birthday?", 'Tom Reed: birthday 1979-11-30 (6) [a.csv]'],
  ["how many days until Anna's birthday?", 'Anna Berg: birthday 1984-03-02 (98) [a.csv]'],
])('%s: %s', (question, answer) => expect(ask(question)).toBe(answer));

test.each(["what is Bob's phone number?", 'who plays chess?', 'what about Anna?', 'phone'])(
  '%s: of no row alone',
  (question) => expect(ask(question)).toBeUndefined(),
);

test('a column whose names repeat says of no row what it is about', () => {
  const visits = 'name | date\nAnna | 2026-01-02\nAnna | 2026-02-03';
  expect(ask('what date for Anna?', visits)).toBeUndefined();
});
