import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { getQuickJS } from 'quickjs-emscripten';
import { silentLog } from '../src/base/log.ts';
import type { ScriptOptions } from '../src/sandbox/contract.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';

/**
 * Scripts against the targets of the sandbox. Ratios, memory and files decide the exit code; times are printed with
 * their targets, but they are those of an idle machine.
 *
 * The parent's memory was watched over 3,000 scripts, a line each 250: RSS 98.7 MB before the first, 106.0 after 250,
 * 105.4 after 3,000, the heap at 7.5 MB from 750 on. With MALLOC_ARENA_MAX=1 it was 92.8 before and 95.4 after 3,000. So
 * what RSS gains in the first hundreds of scripts is glibc's arenas, one for each thread that allocates, and no leak. Here,
 * behind the other measurements, it gains in one or two steps of 10 to 20 MB and does not grow with the number of scripts:
 * -2.7 MB over 400, +18.6 over 1,000, +16.8 over 2,400. The bar of 20 is therefore near, and stays.
 */

const SCRIPTS = Number(process.argv[2] ?? 1000);
const ROUNDS = 15;
const COMPUTE = `
  const rows = Array.from({ length: 20000 }, (_, i) => ({ id: (i * 7919) % 20011, name: 'row ' + i }));
  rows.sort((a, b) => a.id - b.id);
  JSON.stringify(JSON.parse(JSON.stringify(rows))).length;`;

const options: ScriptOptions = {
  functions: [
    { name: 'now', kind: 'value', tool: true },
    { name: 'wait', kind: 'value', tool: true },
  ],
  bridge: {
    call: async (name) => {
      if (name === 'wait') await delay(5);
      return { ok: true, value: 1 };
    },
    log: () => {},
  },
  signal: new AbortController().signal,
};

const warm = createSandbox({ log: silentLog, poolSize: 1 });
const cold = createSandbox({ log: silentLog, poolSize: 0 });

async function run(source: string, sandbox = warm): Promise<number> {
  const started = performance.now();
  const { failed } = await sandbox.run(source, { ...options, limits: { maxCalls: 2000 } });
  if (failed) throw new Error(failed.message);
  return performance.now() - started;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Run and give the pool the time to have the next child ready, as a model's thinking does. */
async function spaced(source: string, rounds = ROUNDS): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    await warm.warm();
    times.push(await run(source));
  }
  return times;
}

async function quickJs(): Promise<number[]> {
  const engine = await getQuickJS();
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const context = engine.newContext();
    const started = performance.now();
    context.unwrapResult(context.evalCode(COMPUTE)).dispose();
    times.push(performance.now() - started);
    context.dispose();
  }
  return times;
}

async function manyScripts(): Promise<{ heapMb: number; rssMb: number; files: number; blockedMs: number }> {
  const files = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  // V8 lets its young generation grow at first; what counts is whether memory still grows after that.
  for (let i = 0; i < SCRIPTS / 2; i++) await run('1');
  await delay(500);
  globalThis.gc?.();
  const before = { ...process.memoryUsage(), files: files() };
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  for (let i = 0; i < SCRIPTS; i++) await run('now()');
  loop.disable();
  await delay(500);
  globalThis.gc?.();
  const after = process.memoryUsage();
  return {
    heapMb: (after.heapUsed - before.heapUsed) / 2 ** 20,
    rssMb: (after.rss - before.rss) / 2 ** 20,
    files: files() - before.files,
    blockedMs: loop.percentile(99) / 1e6,
  };
}

const rows: { what: string; value: string; target: string; ok: boolean; decides: boolean }[] = [];
const row = (what: string, value: number, unit: string, target: string, ok: boolean) =>
  rows.push({ what, value: `${value.toFixed(2)} ${unit}`.trim(), target, ok, decides: unit !== 'ms' });

// A child that waits for work does not keep a program alive; this one only waits for it.
const alive = setInterval(() => {}, 1000);
await run('1');
const hits: number[] = [];
const misses: number[] = [];
for (let i = 0; i < ROUNDS; i++) {
  hits.push(...(await spaced('1 + 1', 1)));
  misses.push(await run('1 + 1', cold));
}
const hit = quantile(hits, 0.5);
const miss = quantile(misses, 0.5);
row('pool hit to result, p50', hit, 'ms', '<= 5 ms', hit <= 5);
row('cold child to result, p50', miss, 'ms', '', true);
row('cold : pool hit', miss / hit, '', '>= 10', miss / hit >= 10);

const fan = quantile(await spaced('await Promise.all(Array.from({ length: 50 }, () => wait()))'), 0.5);
row('50 tools of 5 ms in Promise.all, p50', fan, 'ms', '<= 25 ms', fan <= 25);

const calls = await spaced('for (let i = 0; i < 500; i++) await now();', 5);
const perCall = (quantile(calls, 0.5) - hit) / 500;
row('one awaited call through the bridge', perCall, 'ms', '<= 0.25 ms', perCall <= 0.25);
const blocking = (quantile(await spaced('[...Array(500)].forEach(() => { now(); });', 5), 0.5) - hit) / 500;
row('one blocking call through the bridge', blocking, 'ms', '<= 0.25 ms', blocking <= 0.25);

const ours = quantile(await spaced(COMPUTE), 0.5) - hit;
const theirs = quantile(await quickJs(), 0.5);
row('sort and JSON of 20,000 rows', ours, 'ms', '', true);
row('the same in quickjs-emscripten', theirs, 'ms', '', true);
row('quickjs : ours', theirs / ours, '', '>= 1', theirs >= ours);

const many = await manyScripts();
row(`${SCRIPTS} scripts: parent's heap grew by`, many.heapMb, 'MB', '<= 2 MB', many.heapMb <= 2);
row(`${SCRIPTS} scripts: parent's memory grew by`, many.rssMb, 'MB', '<= 20 MB', many.rssMb <= 20);
row(`${SCRIPTS} scripts: open files grew by`, many.files, '', '<= 2', many.files <= 2);
row("parent's event loop blocked, p99", many.blockedMs, 'ms', '<= 50 ms', many.blockedMs <= 50);

for (const { what, value, target, ok } of rows) {
  console.log(
    `${what.padEnd(46)} ${value.padStart(12)}   ${target.padEnd(10)} ${target === '' ? '' : ok ? 'ok' : 'MISSED'}`,
  );
}
clearInterval(alive);
await warm.close();
await cold.close();
process.exitCode = rows.every(({ ok, decides }) => ok || !decides) ? 0 : 1;
