import { expect, test } from 'vitest';
import { DocIds } from './doc-ids.ts';

test('document ids count through all segments, whether their chunk ids ascend or not', () => {
  const docIds = new DocIds([Uint32Array.of(3, 9, 40), new Uint32Array(0), Uint32Array.of(12, 7, 30)]);
  expect([3, 9, 40, 12, 7, 30].map((id) => docIds.of(id))).toEqual([0, 1, 2, 3, 4, 5]);
  expect([0, 8, 41, 13].map((id) => docIds.of(id))).toEqual([-1, -1, -1, -1]);
});
