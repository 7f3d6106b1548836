import { expect, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { Bm25 } from './bm25.ts';
import { B, K1, PostingsBuilder } from './postings.ts';

type Texts = readonly (readonly string[])[];

function build(texts: Texts) {
  const builder = new PostingsBuilder();
  for (const text of texts) builder.add(text);
  return builder.build();
}

/** BM25 straight from its formula, one document at a time. */
function naive(texts: Texts, query: ReadonlyMap<string, number>): { docId: number; score: number }[] {
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const sets = texts.map((text) => new Set(text));
  const frequencies = new Map([...query.keys()].map((term) => [term, sets.filter((set) => set.has(term)).length]));
  const scored = texts.map((text, docId) => {
    let score = 0;
    for (const [term, weight] of query) {
      const inTexts = frequencies.get(term) ?? 0;
      const frequency = text.filter((each) => each === term).length;
      const idf = Math.log(1 + (texts.length - inTexts + 0.5) / (inTexts + 0.5));
      score += (weight * idf * frequency) / (frequency + K1 * (1 - B + (B * text.length) / average));
    }
    return { docId, score };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.docId - b.docId);
}

function randomTexts(count: number, seed: number): string[][] {
  const random = mulberry32(seed);
  const word = () => `w${Math.floor(300 ** random())}`;
  return Array.from({ length: count }, () => Array.from({ length: 5 + Math.floor(60 * random()) }, word));
}

test('the best documents and their scores are those of the formula, over one part and over several', () => {
  const texts = randomTexts(1500, 5);
  const parts = [build(texts.slice(0, 900)), build(texts.slice(900, 1000)), build(texts.slice(1000))];
  const random = mulberry32(9);
  for (let round = 0; round < 10; round++) {
    const query = new Map(Array.from({ length: 12 }, () => [`w${Math.floor(320 ** random())}`, 1 + random()]));
    const expected = naive(texts, query).slice(0, 30);
    for (const bm25 of [new Bm25([build(texts)]), new Bm25(parts)]) {
      const found = bm25.search(query, 30);
      expect(found.length).toBe(expected.length);
      for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(expected[index]?.score ?? 0, 3);
    }
  }
});

test('documents that are not allowed are left out and do not push others out', () => {
  const bm25 = new Bm25([build([['a'], ['a', 'b'], ['a', 'b', 'c']])]);
  const allowed = Uint8Array.of(0, 1, 1);
  expect(bm25.search(new Map([['a', 1]]), 1, allowed).map(({ docId }) => docId)).toEqual([1]);
});

test('an empty index and an unknown term find nothing', () => {
  expect(new Bm25([]).search(new Map([['a', 1]]), 10)).toEqual([]);
  expect(new Bm25([build([['a']])]).search(new Map([['b', 1]]), 10)).toEqual([]);
});
