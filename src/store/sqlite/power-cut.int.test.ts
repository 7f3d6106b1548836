import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { lostActs } from '../../testing/lost-acts.ts';
import { needs } from '../../testing/needs.ts';
import { record } from '../../testing/power-cut.ts';

/** Cuts in each of the two programs; `npm run test:power` makes many more. */
const CUTS = 12;

describe.runIf(needs('strace'))('a power cut at any moment', () => {
  test.each([
    ['effects and approvals', 'power-cut-child.ts', []],
    ['jobs, claims and messages', 'crash-child.ts', ['-1', 'before']],
  ])('loses nothing that was acted on: %s', { timeout: 120_000 }, async (_what, program, words) => {
    const recording = record(program, ...words);
    const dir = temporaryFolder();
    for (let cut = 0; cut < CUTS; cut++) {
      const home = join(dir, String(cut));
      mkdirSync(home);
      expect(await lostActs(recording, home, { part: (cut + 1) / CUTS, keeps: cut % 2 === 0 ? 0 : 0.5 })).toEqual([]);
    }
  });
});
