/** The scheduler against its promises. `npm run bench:scheduler`; prints a table, exits with 1 when one is broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import type { Scheduler } from '../src/scheduler/contract.ts';
import { createScheduler } from '../src/scheduler/scheduler.ts';
import { openStore, type Store } from '../src/store/store.ts';

const JOBS = 10_000;
const AT_ONCE = 100;
const IDLE_MS = 20_000;
const ZONES = Intl.supportedValuesOf('timeZone');

interface Promised {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly ok: boolean;
}

interface Opened {
  readonly store: Store;
  readonly scheduler: Scheduler;
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const path = join(dir, 'state.sqlite3');
const table: Promised[] = [];
const lateMs: number[] = [];

try {
  const emptyMb = memoryMb();
  table.push(await adding());
  const { store, scheduler, row } = await starting();
  table.push(row, await idling(), memory(emptyMb));
  table.push(await running(scheduler));
  await scheduler.stop();
  await store.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
for (const { what, measured, limit, ok } of table) {
  console.log(`${what.padEnd(44)} ${measured.padStart(12)}  ${limit.padStart(12)}  ${ok ? 'ok' : 'BROKEN'}`);
}
process.exit(table.every((row) => row.ok) ? 0 : 1);

async function open(): Promise<Opened> {
  const store = await openStore(path);
  const scheduler = createScheduler({
    store,
    clock: systemClock,
    log: silentLog,
    timeZone: 'Europe/Oslo',
    hasEffects: async () => false,
    onDue: async (run) => {
      lateMs.push(Date.now() - run.scheduledFor.getTime());
      return { state: 'succeeded', output: '[SILENT]' };
    },
    onNotice: async () => 'sent',
  });
  return { store, scheduler };
}

async function adding(): Promise<Promised> {
  const { store, scheduler } = await open();
  const patterns = ['every weekday at 9', '30 18 * * 5', 'every 2 days', 'every month on the 1st at 10', '15 4 1 * *'];
  const took: number[] = [];
  for (let n = 0; n < JOBS; n++) {
    const timeZone = ZONES[(n * 7) % 40];
    const started = performance.now();
    await scheduler.add({
      when: patterns[n % 5] ?? '',
      prompt: `job ${n}`,
      timeZone,
      project: 'home',
      untrusted: false,
    });
    took.push(performance.now() - started);
  }
  await scheduler.stop();
  await store.close();
  return promise(`add, one of ${JOBS} (median)`, { value: percentile(took, 50), limit: 1, unit: 'ms' });
}

async function starting(): Promise<Opened & { readonly row: Promised }> {
  const started = performance.now();
  const opened = await open();
  const { scheduler } = opened;
  await scheduler.start();
  await scheduler.tick();
  const tookMs = performance.now() - started;
  return { ...opened, row: promise(`start with ${JOBS} jobs`, { value: tookMs, limit: 1000, unit: 'ms' }) };
}

async function idling(): Promise<Promised> {
  const before = process.cpuUsage();
  await delay(IDLE_MS);
  const { user, system } = process.cpuUsage(before);
  return promise('idle CPU', { value: ((user + system) / 1000 / IDLE_MS) * 100, limit: 1, unit: '%' });
}

function memory(emptyMb: number): Promised {
  return promise('memory above the empty program', { value: memoryMb() - emptyMb, limit: 60, unit: 'MB' });
}

async function running(scheduler: Scheduler): Promise<Promised> {
  const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5000).toISOString();
  for (let n = 0; n < AT_ONCE; n++) {
    await scheduler.add({ when: at, prompt: `now ${n}`, project: 'home', untrusted: false });
  }
  for (let waited = 0; lateMs.length < AT_ONCE && waited < 30_000; waited += 100) await delay(100);
  const what = `${lateMs.length} runs due in one second, lateness p99`;
  return promise(what, {
    value: lateMs.length < AT_ONCE ? Number.POSITIVE_INFINITY : percentile(lateMs, 99),
    limit: 1000,
    unit: 'ms',
  });
}

function promise(what: string, { value, limit, unit }: { value: number; limit: number; unit: string }): Promised {
  return { what, measured: `${value.toFixed(2)} ${unit}`, limit: `<= ${limit} ${unit}`, ok: value <= limit };
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

function memoryMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}
