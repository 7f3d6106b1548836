/**
 * How late jobs start when few workers serve many homes, on a PostgreSQL server: `npm run bench -- homes`.
 * Options: `--homes 10,50,200 --jobs 100 --workers 4 --seconds 240 --slots 16`. Makes homes called `bench-...` and
 * deletes their rows at the end. The server is that of WOOSTER_TEST_STORE_URL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { removeHome } from '../src/store/homes.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { idleScheduler } from '../src/testing/idle-scheduler.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';

const LATE_LIMIT_MS = 2000;
const OPENING_LIMIT_MS = 600_000;

const { values: flags } = parseArgs({
  options: {
    homes: { type: 'string', default: '10,50,200' },
    jobs: { type: 'string', default: '100' },
    workers: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '240' },
    slots: { type: 'string', default: '16' },
  },
});
const url = process.env.WOOSTER_TEST_STORE_URL ?? '';
if (url === '') throw new Error('Set WOOSTER_TEST_STORE_URL to a PostgreSQL server on which homes may be made.');
const [jobs, workers, seconds] = [Number(flags.jobs), Number(flags.workers), Number(flags.seconds)];

interface Measured {
  readonly homes: number;
  readonly runs: number;
  readonly lost: number;
  readonly twice: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** 99th percentile of the home that had to wait longest. */
  readonly worstHome: number;
  readonly openedMs: number;
  readonly idleMB: number;
  readonly idlePercent: number;
}

const results: Measured[] = [];
for (const homes of flags.homes.split(',').map(Number)) results.push(await measure(homes));
report(results.flatMap(figuresOf));
process.exit();

function figuresOf(one: Measured): Figure[] {
  const named = (what: string) => `${one.homes} homes: ${what}`;
  return [
    { what: named('runs lost'), unit: 'runs', samples: [one.lost], must: 0 },
    { what: named('runs twice'), unit: 'runs', samples: [one.twice], must: 0 },
    { what: named('lateness'), unit: 'ms', samples: [one.p50] },
    { what: named('lateness, p99'), unit: 'ms', samples: [one.p99], must: LATE_LIMIT_MS },
    { what: named('lateness, p99 of the latest home'), unit: 'ms', samples: [one.worstHome] },
    { what: named('opening'), unit: 'ms', samples: [one.openedMs] },
    { what: named('memory of an idle worker'), unit: 'MB', samples: [one.idleMB] },
    { what: named('processor time of an idle worker'), unit: '%', samples: [one.idlePercent] },
  ];
}

/** Serve so many homes, give each its jobs at times spread over the seconds, and read from the rows when each ran. */
async function measure(homes: number): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-homes-'));
  const ids = Array.from({ length: homes }, (_, nth) => `bench-${process.pid}-${homes}-${nth}`);
  for (const id of ids) await withHome(id, async () => {});
  const started = performance.now();
  const children = Array.from({ length: workers }, (_, nth) => startWorker(join(dir, `worker-${nth}`), dir, ids));
  try {
    await Promise.all(children.map(ready));
    const openedMs = Math.round(performance.now() - started);
    const idle = await idling(children);
    const from = Date.now() + 5000 + homes * (500 + jobs * 5);
    await Promise.all(
      [0, 1, 2, 3].map((lane) =>
        addJobs(
          ids.filter((_, nth) => nth % 4 === lane),
          from,
        ),
      ),
    );
    if (Date.now() > from) console.error(`adding took ${Date.now() - from} ms too long`);
    await sleep(Math.max(0, from - Date.now()) + seconds * 1000 + 10_000);
    const measured = { ...(await outcome(ids)), homes, openedMs, ...idle };
    console.log(JSON.stringify(measured));
    return measured;
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map((child) => child.exitCode ?? new Promise((done) => child.once('exit', done))));
    for (const id of ids) await withHome(id, removeHome);
    rmSync(dir, { recursive: true, force: true });
  }
}

function startWorker(home: string, homesDir: string, ids: readonly string[]): ChildProcess {
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH,
    WOOSTER_STORE_URL: url,
    WOOSTER_HOME_ID: `bench-${process.pid}-serving`,
    WOOSTER_HOMES_DIR: join(homesDir, 'homes'),
    WOOSTER_WORKER_SLOTS: flags.slots,
  };
  const words = ['src/main.ts', 'serve', '--homes', ids.join(','), '--home', home, '--json'];
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('no output to read');
  const timer = setTimeout(() => child.kill(), OPENING_LIMIT_MS);
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"serving"')) break;
  clearTimeout(timer);
  child.stdout.resume();
}

/** Memory and processor time of one worker that has nothing to do. */
async function idling(children: readonly ChildProcess[]): Promise<{ idleMB: number; idlePercent: number }> {
  await sleep(3000);
  const pids = children.flatMap(({ pid }) => pid ?? []);
  const before = pids.map(ticksOf);
  await sleep(10_000);
  const ticks = pids.map((pid, nth) => ticksOf(pid) - (before[nth] ?? 0));
  const pages = Number(readFileSync(`/proc/${pids[0]}/statm`, 'utf8').split(' ')[1]);
  const average = ticks.reduce((sum, each) => sum + each, 0) / ticks.length;
  return { idleMB: Math.round((pages * 4096) / 1e6), idlePercent: Math.round(average * 10) / 100 };
}

/** Hundredths of a second of processor time. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

async function addJobs(ids: readonly string[], from: number): Promise<void> {
  for (const id of ids) {
    await withHome(id, async (store) => {
      const scheduler = idleScheduler(store);
      await store.transaction(async () => {
        for (let left = jobs; left > 0; left--) {
          const when = new Date(from + Math.random() * seconds * 1000).toISOString();
          // A plain message, not sent: what is measured is the scheduler.
          const options = { verbatim: true };
          await scheduler.add({ when, prompt: '[SILENT]', project: 'home', untrusted: false, options });
        }
      });
    });
  }
}

async function outcome(ids: readonly string[]) {
  const late = new Map<string, number[]>();
  let twice = 0;
  for (const id of ids) {
    await withHome(id, async (store) => {
      const rows = await sql<{ scheduled_for: string; started_at: string; attempt: number }>`
        select scheduled_for, started_at, attempt from runs where state = 'succeeded'`.execute(store.db);
      late.set(
        id,
        rows.rows.map((row) => Date.parse(row.started_at) - Date.parse(row.scheduled_for)),
      );
      twice += rows.rows.filter((row) => row.attempt > 1).length;
    });
  }
  const all = [...late.values()].flat();
  return {
    ...{ runs: all.length, lost: ids.length * jobs - all.length, twice },
    ...{ p50: percentile(all, 50), p99: percentile(all, 99), worst: percentile(all, 100) },
    worstHome: Math.max(...[...late.values()].map((each) => percentile(each, 99))),
  };
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

async function withHome(home: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ kind: 'postgres', url, home, pool: 4 });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
