import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { ExactVectors } from './exact-vectors.ts';
import { orthonormalise, seededNormals, symmetricEigen } from './linear-algebra.ts';
import { fitLsa } from './lsa-fit.ts';
import { mergeSegments, SegmentBuilder } from './segment.ts';

function segmentOf(texts: readonly string[], from = 1) {
  const builder = new SegmentBuilder();
  for (const [index, text] of texts.entries()) builder.add(from + index, text);
  return builder.build();
}

const SEA = ['harbour boat sail', 'boat sail mast', 'harbour mast sailor', 'sailor boat harbour'];
const NEVER = new AbortController().signal;
const FOOD = ['bread flour oven', 'oven bread yeast', 'flour yeast dough', 'dough oven bread'];

test('texts lie near those that share company, not only words', async () => {
  const texts = [...SEA, ...FOOD];
  const segment = segmentOf(texts);
  const lsa = await fitLsa([segment], () => true, NEVER);
  const vectors = lsa?.embedAll(segment.words) ?? new Float32Array(0);
  const exact = new ExactVectors(
    [{ ids: segment.ids, vectors }],
    { dimensions: lsa?.dimensions ?? 1, docCount: texts.length },
    (id) => id - 1,
  );
  const query = lsa?.embed(['mast']);
  const found = query ? exact.search(query, 4) : [];
  const near = found.filter(({ score }) => score > 0.01).map(({ docId }) => docId);
  expect(near.length).toBeGreaterThan(1);
  expect(near.every((docId) => docId < SEA.length)).toBe(true);
});

test('texts of less rank than dimensions give numbers, and equal input equal output', async () => {
  const texts = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? 'boat sail mast' : 'bread oven flour'));
  const fit = () => fitLsa([segmentOf(texts)], () => true, NEVER);
  const fits = [await fit(), await fit()];
  expect(fits[0]?.dimensions).toBe(2);
  expect(fits[0]?.arrays.basis.every(Number.isFinite)).toBe(true);
  expect(fits[0]?.arrays.basis).toEqual(fits[1]?.arrays.basis);
});

test('texts without a word in common carry no model', async () => {
  expect(await fitLsa([segmentOf(['a1', 'b2', 'c3'])], () => true, NEVER)).toBeUndefined();
  expect(await fitLsa([], () => true, NEVER)).toBeUndefined();
});

test('the fit ends in its midst when it is told to', async () => {
  const ending = new AbortController();
  const steps: string[] = [];
  const fitting = fitLsa([segmentOf([...SEA, ...FOOD])], () => true, ending.signal).finally(() => steps.push('ended'));
  await setImmediate();
  steps.push('told');
  ending.abort(new Error('told to end'));
  await expect(fitting).rejects.toThrow('told to end');
  expect(steps).toEqual(['told', 'ended']);
});

test('columns become orthonormal, dependent ones zero', () => {
  const width = 6;
  const matrix = seededNormals(50 * width, 3);
  for (let row = 0; row < 50; row++) matrix[row * width + 5] = 2 * (matrix[row * width] ?? 0);
  orthonormalise(matrix, width, 2);
  for (let a = 0; a < width; a++)
    for (let b = 0; b < width; b++) {
      let dot = 0;
      for (let row = 0; row < 50; row++) dot += (matrix[row * width + a] ?? 0) * (matrix[row * width + b] ?? 0);
      expect(dot).toBeCloseTo(a === b && a !== 5 ? 1 : 0, 4);
    }
});

test('eigenvectors turn a symmetric matrix into its eigenvalues, largest first', () => {
  const size = 8;
  const random = mulberry32(4);
  const matrix = new Float64Array(size * size);
  for (let a = 0; a < size; a++)
    for (let b = 0; b <= a; b++) {
      const value = random() - 0.5;
      matrix[a * size + b] = value;
      matrix[b * size + a] = value;
    }
  const { values, vectors } = symmetricEigen(matrix.slice(), size);
  expect(values).toEqual([...values].sort((a, b) => b - a));
  for (const [axis, value] of values.entries())
    for (let row = 0; row < size; row++) {
      let product = 0;
      for (let inner = 0; inner < size; inner++)
        product += (matrix[row * size + inner] ?? 0) * (vectors[inner * size + axis] ?? 0);
      expect(product).toBeCloseTo(value * (vectors[row * size + axis] ?? 0), 8);
    }
});

test('merged segments say what one segment of the live chunks says', () => {
  const merged = mergeSegments([segmentOf(SEA), segmentOf(FOOD, 5)], (id) => id !== 2 && id !== 6);
  const whole = new SegmentBuilder();
  for (const [index, text] of [...SEA, ...FOOD].entries()) if (index !== 1 && index !== 5) whole.add(index + 1, text);
  const expected = whole.build();
  expect(merged.ids).toEqual(expected.ids);
  for (const term of ['boat', 'sail', 'mast', 'bread', 'yeast', 'oven'])
    expect([...(merged.words.entries(term)?.entries ?? [])]).toEqual([
      ...(expected.words.entries(term)?.entries ?? []),
    ]);
});
