import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { rowsOf } from '../testing/rows.ts';
import { expectedIn } from './expected.ts';
import { extractAnswer } from './extract.ts';

test.each(rowsOf<readonly [question: string, fitting: string, other: string]>(import.meta.dirname, 'expected'))(
  '%s',
  (question, fitting, other) => {
    expect(expectedIn(question)?.fits(fitting)).toBe(true);
    expect(question.startsWith('wann') || !expectedIn(question)?.fits(other)).toBe(true);
  },
);

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
