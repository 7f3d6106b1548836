/** What `bench/workers.ts` and `scripts/store-faults.ts` need: a home with due jobs, programs, and a line to the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import type { Scheduler } from '../src/scheduler/contract.ts';
import { createScheduler } from '../src/scheduler/scheduler.ts';
import type { Store } from '../src/store/store.ts';

const PROGRAM = join(import.meta.dirname, 'worker-program.ts');

/** One line of the table: a bar, and whether it holds. */
export interface Bar {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly ok: boolean;
}

export function show(bars: readonly Bar[]): void {
  for (const { what, measured, limit, ok } of bars)
    console.log(`${what.padEnd(52)} ${measured.padStart(16)}  ${limit.padStart(14)}  ${ok ? 'ok' : 'MISSED'}`);
}

/** The server to measure on. */
export function serverUrl(): string {
  const url = process.env.WOOSTER_TEST_STORE_URL;
  if (!url) throw new Error('Set WOOSTER_TEST_STORE_URL to a PostgreSQL server on which homes may be left behind.');
  return url;
}

export const newHome = () => `bench-${randomUUID()}`;

/** A connection beside the product's own, with the table of effects. */
export async function direct(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A server that ends says so on idle connections too; a query that needs it fails by itself.
  client.on('error', () => {});
  await client.connect();
  await client.query(`create table if not exists bench_effects (home text, run text, program int, at float8)`);
  await client.query('create index if not exists bench_effects_run on bench_effects (home, run)');
  return client;
}

/** A scheduler that only enters jobs. */
export function idleScheduler(store: Store): Scheduler {
  return createScheduler({
    store,
    clock: systemClock,
    log: silentLog,
    timeZone: 'UTC',
    hasEffects: async () => true,
    onDue: async () => ({ state: 'failed', output: '' }),
    notices: { post: async () => {}, advance: async () => {} },
  });
}

/** Add jobs that are due in an hour. */
export async function addJobs(store: Store, count: number): Promise<void> {
  const scheduler = idleScheduler(store);
  const job = { when: 'in 1 hour', prompt: 'x', project: 'home', untrusted: false };
  await store.transaction(async () => {
    for (let n = 0; n < count; n++) await scheduler.add(job);
  });
}

/** Those that never ran are due now. @returns the server's time, in seconds. */
export async function makeDue(client: Client, home: string): Promise<number> {
  const now = new Date().toISOString();
  const without = 'not exists (select from runs where runs.schedule_id = schedules.id)';
  await client.query(`update schedules set next_run_utc = $2 where home = $1 and ${without}`, [home, now]);
  // As the server does by itself within a minute; a home that has just grown is planned for as an empty one.
  await client.query('analyze schedules');
  return secondsNow(client);
}

export async function secondsNow(client: Client): Promise<number> {
  const { rows } = await client.query('select extract(epoch from clock_timestamp())::float8 as now');
  return Number(rows[0]?.now);
}

export interface Program {
  readonly pid: number;
  start(): void;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Other programs on a home, ready to begin. */
export async function programs(
  count: number,
  { url, home, mode = 'hints' }: { url: string; home: string; mode?: string },
) {
  return Promise.all(Array.from({ length: count }, () => program(url, home, mode)));
}

async function program(url: string, home: string, mode: string): Promise<Program> {
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', PROGRAM, url, home, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_DIRECT_URL: serverUrl() },
  });
  const ended = once(child, 'close');
  process.once('exit', () => child.kill('SIGKILL'));
  if (child.stdout) await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    start: () => void child.stdin?.write('start\n'),
    async kill(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** Wait until so many runs of the home are in one of the states. @returns false when that takes too long. */
export async function ended(client: Client, home: string, { count, withinMs }: { count: number; withinMs: number }) {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const { rows } = await client.query(
      "select count(*)::int as n from runs where home = $1 and state not in ('due', 'claimed', 'running')",
      [home],
    );
    if (rows[0]?.n >= count) return true;
    await sleep(50);
  }
  return false;
}

/** Effects by program, and how many runs had more than one. */
export async function effectsOf(client: Client, home: string) {
  const { rows: shares } = await client.query<{ program: number; n: number }>(
    'select program, count(*)::int as n from bench_effects where home = $1 group by program',
    [home],
  );
  const { rows: twice } = await client.query(
    'select run from bench_effects where home = $1 group by run having count(*) > 1',
    [home],
  );
  const { rows: last } = await client.query('select max(at)::float8 as at from bench_effects where home = $1', [home]);
  return { shares: shares.map(({ n }) => n), twice: twice.length, last: Number(last[0]?.at) };
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
