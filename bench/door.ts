/**
 * What the door over HTTP costs: `npm run bench -- door [RUNS]`. Starts of `serve` with the door and without it, in turn;
 * how soon a turn shows itself; and how soon the page is painted on a filled home, against an empty page of the same
 * server.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openPageScene } from '../src/testing/page-browser.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave } from './harness/statistics.ts';

const WOOSTER = join(ROOT, 'bin/wooster');
/** Seconds until the memory of a program that serves is read. */
const REST_S = 4;
const TURNS = 30;
const runs = Number(process.argv[2] ?? 9);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const env = { PATH: process.env.PATH, HOME: home, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false' };

interface Started {
  readonly child: ChildProcess;
  readonly ms: number;
  /** All that it printed. */
  readonly shown: string;
}

/** Until it says that it serves. */
async function started(...words: readonly string[]): Promise<Started> {
  const began = performance.now();
  const child = spawn(WOOSTER, ['serve', '--json', ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let shown = '';
  while (!shown.includes('"serving":true')) shown += String((await once(child.stdout, 'data'))[0]);
  return { child, shown, ms: performance.now() - began };
}

async function ended({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const DOOR = ['--http', '127.0.0.1:0'] as const;

async function startOf(...words: readonly string[]): Promise<number> {
  const served = await started(...words);
  await ended(served);
  return served.ms;
}

async function memoryOf(...words: readonly string[]): Promise<number> {
  const served = await started(...words);
  await sleep(REST_S * 1000);
  const size = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${served.child.pid}/status`, 'utf8'))?.[1];
  await ended(served);
  return Number(size) / 1024;
}

/** Milliseconds from a request to the event that tells of its turn, read from the one stream of all. */
async function turnsShown(): Promise<readonly number[]> {
  const served = await started(...DOOR);
  const { url } = JSON.parse(served.shown.split('\n')[0] ?? '{}') as { url: string };
  const words = ['pair', '--token', '--name', 'bench', '--scopes', 'api,read', '--json'];
  const { token } = JSON.parse(spawnSync(WOOSTER, words, { env, encoding: 'utf8' }).stdout) as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const stream = await fetch(`${url}/api/events`, { headers });
  const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const until = async (text: string) => {
    for (let seen = ''; !seen.includes(text); ) seen += (await reader.read()).value ?? text;
    return performance.now();
  };
  const took: number[] = [];
  for (let at = 0; at < TURNS; at += 1) {
    const began = performance.now();
    const shown = until('event: turn');
    await fetch(`${url}/api/turns`, { method: 'POST', headers, body: '{"text": "what is 2 + 2?"}' });
    took.push((await shown) - began);
    await sleep(200);
  }
  await reader.cancel();
  await ended(served);
  return took.slice(TURNS / 6);
}

/** Milliseconds until something is painted. */
async function painted(page: Page, url: string): Promise<number> {
  await page.goto(url);
  const first = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? false,
  );
  return Number(await first.jsonValue());
}

/** The page, and an empty one, each as a browser has it that was here before. */
async function paints() {
  const scene = await openPageScene();
  try {
    const own = await scene.enter();
    const page = await own.context.newPage();
    await page.route('**/empty', async (route) => {
      const response = await route.fetch({ url: `${scene.url}/healthz` });
      await route.fulfill({ response, contentType: 'text/html', body: '<!doctype html><p>Empty.</p>' });
    });
    return await interleave(
      { empty: () => painted(page, `${scene.url}/empty`), today: () => painted(page, `${scene.url}/today`) },
      { rounds: runs },
    );
  } finally {
    await scene.end();
  }
}

try {
  const start = await interleave({ without: () => startOf(), with: () => startOf(...DOOR) }, { rounds: runs });
  const rounds = Math.min(runs, 3);
  const memory = await interleave({ without: () => memoryOf(), with: () => memoryOf(...DOOR) }, { rounds, warm: 0 });
  const more = memory.with.map((size, at) => size - (memory.without[at] ?? Number.NaN));
  const turns = await turnsShown();
  const paint = await paints();
  report([
    { what: 'serve without the door', unit: 'ms', samples: start.without },
    { what: 'serve with the door', unit: 'ms', samples: start.with, against: 'serve without the door', must: 1.3 },
    { what: `memory without the door after ${REST_S} s`, unit: 'MB', samples: memory.without },
    { what: 'more memory with the door', unit: 'MB', kind: 'count', samples: more, must: 30 },
    { what: 'from a request to the event of its turn', unit: 'ms', samples: turns, must: 15 },
    { what: 'first paint of an empty page', unit: 'ms', samples: paint.empty },
    {
      what: 'first paint of Today',
      unit: 'ms',
      samples: paint.today,
      against: 'first paint of an empty page',
      must: 3,
    },
  ]);
} finally {
  rmSync(home, { recursive: true, force: true });
}
