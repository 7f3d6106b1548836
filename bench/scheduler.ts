/** The scheduler against its promises. `npm run bench -- scheduler` */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import type { Scheduler } from '../src/scheduler/contract.ts';
import { createScheduler } from '../src/scheduler/scheduler.ts';
import { openStore, type Store } from '../src/store/store.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { quantile } from './harness/statistics.ts';

const JOBS = 10_000;
const AT_ONCE = 100;
const IDLE_MS = 20_000;
const ZONES = Intl.supportedValuesOf('timeZone');

interface Opened {
  readonly store: Store;
  readonly scheduler: Scheduler;
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const path = join(dir, 'state.sqlite3');
const table: Figure[] = [];
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
report(table);

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
    notices: { post: async () => {}, advance: async () => {} },
  });
  return { store, scheduler };
}

async function adding(): Promise<Figure> {
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
  return { what: `add, one of ${JOBS}`, unit: 'ms', samples: took, must: 1 };
}

async function starting(): Promise<Opened & { readonly row: Figure }> {
  const started = performance.now();
  const opened = await open();
  const { scheduler } = opened;
  await scheduler.start();
  await scheduler.tick();
  const tookMs = performance.now() - started;
  return { ...opened, row: { what: `start with ${JOBS} jobs`, unit: 'ms', samples: [tookMs], must: 1000 } };
}

async function idling(): Promise<Figure> {
  const before = process.cpuUsage();
  await delay(IDLE_MS);
  const { user, system } = process.cpuUsage(before);
  return { what: 'idle CPU', unit: '%', samples: [((user + system) / 1000 / IDLE_MS) * 100], must: 1 };
}

function memory(emptyMb: number): Figure {
  return { what: 'memory above the empty program', unit: 'MB', samples: [memoryMb() - emptyMb], must: 60 };
}

async function running(scheduler: Scheduler): Promise<Figure> {
  const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5000).toISOString();
  for (let n = 0; n < AT_ONCE; n++) {
    await scheduler.add({ when: at, prompt: `now ${n}`, project: 'home', untrusted: false });
  }
  for (let waited = 0; lateMs.length < AT_ONCE && waited < 30_000; waited += 100) await delay(100);
  const late = lateMs.length < AT_ONCE ? Number.POSITIVE_INFINITY : quantile(lateMs, 0.99);
  return { what: `${AT_ONCE} runs due in one second, lateness p99`, unit: 'ms', samples: [late], must: 1000 };
}

function memoryMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}
