/**
 * What one worker is worth: `npm run bench -- worth`. One worker serves more and more homes of a PostgreSQL server; how
 * long it takes to open them, its memory and what it and the server do while nobody asks; then several homes are asked
 * at once over HTTP, of a model that replies at once and costs nothing, with one tool call per turn. Turns are told by
 * the worker's processor time, so that it does not matter what else the machine does. Options:
 * `--homes 1,30,100 --asked 8 --turns 25`. Makes homes called `bench-...` and deletes their rows at the end. The server
 * is that of WOOSTER_TEST_STORE_URL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Devices } from '../src/server/http/devices.ts';
import { removeHome } from '../src/store/homes.ts';
import { openStore, type Store } from '../src/store/store.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { type ChatRequest, type LoopbackModel, loopbackModel, type Reply } from './turn/server.ts';

const REST_S = 20;
const WARM_TURNS = 5;
const ANSWER = 'It is high at 14:05.';

const { values: flags } = parseArgs({
  options: {
    homes: { type: 'string', default: '1,30,100' },
    asked: { type: 'string', default: '8' },
    turns: { type: 'string', default: '25' },
  },
});
const url = process.env.WOOSTER_TEST_STORE_URL ?? '';
if (url === '') throw new Error('Set WOOSTER_TEST_STORE_URL to a PostgreSQL server on which homes may be made.');
const sizes = flags.homes.split(',').map(Number);
const turns = Number(flags.turns);

await using model = await loopbackModel(reply);
const measured: Worth[] = [];
for (const size of sizes) measured.push(await worthOf(size, model));
report([...measured.flatMap(figuresOf), perHome(measured)]);
process.exit();

interface Worth {
  readonly homes: number;
  readonly openedMs: number;
  readonly openedCpuMs: number;
  readonly restMB: number;
  readonly restPercent: number;
  readonly statements: number;
  readonly turnCpuMs: number;
  readonly turnsPerSecond: number;
}

function figuresOf(one: Worth): Figure[] {
  const named = (what: string) => `${one.homes} homes: ${what}`;
  return [
    { what: named('opening, each'), unit: 'ms', samples: [one.openedMs / one.homes] },
    { what: named('opening, each, CPU'), unit: 'ms', kind: 'cpu', samples: [one.openedCpuMs / one.homes] },
    { what: named('memory at rest'), unit: 'MB', samples: [one.restMB] },
    { what: named('processor time at rest'), unit: '%', samples: [one.restPercent] },
    { what: named('transactions at rest per second'), unit: 'transactions', samples: [one.statements] },
    { what: named('a turn over HTTP, CPU'), unit: 'ms', kind: 'cpu', samples: [one.turnCpuMs] },
    {
      ...{ what: named('turns per second and core'), unit: 'turns', kind: 'cpu', better: 'more' },
      samples: [1000 / one.turnCpuMs],
      note: `${one.turnsPerSecond.toFixed(1)} per second were answered`,
    },
  ];
}

/** Between the fewest and the most homes. */
function perHome(all: readonly Worth[]): Figure {
  const [first, last] = [all[0], all.at(-1)];
  const more = (last?.homes ?? 0) - (first?.homes ?? 0);
  const samples = [((last?.restMB ?? 0) - (first?.restMB ?? 0)) / more];
  return { what: 'memory of each further home', unit: 'MB', samples };
}

