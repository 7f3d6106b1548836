/**
 * The prompt beside Node's own readline, in the same run: `npm run bench -- terminal [ROUNDS]`. Wall times need a quiet
 * machine; CPU, bytes and ratios hold on a busy one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave, quantile } from './harness/statistics.ts';
import { keyAtTheEnd, markdown, pasteMs, streamMs, tokensAndKeys } from './terminal/in-process.ts';

const NODE = [join(ROOT, 'node_modules/node/bin/node'), '--disable-warning=ExperimentalWarning'];
const CHILD = [...NODE, join(ROOT, 'bench/terminal/child.ts')];
const KEYS = 104;
const rounds = Number(process.argv[2] ?? 5);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm', ROUTING_LOCAL_ENABLED: 'false' };

function drive(...words: readonly string[]): number[] {
  const said = execFileSync('python3', [join(ROOT, 'bench/terminal/drive.py'), ...words], { encoding: 'utf8', env });
  return said.trim().split(' ').map(Number);
}

const prompt = (command: readonly string[]) => drive('until', '> ', ...command);
const keys = (...words: readonly string[]) => drive('keys', `${KEYS}`, ...CHILD, ...words);
const p95 = (round: readonly number[]) => quantile(round.slice(0, -1), 0.95);
const cpu = (round: readonly number[]) => round.at(-1) ?? Number.NaN;

try {
  const starts = await interleave(
    {
      wooster: () => prompt([join(ROOT, 'bin/wooster'), '--home', home]),
      readline: () => prompt([...NODE, join(ROOT, 'bench/terminal/bare.mjs')]),
    },
    { rounds: 2 * rounds, warm: 2 },
  );
  const typed = await interleave(
    {
      idle: () => keys('live'),
      bareIdle: () => keys('readline'),
      stream: () => keys('live', 'stream'),
      bareStream: () => keys('readline', 'stream'),
    },
    { rounds, warm: 0 },
  );
  const inside = await interleave({ paste: pasteMs, markdown: () => streamMs(markdown()) }, { rounds });
  const pressed = Array.from({ length: rounds }, keyAtTheEnd);
  const drawn = await tokensAndKeys();
  const over = starts.wooster.map(([ms = 0], round) => ms - (starts.readline[round]?.[0] ?? 0));
  const figures: Figure[] = [
    { what: 'readline: prompt visible', unit: 'ms', samples: starts.readline.map(([ms = 0]) => ms) },
    { what: 'prompt visible, over readline', unit: 'ms', samples: over, must: 20 },
    {
      what: 'readline: CPU until the prompt',
      unit: 'ms',
      kind: 'cpu',
      samples: starts.readline.map(([, ms = 0]) => ms),
    },
    {
      ...{ what: 'CPU until the prompt', unit: 'ms', kind: 'cpu', samples: starts.wooster.map(([, ms = 0]) => ms) },
      ...{ against: 'readline: CPU until the prompt', must: 2 },
    },
    { what: 'readline: echo p95, idle', unit: 'ms', samples: typed.bareIdle.map(p95) },
    {
      what: 'echo p95, idle',
      unit: 'ms',
      samples: typed.idle.map(p95),
      against: 'readline: echo p95, idle',
      must: 1.3,
    },
    { what: 'readline: echo p95, streaming', unit: 'ms', samples: typed.bareStream.map(p95) },
    {
      ...{ what: 'echo p95, 100 tokens a second', unit: 'ms', samples: typed.stream.map(p95) },
      ...{ against: 'readline: echo p95, streaming', must: 1.3 },
    },
    { what: 'CPU of a key, whole program', unit: 'ms', kind: 'cpu', samples: typed.idle.map(cpu), must: 1 },
    { what: 'CPU of a key, ours', unit: 'ms', kind: 'cpu', samples: pressed.map(({ ms }) => ms) },
    { what: 'bytes of a key at the end', unit: 'bytes', samples: pressed.map(({ bytes }) => bytes), must: 4 },
    { what: '100 tokens and 30 keys', unit: 'bytes', samples: [drawn.bytes], must: 8192 },
    { what: '100 tokens and 30 keys, erases', unit: 'erases', samples: [drawn.erases], must: 50 },
    { what: 'paste of 1 MB, one event', unit: 'ms', kind: 'cpu', samples: inside.paste, must: 50 },
    { what: '12.8 KB of Markdown in 2,560 tokens', unit: 'ms', kind: 'cpu', samples: inside.markdown, must: 300 },
  ];
  report(figures);
} finally {
  rmSync(home, { recursive: true, force: true });
}
