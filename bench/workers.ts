/**
 * Several programs on one PostgreSQL home against the promises. `npm run bench -- workers [JOBS]`. Wants WOOSTER_TEST_STORE_URL.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { openStore } from '../src/store/store.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import {
  addJobs,
  direct,
  effectsOf,
  ended,
  idleScheduler,
  makeDue,
  newHome,
  percentile,
  programs,
  secondsNow,
  serverUrl,
} from './workers-world.ts';

const [jobs = 5000, hints = 50] = process.argv.slice(2).map(Number);
const WORKERS = 4;
/** How long a worker may be silent before it counts as gone, and what is left to take its runs up. */
const LEASE_S = 30;
const TAKE_UP_S = 10;

const url = serverUrl();
const client = await direct(url);
const parts = [
  () => throughput(client),
  () => killed(client),
  () => waking(client, 'hints', 100),
  () => waking(client, 'mute', 1500),
];
const figures: Figure[] = [];
for (const part of parts) figures.push(...(await part()));
await client.end();
report(figures);
// Programs that were killed leave handles behind.
process.exit();

/** From the moment at which the jobs are due to the last effect. */
async function throughput(beside: Client): Promise<Figure[]> {
  const home = newHome();
  const store = await openStore({ kind: 'postgres', url, home });
  await addJobs(store, jobs);
  const workers = await programs(WORKERS, { url, home });
  const since = await makeDue(beside, home);
  for (const worker of workers) worker.start();
  const all = await ended(beside, home, { count: jobs, withinMs: 120_000 });
  const { shares, twice, last } = await effectsOf(beside, home);
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  await store.close();
  const perSecond = jobs / (last - since);
  const smallest = shares.length < WORKERS ? 0 : (Math.min(...shares) / jobs) * 100;
  return [
    bar(`${WORKERS} workers, ${jobs} due: jobs/s`, perSecond, { least: 500 }),
    bar('  ended', all ? jobs : -1, { least: jobs }),
    bar('  effects twice', twice, { most: 0 }),
    bar('  smallest share, %', smallest, { least: 15 }),
  ];
}

/** Two of four are killed in the middle of it. */
async function killed(beside: Client): Promise<Figure[]> {
  const home = newHome();
  const store = await openStore({ kind: 'postgres', url, home });
  await addJobs(store, jobs);
  const workers = await programs(WORKERS, { url, home });
  await makeDue(beside, home);
  for (const worker of workers) worker.start();
  await ended(beside, home, { count: jobs / 5, withinMs: 60_000 });
  await Promise.all(workers.slice(0, 2).map((worker) => worker.kill('SIGKILL')));
  const since = performance.now();
  const all = await ended(beside, home, { count: jobs, withinMs: 120_000 });
  const tookS = all ? (performance.now() - since) / 1000 : Number.POSITIVE_INFINITY;
  const { twice } = await effectsOf(beside, home);
  await Promise.all(workers.slice(2).map((worker) => worker.kill('SIGTERM')));
  await store.close();
  return [
    bar('kill -9 of 2 of 4: all ended after, s', tookS, { most: LEASE_S + TAKE_UP_S }),
    bar('  effects twice', twice, { most: 0 }),
  ];
}

/** A job is made to run now by one program, and another that is idle starts it. */
async function waking(beside: Client, mode: 'hints' | 'mute', most: number): Promise<Figure[]> {
  const home = newHome();
  const store = await openStore({ kind: 'postgres', url, home });
  const [worker] = await programs(1, { url, home, mode });
  worker?.start();
  await sleep(1500);
  const took: number[] = [];
  for (let n = 0; n < hints; n++) {
    await addJobs(store, 1);
    await sleep(Math.random() * 300);
    const since = await enterRun(beside, home, store);
    while (Number.isNaN((await effectsOf(beside, home)).last) || (await effectsOf(beside, home)).last < since)
      await sleep(5);
    took.push(((await effectsOf(beside, home)).last - since) * 1000);
  }
  await worker?.kill('SIGTERM');
  await store.close();
  return [bar(`insert -> start on an idle worker, ${mode}, p99, ms`, percentile(took, 99), { most })];
}

/** As `enterDue` in a program without a free place does it. @returns when it was done. */
async function enterRun(beside: Client, home: string, store: Awaited<ReturnType<typeof openStore>>): Promise<number> {
  const [job] = (await idleScheduler(store).list()).filter(({ next }) => next !== undefined);
  const since = await secondsNow(beside);
  await store.transaction(async () => {
    const row = { id: `run_${Math.random()}`, schedule_id: job?.id ?? '', reason: 'time' as const };
    const at = new Date().toISOString();
    await store.db
      .insertInto('runs')
      .values({ ...row, scheduled_for: at, state: 'due', exclusive: 0 })
      .execute();
    await store.wake.notify('runs');
  });
  await beside.query('update schedules set next_run_utc = null where home = $1', [home]);
  return since;
}

function bar(what: string, value: number, { least, most = 0 }: { least?: number; most?: number }): Figure {
  const kind = what.endsWith('s') ? ('wall' as const) : ('count' as const);
  const limit = least === undefined ? { must: most } : { must: least, better: 'more' as const };
  return { what: what.trim(), unit: '', kind, samples: [value], ...limit };
}