async function worthOf(homes: number, asked: LoopbackModel): Promise<Worth> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-worth-'));
  const ids = Array.from({ length: homes }, (_, nth) => `bench-${process.pid}-${homes}-${nth}`);
  const tokens = new Map<string, string>();
  for (const [nth, id] of ids.entries())
    await withHome(id, async (store) => {
      if (nth < Number(flags.asked))
        tokens.set(id, (await new Devices(store, { home: id }).issue('bench', ['openai'])).token);
      furnish(join(dir, 'homes', id), asked.url);
    });
  const worker = startWorker(dir, ids);
  try {
    const opened = await serving(worker);
    const openedCpuMs = cpuMs(worker);
    const rest = await resting(worker);
    console.error(JSON.stringify({ homes, openedMs: opened.ms, openedCpuMs, ...rest }));
    const turn = await answering(worker, opened.url, [...tokens.values()]);
    return { homes, openedMs: opened.ms, openedCpuMs, ...rest, ...turn };
  } finally {
    worker.kill('SIGTERM');
    if (worker.exitCode === null) await once(worker, 'exit');
    for (const id of ids) await withHome(id, removeHome);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A home that asks the model of this program. */
function furnish(folder: string, modelUrl: string): void {
  mkdirSync(folder, { recursive: true });
  const lines = [`OPENAI_BASE_URL=${modelUrl}`, 'OPENAI_MODEL_NAME=bench', 'OPENAI_API_KEY=sk-bench'];
  writeFileSync(join(folder, '.env'), [...lines, 'ROUTING_LOCAL_ENABLED=false', ''].join('\n'));
}

function reply({ messages }: ChatRequest): Reply {
  if (messages.at(-1)?.role === 'tool') return { text: ANSWER };
  return { calls: [{ name: 'current_time', input: {} }] };
}

function startWorker(dir: string, ids: readonly string[]): ChildProcess {
  const home = join(dir, 'worker');
  mkdirSync(home);
  const own = { WOOSTER_HOME_ID: `bench-${process.pid}-serving`, WOOSTER_HOMES_DIR: join(dir, 'homes') };
  const env = { PATH: process.env.PATH, HOME: home, WOOSTER_STORE_URL: url, ...own };
  const words = ['serve', '--homes', ids.join(','), '--http', '127.0.0.1:0', '--home', home, '--json'];
  return spawn(join(ROOT, 'bin/wooster'), words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Until all homes are open. */
async function serving(worker: ChildProcess): Promise<{ readonly url: string; readonly ms: number }> {
  const began = performance.now();
  if (!worker.stdout) throw new Error('no output to read');
  for await (const line of createInterface({ input: worker.stdout })) {
    if (!line.includes('"serving"')) continue;
    worker.stdout.resume();
    return { url: (JSON.parse(line) as { url: string }).url, ms: performance.now() - began };
  }
  throw new Error('the worker ended');
}

async function resting(worker: ChildProcess) {
  await sleep(5000);
  const before = { cpuMs: cpuMs(worker), committed: await committed() };
  await sleep(REST_S * 1000);
  const restPercent = (cpuMs(worker) - before.cpuMs) / (REST_S * 10);
  const statements = ((await committed()) - before.committed) / REST_S;
  const pages = Number(readFileSync(`/proc/${worker.pid}/statm`, 'utf8').split(' ')[1]);
  return { restMB: (pages * 4096) / 1e6, restPercent, statements };
}

/** Every home asks as soon as it has its answer. */
async function answering(worker: ChildProcess, door: string, tokens: readonly string[]) {
  const all = (count: number) =>
    Promise.all(
      tokens.map(async (token) => {
        for (let turn = 0; turn < count; turn++) await ask(door, token);
      }),
    );
  await all(WARM_TURNS);
  const [began, before] = [performance.now(), cpuMs(worker)];
  await all(turns);
  const taken = turns * tokens.length;
  return {
    turnCpuMs: (cpuMs(worker) - before) / taken,
    turnsPerSecond: (taken * 1000) / (performance.now() - began),
  };
}

async function ask(door: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    model: 'wooster/home',
    messages: [{ role: 'user', content: 'When is the tide high?' }],
  });
  const response = await fetch(`${door}/v1/chat/completions`, { method: 'POST', headers, body });
  const said = await response.text();
  if (!said.includes(ANSWER)) throw new Error(`answered with ${response.status}: ${said.slice(0, 500)}`);
}

/** Processor time that the worker has taken, its threads included. */
function cpuMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Transactions of the database so far. */
async function committed(): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

async function withHome(home: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ kind: 'postgres', url, home, pool: 2 });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
