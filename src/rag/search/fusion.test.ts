import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { fuse, minMaxNormalise, modelWeights, retrieverWeights } from './fusion.ts';

const hits = (...scores: number[]) => scores.map((score, docId) => ({ docId, score }));

test('scores are brought to 0 to 1; equal ones and a single one count fully', () => {
  expect(minMaxNormalise(hits(6, 4, 2)).map(({ score }) => score)).toEqual([1, 0.5, 0]);
  expect(minMaxNormalise(hits(3, 3)).map(({ score }) => score)).toEqual([1, 1]);
  expect(minMaxNormalise(hits(-5)).map(({ score }) => score)).toEqual([1]);
});

test('a score that is not finite does not affect the other retrievers', () => {
  const fused = fuse([
    { hits: hits(Number.NaN, 2, Number.POSITIVE_INFINITY, 1), weight: 0.5 },
    { hits: hits(4, 2), weight: 0.5 },
  ]);
  expect(fused.every(({ score }) => Number.isFinite(score))).toBe(true);
  expect(fused.map(({ docId }) => docId)).toEqual([0, 1, 3]);
});

test('a hit of two retrievers goes before one that only the first has', () => {
  const fused = fuse([
    {
      hits: [
        { docId: 7, score: 3 },
        { docId: 8, score: 2.9 },
        { docId: 9, score: 0 },
      ],
      weight: 0.6,
    },
    { hits: [{ docId: 8, score: 1 }], weight: 0.4 },
  ]);
  expect(fused[0]?.docId).toBe(8);
});

describe('weights', () => {
  test.each([
    [0, { words: 0.6, grams: 0.25, dense: 0.15 }],
    [1, { words: 0.2, grams: 0.75, dense: 0.05 }],
  ])('with LSA and %d of the words unknown', (unknown, expected) => {
    const { words, grams, dense } = retrieverWeights(unknown, 'lsa');
    expect([words, grams, dense].map((value) => value.toFixed(4))).toEqual(
      Object.values(expected).map((value) => value.toFixed(4)),
    );
  });

  const ranked = (docIds: readonly number[]) =>
    docIds.map((docId, index) => ({ docId, score: 1 - index / docIds.length }));
  const first = Array.from({ length: 200 }, (_, docId) => docId);

  test('a model that finds what the words find gets its full part, one that finds anything gets none', () => {
    expect(modelWeights(0, ranked(first), ranked(first), 5000).dense).toBeCloseTo(0.45, 5);
    const random = mulberry32(1);
    const anything = Array.from({ length: 200 }, () => Math.floor(random() * 5000));
    expect(modelWeights(0, ranked(anything), ranked(first), 5000).dense).toBeLessThan(0.05);
  });

  test('agreement somewhat beyond chance is enough for full trust, less is not', () => {
    // Of the model's first 50, so many are among the 200 lexical hits of 5,000 chunks. Chance would be 2.
    const sharing = (count: number) => Array.from({ length: 200 }, (_, rank) => (rank < count ? rank : 1000 + rank));
    expect(modelWeights(0, ranked(sharing(13)), ranked(first), 5000).dense).toBeGreaterThanOrEqual(0.25);
    expect(modelWeights(0, ranked(sharing(8)), ranked(first), 5000).dense).toBeLessThan(0.2);
  });

  test("the model's ten best hits say how good it is, whatever follows them", () => {
    const bestAndPoor = [...first.slice(0, 10), ...first.slice(150)];
    expect(modelWeights(0, ranked(bestAndPoor), ranked(first), 5000).dense).toBeCloseTo(0.45, 5);
    const poorAndBest = [...first.slice(150), ...first.slice(0, 10)];
    expect(modelWeights(0, ranked(poorAndBest), ranked(first), 5000).dense).toBeCloseTo(0.25, 5);
  });

  test('beside nothing a model counts, and all parts sum to one', () => {
    expect(modelWeights(1, ranked(first), [], 5000).dense).toBeGreaterThan(0.2);
    for (const unknown of [0, 0.3, 1]) {
      const { words, grams, dense } = modelWeights(unknown, ranked(first), ranked(first), 5000);
      expect(words + grams + dense).toBeCloseTo(1, 6);
    }
  });
});
