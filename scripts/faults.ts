/**
 * Every local effect with a fault at each of its writes, of the file system and of the database: `npm run faults`. Each
 * run is a call that is killed, finds the disk full or gets an I/O error, then a restart, and the same request again.
 * Prints a table, and exits with 1 when a promise of docs/reliability.md was broken.
 */
import { FAULTS, type FaultRun, tryEffect } from '../src/testing/fault-lab.ts';
import { LOCAL_EFFECTS } from '../src/testing/local-effects.ts';

const all: FaultRun[] = [];
for (const title of Object.keys(LOCAL_EFFECTS)) {
  for (const fault of FAULTS) all.push(...(await tryEffect(title, fault)));
}
const columns = ['runs', 'lost', 'doubled', 'hidden', 'hang', 'told as unknown'] as const;
const lines = FAULTS.map((fault) =>
  lineOf(
    fault,
    all.filter((run) => run.fault === fault),
  ),
);
process.stdout.write(
  [
    `| fault at each write of ${Object.keys(LOCAL_EFFECTS).length} effects | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...lines,
    lineOf('all', all),
    ...all.filter(({ broken }) => broken.length > 0).map((run) => `BROKEN ${JSON.stringify(run)}`),
    '',
  ].join('\n'),
);
process.exit(all.some(({ broken }) => broken.length > 0) ? 1 : 0);

function lineOf(name: string, runs: readonly FaultRun[]): string {
  const count = (what: FaultRun['broken'][number]) => runs.filter(({ broken }) => broken.includes(what)).length;
  const unknown = runs.filter((run) => run.unknown).length;
  return `| ${name} | ${runs.length} | ${count('lost')} | ${count('doubled')} | ${count('hidden')} | ${count('hang')} | ${unknown} |`;
}
