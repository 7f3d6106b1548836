/**
 * `npm run bench:check [-- NAME...]`: runs suites and refuses what became worse than the results in the checkout by more
 * than noise explains. Writes nothing. Ends with 1 when something did.
 */
import { shown } from './harness/page.ts';
import { type Finding, regressions } from './harness/regression.ts';
import { readResults, type SuiteReport, thisMachine, versions } from './harness/results.ts';
import { runSuite } from './harness/run-suite.ts';
import { SUITES } from './suites.ts';

// Ends the suite that runs as well.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const names = process.argv.slice(2);
const former = readResults();
if (!former) {
  console.error('There are no results to compare with: npm run bench writes them.');
  process.exit(2);
}
const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. There are: ${SUITES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const suites: SuiteReport[] = [];
for (const suite of SUITES) {
  if (names.length > 0 && !names.includes(suite.name)) continue;
  console.error(`${suite.name} ...`);
  suites.push(await runSuite(suite));
}
const failed = suites.flatMap(({ name, failed }) => (failed === undefined ? [] : [`${name}: ${failed}`]));
const findings = regressions(former, { machine: thisMachine(), versions: versions(), suites });
for (const finding of findings) console.log(told(finding));
for (const each of failed) console.log(`FAILED   ${each}`);
const refused = findings.filter(({ kind }) => kind !== 'unsure');
if (refused.length + failed.length === 0) console.log('Nothing is worse than noise explains.');
process.exitCode = refused.length + failed.length === 0 ? 0 : 1;

function told({ what, kind, before, after, band }: Finding): string {
  if (kind === 'gone') return `GONE     ${what} is no longer measured`;
  const change = `${shown(before)} before, ${shown(after)} now, ${Math.round(band * 100)} % allowed`;
  return kind === 'worse'
    ? `WORSE    ${what}: ${change}`
    : `noisy    ${what}: ${change}; run it again when it is quiet`;
}
