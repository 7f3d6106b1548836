import { expect, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { orthonormalise, seededNormals, symmetricEigen } from './linear-algebra.ts';
import { cosine, normalise } from './lsa.ts';
import { fitLsa } from './lsa-fit.ts';
import { type Segment, SegmentBuilder } from './segment.ts';

const NEVER = new AbortController().signal;

function segmentOf(texts: readonly string[], from: number): Segment {
  const builder = new SegmentBuilder();
  for (const [index, text] of texts.entries()) builder.add(from + index, text);
  return builder.build();
}

/** The cosines between all texts, with words weighted by frequency and rarity. */
function naive(texts: readonly string[]): number[][] {
  const counts = texts.map((text) => Map.groupBy(text.split(' '), (word) => word));
  const all = [...new Set(texts.flatMap((text) => text.split(' ')))];
  const frequency = (word: string) => counts.filter((count) => count.has(word)).length;
  const shared = all.filter((word) => frequency(word) >= 2);
  const vectors = counts.map((count) =>
    shared.map((word) => {
      const times = count.get(word)?.length ?? 0;
      return times === 0 ? 0 : (1 + Math.log(times)) * Math.log(1 + texts.length / frequency(word));
    }),
  );
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);
  return vectors.map((a) => vectors.map((b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))));
}

const FIRST = ['boat sail mast boat', 'sail sail sail rope', 'mast rope boat alone'];
const SECOND = ['oven bread', 'bread bread flour boat', 'oven flour flour flour', 'rope oven sail'];

test('with all directions kept, texts are as near as their words say, whatever segment they are in', async () => {
  const segments = [segmentOf(FIRST, 1), segmentOf(SECOND, 10)];
  const lsa = await fitLsa(segments, () => true, NEVER);
  const dimensions = lsa?.dimensions ?? 0;
  const rows = segments.flatMap(({ words }) => {
    const vectors = lsa?.embedAll(words) ?? new Float32Array(0);
    return Array.from({ length: words.docCount }, (_, row) =>
      vectors.subarray(row * dimensions, (row + 1) * dimensions),
    );
  });
  expect(dimensions).toBe(7);
  for (const [a, expected] of naive([...FIRST, ...SECOND]).entries())
    for (const [b, near] of expected.entries())
      expect(cosine(rows[a] ?? new Float32Array(0), rows[b] ?? new Float32Array(0))).toBeCloseTo(near, 4);
  // A query is a text like any other; words that no text shares contribute nothing.
  const query = lsa?.embed(['sail', 'sail', 'sail', 'rope', 'alon']);
  expect(query && cosine(query, rows[1] ?? new Float32Array(0))).toBeCloseTo(1, 5);
  expect(lsa?.embed(['alon', 'nothing'])).toBeUndefined();
});

test('what is gone counts for nothing', async () => {
  const segments = [segmentOf([...FIRST, 'mast oven mast'], 1), segmentOf(SECOND, 10)];
  const fits = await Promise.all([
    fitLsa(segments, (id) => id !== 4 && id !== 10, NEVER),
    fitLsa([segmentOf(FIRST, 1), segmentOf(SECOND.slice(1), 11)], () => true, NEVER),
  ]);
  const [some, other] = fits.map((lsa) => ['boat', 'oven', 'mast', 'flour', 'bread'].map((word) => lsa?.embed([word])));
  const cosines = (vectors: typeof some) =>
    vectors?.map((a) => vectors.map((b) => Number((a && b ? cosine(a, b) : 9).toFixed(3)) + 0));
  expect(cosines(some)).toEqual(cosines(other));
});

test('drawn numbers are the same on every machine, so that an index is', () => {
  const random = mulberry32(1);
  expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  const normals = [...seededNormals(4, 3)].map((value) => Number(value.toFixed(5)));
  expect(normals).toEqual([1.54924, 0.9837, -1.68504, 0.60778]);
});

test('columns become orthonormal in their order, and an eigenvalue has its vector', () => {
  const matrix = Float32Array.of(3, 1, 4, 2, 0, 5);
  orthonormalise(matrix, 2, 2);
  expect([...matrix].map((value) => Number(value.toFixed(4)))).toEqual([0.6, -0.0638, 0.8, 0.0478, 0, 0.9968]);
  const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 0, 1, 2, 0, 0, 0, 5), 3);
  expect(values.map((value) => Number(value.toFixed(9)))).toEqual([5, 3, 1]);
  const half = Math.SQRT1_2;
  expect([...vectors].map((value) => Number(value.toFixed(9)))).toEqual(
    [0, half, half, 0, half, -half, 1, 0, 0].map((value) => Number(value.toFixed(9))),
  );
});

test.each([
  [
    [3, 4],
    [0.6, 0.8],
  ],
  [
    [1e-9, 0],
    [1, 0],
  ],
  [[1e-11, 0], undefined],
  [[0, 0], undefined],
  [[Number.NaN, 1], undefined],
  [[Number.POSITIVE_INFINITY, 1], undefined],
])('%j has the direction %j', (values, expected) => {
  const found = normalise(Float32Array.from(values));
  expect(found && [...found].map((value) => Number(value.toFixed(5)))).toEqual(expected);
});
