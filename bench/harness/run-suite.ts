import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suite } from '../suites.ts';
import { type Figure, linesOf } from './figure.ts';
import { REPORT_VARIABLE } from './report.ts';
import { currentCommit, ROOT, type SuiteReport } from './results.ts';

/** What a suite needs that a machine may not have, and how one says where it is. */
const NEEDS = {
  postgres: { variable: 'WOOSTER_TEST_STORE_URL', what: 'a PostgreSQL server on which homes may be made' },
  sets: { variable: 'BENCH_SETS', what: 'a folder of test collections (see bench/rag/README.md)' },
} as const;

/** Longer than this no suite takes on a quiet machine, by far. */
const LIMIT_MS = 15 * 60_000;

/** Run one suite in a process of its own. Its words are those of the whole run unless others are given. */
export async function runSuite(suite: Suite, words: readonly string[] = []): Promise<SuiteReport> {
  const begun = { name: suite.name, at: new Date().toISOString(), commit: currentCommit() };
  const need = suite.needs && NEEDS[suite.needs];
  const there = need && process.env[need.variable];
  if (need && !there) return { ...begun, seconds: 0, lines: [], skipped: `it needs ${need.what} in ${need.variable}` };
  const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-report-'));
  try {
    const path = join(dir, 'figures.json');
    const [started, before] = [performance.now(), processorTimes()];
    const chosen =
      words.length > 0 ? words : [...(suite.needs === 'sets' ? [there ?? ''] : []), ...(suite.words ?? [])];
    const failed = await run(suite, chosen, path);
    const seconds = (performance.now() - started) / 1000;
    const others = othersShare(before, processorTimes());
    const figures = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Figure[]) : [];
    const lines = linesOf(figures, others);
    const ended = failed ?? (figures.length === 0 ? 'it reported nothing' : undefined);
    return {
      ...{ ...begun, seconds, lines },
      ...(others === undefined ? {} : { othersShare: others }),
      ...(ended === undefined ? {} : { failed: ended }),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @returns what went wrong. What the suite says goes to stderr, so that stdout has the results alone. */
async function run(suite: Suite, words: readonly string[], path: string): Promise<string | undefined> {
  const flags = ['--disable-warning=ExperimentalWarning', ...(suite.flags ?? [])];
  const env = { ...process.env, [REPORT_VARIABLE]: path };
  const child = spawn(process.execPath, [...flags, join(ROOT, 'bench', suite.program), ...words], {
    ...{ cwd: ROOT, env },
    stdio: ['ignore', 2, 2],
    timeout: LIMIT_MS,
  });
  const stop = () => child.kill();
  process.once('exit', stop);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  process.off('exit', stop);
  return code === 0 ? undefined : `it ended with ${signal ?? code}`;
}

interface ProcessorTimes {
  readonly busy: number;
  readonly all: number;
  readonly ours: number;
}

/** Ticks of all processors, and of this process and the children that have ended; Linux alone says. */
function processorTimes(): ProcessorTimes | undefined {
  if (process.platform !== 'linux') return undefined;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...rest] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/u)
    .slice(1, 9)
    .map(Number);
  const own = (readFileSync('/proc/self/stat', 'utf8').split(') ')[1] ?? '').split(' ');
  const busy = user + nice + system + rest.reduce((sum, each) => sum + each, 0);
  // utime, stime, cutime, cstime.
  return { busy, all: busy + idle + wait, ours: own.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) };
}

function othersShare(before: ProcessorTimes | undefined, after: ProcessorTimes | undefined): number | undefined {
  if (!before || !after || after.all === before.all) return undefined;
  const others = after.busy - before.busy - (after.ours - before.ours);
  return Math.max(0, others) / (after.all - before.all);
}
