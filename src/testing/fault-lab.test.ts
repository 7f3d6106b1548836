import { expect, test } from 'vitest';
import { FAULTS, tryEffect } from './fault-lab.ts';

// All effects and all writes: `npm run faults`.
test.each([
  ['a note among others', 4],
  ['an overwritten file', 4],
  ['a moved file', 6],
  ['a reminder', 6],
])(
  '%s, with a fault at every %ith write: nothing lost, doubled or hidden',
  async (effect, every) => {
    for (const fault of FAULTS) {
      const runs = await tryEffect(effect, fault, every);
      expect(runs.length).toBeGreaterThan(1);
      expect(runs.filter(({ broken }) => broken.length > 0)).toEqual([]);
    }
  },
  120_000,
);
