import { expect, test } from 'vitest';
import { mutatedProgram, tryProgram } from '../testing/mutated-programs.ts';

test('broken programs are refused with places, sound ones print alike; `npm run test:lang` tries 100,000', () => {
  for (let seed = 0; seed < 1_000; seed += 1) expect(() => tryProgram(mutatedProgram(seed)), `${seed}`).not.toThrow();
});
