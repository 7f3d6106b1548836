import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { nearPassages } from './near-passages.ts';

const ON_IT = 'The spare key of the office is with the porter.';
const ASIDE = 'Bread is at the office.';

const hit = (score: number, text: string, at: number): Hit => ({
  ...{ file: `${at}.txt`, heading: [], chunkId: at, documentId: `${at}`, citation: `[${at}.txt]`, text, score },
});

const kept = (found: readonly (readonly [score: number, text: string])[]) =>
  nearPassages(
    'where is the spare office key?',
    found.map(([score, text], at) => hit(score, text, at)),
  ).map(({ score }) => score);
const scores = (...all: number[]) => kept(all.map((score, at) => [score, at === 0 ? ON_IT : ASIDE]));

test.each([
  ['what is far below the best is dropped', [1, 0.08, 0.06], [1]],
  ['a slope has no gap', [1, 0.8, 0.6, 0.45, 0.3], [1, 0.8, 0.6, 0.45, 0.3]],
  ['the scale does not matter', [0.02, 0.001], [0.02]],
  ['scores below zero say nothing by their ratio', [-1, -3, -9], [-1, -3, -9]],
  ['one alone stays', [0.1], [0.1]],
  ['nothing stays nothing', [], []],
] as const)('%s', (_claim, given, expected) => expect(scores(...given)).toEqual(expected));

test('what says as much of the question stays, however far below its score is', () => {
  expect(
    kept([
      [1, ON_IT],
      [0.1, 'The spare key for the office: Ingrid.'],
      [0.05, ASIDE],
    ]),
  ).toEqual([1, 0.1]);
});
