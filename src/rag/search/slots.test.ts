import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('slots number the ids of all parts, in whatever order a part has them', () => {
  const slots = new Slots([Uint32Array.of(3, 9, 40), new Uint32Array(0), Uint32Array.of(12, 7, 30)]);
  expect([3, 9, 40, 12, 7, 30].map((id) => slots.of(id))).toEqual([0, 1, 2, 3, 4, 5]);
  expect([0, 8, 41, 13].map((id) => slots.of(id))).toEqual([-1, -1, -1, -1]);
});
