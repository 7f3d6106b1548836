import { type Line, OTHERS_MOST } from './figure.ts';
import type { Results, SuiteReport } from './results.ts';

/** `bench/RESULTS.md`. */
export function resultsPage({ machine, versions, suites }: Results, about: Readonly<Record<string, string>>): string {
  const all = suites.flatMap(({ name, lines }) => lines.map((line) => ({ name, line })));
  const withGoal = all.filter(({ line }) => line.goal !== undefined);
  return `${[
    '# What was measured',
    'Written by `npm run bench`; `npm run bench -- NAME` renews one suite. The spread is the width of the middle half of the ' +
      'samples, as a share of the median. A ratio is that of two medians of the same run, and a target beside a ratio is one of it.',
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}. ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    ...(withGoal.length === 0
      ? []
      : [
          '## Start, turns, scripts and memory against their targets',
          table(withGoal.map(({ name, line }) => ({ ...line, what: `${name}: ${line.what}` }))),
        ]),
    ...suites.map((suite) => section(suite, about[suite.name] ?? '')),
  ].join('\n\n')}\n`;
}

function section(suite: SuiteReport, about: string): string {
  const heading = `## ${suite.name}`;
  if (suite.skipped !== undefined) return [heading, about, `Not run: ${suite.skipped}.`].join('\n\n');
  const ran = `${suite.at.slice(0, 10)}, commit ${suite.commit}, ${Math.round(suite.seconds)} s. ${noiseOf(suite)}`;
  const failed = suite.failed === undefined ? [] : [`**Ended with an error:** ${suite.failed}`];
  return [heading, about, ran, ...failed, table(suite.lines)].join('\n\n');
}

/** Says whether the run can be trusted. */
export function noiseOf({ othersShare, lines }: SuiteReport): string {
  const noisy = lines.filter((line) => line.noisy).length;
  const others = othersShare === undefined ? '' : `Others took ${Math.round(othersShare * 100)} % of the processors`;
  if ((othersShare ?? 0) > OTHERS_MOST) return `${others}: **too noisy** for wall times.`;
  return `${others === '' ? '' : `${others}. `}${noisy === 0 ? 'Quiet.' : `${noisy} of ${lines.length} figures too noisy.`}`;
}

/** A Markdown table of the lines. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.what,
    `${shown(line.median)} ${line.unit}`.trim(),
    line.spread === undefined ? '' : `${Math.round(line.spread * 100)} %`,
    line.ratio === undefined ? '' : `${shown(line.ratio)} x ${line.against}`,
    target(line, line.must),
    target(line, line.goal),
    remarks(line),
  ]);
  const head = ['', 'median', 'spread', 'ratio', 'must', 'goal', 'verdict'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function remarks({ verdict, noisy, note }: Line): string {
  const said = [verdict, noisy && !verdict.includes('noisy') ? 'noisy' : '', note ?? ''];
  return said.filter(Boolean).join('; ');
}

function target({ better, ratio, unit }: Line, bar: number | undefined): string {
  if (bar === undefined) return '';
  return `${better === 'less' ? '<=' : '>='} ${shown(bar)} ${ratio === undefined ? unit : 'x'}`.trim();
}

/** Three digits that count. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
