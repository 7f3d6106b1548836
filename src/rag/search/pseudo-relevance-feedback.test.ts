import { expect, test } from 'vitest';
import { Bm25 } from '../index/bm25.ts';
import { PostingsBuilder } from '../index/postings.ts';
import { countTerms, expand } from './pseudo-relevance-feedback.ts';

function index(texts: readonly string[]) {
  const builder = new PostingsBuilder();
  for (const text of texts) builder.add(text.split(' '));
  const bm25 = new Bm25([builder.build()]);
  const asked: (readonly number[])[] = [];
  const wordsOf = async (docIds: readonly number[]) => {
    asked.push(docIds);
    return new Map(docIds.map((docId) => [docId, (texts[docId] ?? '').split(' ')]));
  };
  return { bm25, wordsOf, asked };
}

const rounded = (weights: ReadonlyMap<string, number>) =>
  Object.fromEntries([...weights].map(([term, weight]) => [term, Number(weight.toFixed(4))]));

test('each word is counted', () => {
  expect([...countTerms(['oak', 'elm', 'oak'])]).toEqual([
    ['oak', 2],
    ['elm', 1],
  ]);
});

test('a query keeps four fifths of the weight, the words of its best hits have the rest', async () => {
  const { bm25, wordsOf } = index(['boiler valve valve pump', 'garden shed', 'garden gate']);
  // Three different words, one of them twice: a half, and a quarter each.
  expect(rounded(await expand(bm25, ['boiler'], { wordsOf }))).toEqual({ boiler: 0.85, valve: 0.1, pump: 0.05 });
  const twice = await expand(bm25, ['boiler', 'boiler', 'leak', 'drip'], { wordsOf });
  expect(rounded(twice)).toEqual({ boiler: 0.45, leak: 0.2, drip: 0.2, valve: 0.1, pump: 0.05 });
});

test('a better hit says more, in proportion to its score', async () => {
  const texts = ['boiler boiler pump', 'boiler shed roof gate lamp desk', 'sofa', 'rug', 'bed'];
  const { bm25, wordsOf } = index(texts);
  const [best, other] = bm25.search(new Map([['boiler', 1]]), 2);
  const share = (best?.score ?? 0) / ((best?.score ?? 0) + (other?.score ?? 0));
  const weights = await expand(bm25, ['boiler'], { wordsOf });
  expect(weights.get('pump')).toBeCloseTo(0.2 * share * (1 / 3));
  expect(weights.get('lamp')).toBeCloseTo(0.2 * (1 - share) * (1 / 6));
});

test('figures and words of two letters are not added', async () => {
  const { bm25, wordsOf } = index(['boiler 2024 of 24h 24', 'garden']);
  expect(rounded(await expand(bm25, ['boiler'], { wordsOf }))).toEqual({ boiler: 0.9, '24h': 0.1 });
});

test('of the three best hits the fifteen most telling words are added, rare ones before common ones', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `word${String(at).padStart(2, '0')}`);
  const { bm25, wordsOf, asked } = index([
    `boiler boiler ${many.toReversed().join(' ')}`,
    'boiler word00 word01',
    'boiler word00 word01',
    'boiler seldom word00 word01 word00 word01 word00 word01 word00 word01',
    'word00 word01',
  ]);
  const weights = await expand(bm25, ['boiler'], { wordsOf, allowed: Uint8Array.of(1, 0, 0, 0, 0) });
  expect(asked).toEqual([[0]]);
  // Ties are in alphabetical order; the two that occur everywhere come last.
  expect([...weights.keys()].sort()).toEqual(['boiler', ...many.slice(2, 17)].sort());
  await expand(bm25, ['boiler'], { wordsOf });
  expect(asked[1]).toHaveLength(3);
});

test('a query that finds nothing stays as it is', async () => {
  const { bm25, wordsOf, asked } = index(['boiler']);
  expect([...(await expand(bm25, ['oak', 'oak'], { wordsOf }))]).toEqual([['oak', 2]]);
  expect(asked).toEqual([]);
});
