/**
 * Many power cuts in programs that act: what a program had done must be on the disk, whatever was not synced is lost.
 * `npm run test:power -- [CUTS]`; needs strace.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lostActs } from '../src/testing/lost-acts.ts';
import { record } from '../src/testing/power-cut.ts';

const cuts = Number(process.argv[2] ?? 500);
const dir = mkdtempSync(join(tmpdir(), 'wooster-power-cuts-'));
const recordings = [record('power-cut-child.ts'), record('crash-child.ts', '-1', 'before')];
let lost = 0;
for (const [nth, recording] of recordings.entries()) {
  for (let cut = 0; cut < cuts; cut++) {
    const home = join(dir, `${nth}-${cut}`);
    mkdirSync(home);
    const acts = await lostActs(recording, home, { part: Math.random(), keeps: [0, 0.5, 0.95][cut % 3] ?? 0 });
    for (const act of acts) console.log(`lost at ${act}`);
    lost += acts.length;
    rmSync(home, { recursive: true });
  }
}
rmSync(dir, { recursive: true });
console.log(`${cuts * recordings.length} power cuts, ${lost} acts lost`);
process.exitCode = lost === 0 ? 0 : 1;
