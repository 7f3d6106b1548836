/**
 * What a start costs against a bare Node, both measured in turn in one run: `npm run bench:startup [-- RUNS]`. Ratios
 * of CPU time hold on a busy machine, wall times do not. Exits with 1 when a bar is missed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const WOOSTER = join(ROOT, 'bin/wooster');
const NODE = join(ROOT, 'node_modules/node/bin/node');
const runs = Number(process.argv[2] ?? 9);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const quit = join(home, 'quit');
writeFileSync(quit, '/quit\n');

interface Case {
  readonly name: string;
  readonly command: readonly string[];
  readonly input?: string;
  /** Most times the CPU and the wall time of a bare Node, and most MB. */
  readonly cpu?: number;
  readonly wall?: number;
  readonly peakMB?: number;
}

const BARE: Case = { name: 'bare', command: [NODE, '-e', '0'] };
const CASES: readonly Case[] = [
  BARE,
  { name: '--version', command: [WOOSTER, '--version'] },
  { name: '/quit', command: [WOOSTER, '--home', home], input: quit, cpu: 10 },
  {
    ...{ name: 'ask', command: [WOOSTER, 'ask', 'what is 2+2?', '--home', home] },
    ...{ cpu: 14, wall: 12, peakMB: 115 },
  },
];

type Sample = readonly [wall: number, cpu: number, peakMB: number];

function measure({ command, input }: Case): Sample {
  const words = [join(ROOT, 'scripts/measure.py'), input ?? '/dev/null', ...command];
  const env = { PATH: process.env.PATH, HOME: home, ROUTING_LOCAL_ENABLED: 'true' };
  const [wall = 0, cpu = 0, peak = 0] = execFileSync('python3', words, { encoding: 'utf8', env })
    .split(' ')
    .map(Number);
  return [wall, cpu, peak];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  for (const each of CASES) measure(each);
  const samples = new Map<Case, Sample[]>(CASES.map((each) => [each, []]));
  for (let run = 0; run < runs; run++) for (const [each, taken] of samples) taken.push(measure(each));
  const at = (each: Case, part: 0 | 1 | 2) => median((samples.get(each) ?? []).map((sample) => sample[part]));
  const rows = CASES.map((each) => {
    const [wall, cpu, peakMB] = [at(each, 0), at(each, 1), at(each, 2)];
    const ratios = { wallRatio: wall / at(BARE, 0), cpuRatio: cpu / at(BARE, 1) };
    const ok =
      ratios.cpuRatio <= (each.cpu ?? Number.POSITIVE_INFINITY) &&
      ratios.wallRatio <= (each.wall ?? Number.POSITIVE_INFINITY) &&
      peakMB <= (each.peakMB ?? Number.POSITIVE_INFINITY);
    return { name: each.name, wall, cpu, peakMB, ...ratios, ok };
  });
  console.table(rows.map((row) => ({ ...row, ...rounded(row) })));
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function rounded(row: object): Record<string, number> {
  const numbers = Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return Object.fromEntries(numbers.map(([key, value]) => [key, Math.round(value * 10) / 10]));
}
