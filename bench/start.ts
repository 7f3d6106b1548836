/**
 * What a start costs against a bare Node, all measured in turn: `npm run bench -- start [RUNS]`. Ratios of CPU time hold
 * on a busy machine, wall times do not. The first starts also fill Node's compile cache and are not counted.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './harness/figure.ts';
import { python } from './harness/python.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave } from './harness/statistics.ts';

const WOOSTER = join(ROOT, 'bin/wooster');
const NODE = join(ROOT, 'node_modules/node/bin/node');
/** Seconds at the prompt until its memory is read. */
const REST_S = 4;
const runs = Number(process.argv[2] ?? 9);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const quit = join(home, 'quit');
writeFileSync(quit, '/quit\n');
const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm', ROUTING_LOCAL_ENABLED: 'true' };

interface Sample {
  readonly wall: number;
  readonly cpu: number;
  readonly peakMB: number;
}

/** A whole run of a command. */
function ran(command: readonly string[], input = '/dev/null'): Sample {
  const [wall = 0, cpu = 0, peakMB = 0] = python('measure.py', [input, ...command], env);
  return { wall, cpu, peakMB };
}

/** Milliseconds until the prompt is shown. */
const prompt = () => python('on-terminal.py', ['--until', '> ', WOOSTER, '--home', home], env)[0] ?? Number.NaN;

/** MB that the program holds at the prompt. */
const resting = () =>
  python('on-terminal.py', ['--rest', `${REST_S}`, '--until', '> ', WOOSTER, '--home', home], env)[1] ?? Number.NaN;

try {
  // A start of sources that are newer than the build is another one, and makes a build meanwhile.
  execFileSync(NODE, ['--no-warnings', join(ROOT, 'scripts/build-checkout.ts')], { stdio: ['ignore', 2, 2] });
  const samples = await interleave(
    {
      bare: () => ran([NODE, '-e', '0']),
      version: () => ran([WOOSTER, '--version']),
      quit: () => ran([WOOSTER, '--home', home], quit),
      ask: () => ran([WOOSTER, 'ask', 'what is 2+2?', '--home', home]),
    },
    { rounds: runs, warm: 2 },
  );
  const terminal = await interleave({ prompt, bare: () => ran([NODE, '-e', '0']).wall }, { rounds: runs });
  const { rest } = await interleave({ rest: resting }, { rounds: 3, warm: 0 });
  const of = (way: keyof typeof samples, part: keyof Sample) => samples[way].map((sample) => sample[part]);
  const wall = { unit: 'ms', against: 'bare Node, wall' };
  const cpu = { unit: 'ms', kind: 'cpu' as const, against: 'bare Node, CPU' };
  const figures: Figure[] = [
    { what: 'bare Node, wall', unit: 'ms', samples: [...of('bare', 'wall'), ...terminal.bare] },
    { what: 'bare Node, CPU', unit: 'ms', kind: 'cpu', samples: of('bare', 'cpu') },
    { what: 'bare Node, peak memory', unit: 'MB', samples: of('bare', 'peakMB') },
    { ...wall, what: 'prompt visible', samples: terminal.prompt, must: 2.5, goal: 2 },
    { ...cpu, what: '/quit, CPU', samples: of('quit', 'cpu'), must: 10, goal: 6.5 },
    { ...wall, what: '/quit, wall', samples: of('quit', 'wall') },
    { ...cpu, what: 'ask, built-in model, CPU', samples: of('ask', 'cpu'), must: 14, goal: 9 },
    { ...wall, what: 'ask, built-in model, wall', samples: of('ask', 'wall'), must: 12, goal: 8 },
    { what: 'ask, peak memory', unit: 'MB', samples: of('ask', 'peakMB'), must: 115, goal: 98 },
    { what: `memory at the prompt after ${REST_S} s`, unit: 'MB', samples: rest, must: 105, goal: 92 },
    { ...cpu, what: '--version, CPU', samples: of('version', 'cpu') },
  ];
  report(figures);
} finally {
  rmSync(home, { recursive: true, force: true });
}
