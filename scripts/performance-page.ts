/** The parts of docs/performance.md that are measured, and its picture; bench/RESULTS.md as well. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resultsPage } from '../bench/harness/page.ts';
import { readResults } from '../bench/harness/results.ts';
import { SUITES } from '../bench/suites.ts';

const ROOT = resolve(import.meta.dirname, '..');
export const PROFILE_JSON = join(ROOT, 'bench/profile.json');
const PAGE = 'docs/performance.md';

/** What something costs in CPU time, and what that goes into. */
export interface TimeParts {
  readonly what: string;
  readonly totalMs: number;
  readonly parts: readonly { readonly part: string; readonly ms: number }[];
}

/** Path in the checkout to content, from bench/profile.json and bench/results.json. */
export function performanceFiles(): Record<string, string> {
  const bars = existsSync(PROFILE_JSON) ? (JSON.parse(readFileSync(PROFILE_JSON, 'utf8')) as TimeParts[]) : [];
  const results = readResults();
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  const about = Object.fromEntries(SUITES.map((suite) => [suite.name, suite.about]));
  return {
    ...(bars.length > 0 ? { 'docs/performance.svg': picture(bars) } : {}),
    [PAGE]: between(between(page, 'parts', bars.map(partsTable).join('\n\n')), 'growth', growthTable()),
    ...(results ? { 'bench/RESULTS.md': resultsPage(results, about) } : {}),
  };
}

function between(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const at = page.indexOf(begin) + begin.length;
  return `${page.slice(0, at)}\n${content}\n${page.slice(page.indexOf(end))}`;
}

function partsTable({ what, totalMs, parts }: TimeParts): string {
  const rows = parts.map(({ part, ms }) => `| ${part} | ${ms} | ${Math.round((ms / totalMs) * 100)} % |`);
  return [`| ${what} | CPU ms of ${totalMs} | share |`, '| --- | --- | --- |', ...rows].join('\n');
}

/** What the suite `scale` last found: the largest size of each curve and how it goes on. */
function growthTable(): string {
  const lines = readResults()?.suites.find(({ name }) => name === 'scale')?.lines ?? [];
  const last = lines.filter(({ note }) => note?.startsWith('grows'));
  const rows = last.map(({ what, median, unit, note = '' }) => {
    const [power = '', then = ''] = note.replace('grows with ', '').split('; in a straight line ');
    return `| ${what} | ${Number(median.toPrecision(3))} ${unit} | ${power} | ${then} |`;
  });
  return ['| What, at which size | costs | grows with | so beyond it |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const COLOURS = [
  '#4c78a8',
  '#f58518',
  '#54a24b',
  '#e45756',
  '#72b7b2',
  '#b279a2',
  '#9d755d',
  '#eeca3b',
  '#ff9da6',
  '#bab0ac',
];
const WIDTH = 820;
const LINE = 20;
const BAR = { x: 20, width: 780, height: 34 } as const;

/** Each thing is a bar, its parts in their order, with a line of the legend for each. */
function picture(bars: readonly TimeParts[]): string {
  let y = 10;
  const drawn = bars.map((bar) => {
    const top = y;
    y += 40 + BAR.height + 14 + Math.ceil(bar.parts.length / 2) * LINE + 16;
    return drawBar(bar, top);
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif" font-size="13">`;
  const about = bars.map(({ what, totalMs }) => `${what}: ${totalMs} ms`).join('; ');
  return `${[head, `<title>${escaped(about)}</title>`, '<rect width="100%" height="100%" fill="#ffffff"/>', ...drawn, '</svg>'].join('\n')}\n`;
}

function drawBar({ what, totalMs, parts }: TimeParts, top: number): string {
  const sum = parts.reduce((all, { ms }) => all + ms, 0);
  let x: number = BAR.x;
  const pieces = parts.flatMap(({ part, ms }, at) => {
    const width = (ms / sum) * BAR.width;
    const colour = COLOURS[at % COLOURS.length];
    const [column, row] = [at % 2, Math.floor(at / 2)];
    const [left, below] = [BAR.x + (column * BAR.width) / 2, top + 40 + BAR.height + 14 + row * LINE];
    const piece = `<rect x="${x.toFixed(1)}" y="${top + 32}" width="${width.toFixed(1)}" height="${BAR.height}" fill="${colour}"/>`;
    x += width;
    return [
      piece,
      `<rect x="${left}" y="${below - 2}" width="11" height="11" fill="${colour}"/>`,
      `<text x="${left + 18}" y="${below + 8}" fill="#222222">${escaped(part)}, ${ms} ms</text>`,
    ];
  });
  const title = `<text x="${BAR.x}" y="${top + 18}" font-size="15" font-weight="bold" fill="#222222">${escaped(what)}: ${totalMs} ms of CPU time</text>`;
  return [title, ...pieces].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
