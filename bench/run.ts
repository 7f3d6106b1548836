/**
 * `npm run bench` runs all suites, one after the other, and writes bench/results.json and the pages made from it.
 * `npm run bench -- NAME [WORDS]` runs one; with words of its own, which are another measurement, nothing is written.
 * Ends with 1 when a suite failed or a target was missed in a run that was quiet enough to say so.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performanceFiles } from '../scripts/performance-page.ts';
import type { Line } from './harness/figure.ts';
import { noiseOf, table } from './harness/page.ts';
import { merged, RESULTS_JSON, type Results, ROOT, readResults, thisMachine, versions } from './harness/results.ts';
import { runSuite } from './harness/run-suite.ts';
import { SUITES } from './suites.ts';

// Ends the suite that runs as well.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const [name, ...words] = process.argv.slice(2);
const suites = SUITES.filter((suite) => name === undefined || suite.name === name);
if (suites.length === 0) {
  console.error(`There is no suite ${name}. There are: ${SUITES.map((suite) => suite.name).join(', ')}.`);
  process.exit(2);
}

// Measured as it is installed: a checkout that has changed since its last build runs from its sources.
const build = ['--no-warnings', join(ROOT, 'scripts/build-checkout.ts')];
execFileSync(join(ROOT, 'node_modules/node/bin/node'), build, { stdio: ['ignore', 2, 2] });

const isKeptMachine = JSON.stringify(readResults()?.machine) === JSON.stringify(thisMachine());
let failed = false;
for (const suite of suites) {
  console.log(`\n## ${suite.name}: ${suite.about}`);
  const report = await runSuite(suite, words);
  if (report.skipped !== undefined) console.log(`Not run: ${report.skipped}.`);
  else console.log(`${table(report.lines)}\n${noiseOf(report)} ${report.seconds.toFixed(0)} s.`);
  if (report.failed !== undefined) console.log(`FAILED: ${report.failed}.`);
  failed ||= report.failed !== undefined || report.lines.some(isMiss);
  // After each suite: a run that is stopped keeps what it had.
  if (words.length === 0) keep({ machine: thisMachine(), versions: versions(), suites: [report] });
}
process.exitCode = failed ? 1 : 0;

/**
 * Times that are no ratio have targets for whole runs on the machine of the kept results; elsewhere they are only shown:
 * the same program takes a third more on such a machine from one hour to the next.
 */
function isMiss({ verdict, kind, ratio }: Line): boolean {
  return verdict === 'missed' && (kind !== 'wall' || ratio !== undefined || (isKeptMachine && words.length === 0));
}

function keep(fresh: Results): void {
  const former = readResults();
  const isSame = JSON.stringify(former?.machine) === JSON.stringify(fresh.machine);
  if (former && !isSame && name !== undefined) {
    console.log(
      'Not written: the results in the checkout are those of another machine. A run of all suites replaces them.',
    );
    return;
  }
  const order = SUITES.map((suite) => suite.name);
  const results = merged(isSame ? former : undefined, fresh, order);
  writeFileSync(RESULTS_JSON, `${JSON.stringify(results, null, 2)}\n`);
  for (const [path, content] of Object.entries(performanceFiles())) writeFileSync(join(ROOT, path), content);
}
