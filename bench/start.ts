/**
 * How long a person waits for the prompt: from the start of `bin/wooster` on a terminal until `> ` is shown.
 * The very first start also fills Node's compile cache and is not counted. Run alone: `npm run bench:start [-- RUNS]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const LIMIT_MS = 130;
const root = resolve(import.meta.dirname, '..');
const runs = Number(process.argv[2] ?? 15);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));

try {
  execFileSync(join(root, 'bin/wooster'), ['--version']);
  const times = Array.from({ length: runs }, once).sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? Number.NaN;
  console.log('start to prompt, ms');
  console.table({ best: at(0), median: at(0.5), worst: at(1), limit: LIMIT_MS, runs });
  process.exitCode = at(0.5) <= LIMIT_MS ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function once(): number {
  const command = [join(root, 'scripts/on-terminal.py'), '--until', '> ', join(root, 'bin/wooster'), '--home', home];
  return Number(execFileSync('python3', command, { encoding: 'utf8' }));
}
