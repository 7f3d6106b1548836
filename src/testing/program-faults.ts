import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import type { FaultRun } from './fault-lab.ts';
import { openTestStore } from './stores.ts';
import { type UndoWorld, undoWorld } from './undo-world.ts';

const CHILD = join(import.meta.dirname, 'confirming-child.ts');
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const WRITES = 'pwrite64,fsync,fdatasync,rename,ftruncate';
/** What each program does, unless it is stopped. */
const EFFECTS = 9;
const LONGEST_MS = 300_000;
const HOUR_S = 3600;
/** Between the system calls that fail, counted in each thread. */
const EIO_STEP = 2;

/** What goes wrong with whole programs, and how often `npm run faults` makes it go wrong. */
export const PROGRAM_FAULTS = {
  'SIGKILL at some moment': { runs: 60, programs: 1 },
  'SIGSTOP for minutes, another program at work': { runs: 20, programs: 2 },
  'clock jumps': { runs: 20, programs: 1 },
  'two programs on one home': { runs: 50, programs: 2 },
  'four programs on one home': { runs: 35, programs: 4 },
  'EIO of a system call': { runs: 80, programs: 1 },
} as const;
export type ProgramFault = keyof typeof PROGRAM_FAULTS;

export interface ProgramRun extends Pick<FaultRun, 'broken' | 'unknown'> {
  readonly fault: ProgramFault;
  readonly run: number;
  readonly confirmed: number;
  /** The texts that something is wrong with. */
  readonly texts: readonly string[];
}

/** Whether what a fault is made with is there. */
export function canTry(fault: ProgramFault): boolean {
  if (fault === 'clock jumps') return existsSync(FAKETIME);
  return fault !== 'EIO of a system call' || existsSync('/usr/bin/strace');
}

/** @param run from 0: which moment, jump or write it is. @param stopMs how long a program is stopped. */
export async function tryPrograms(fault: ProgramFault, run: number, stopMs: number): Promise<ProgramRun> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-programs-'));
  try {
    // Every program finds the tables made: what is tried here are effects.
    await (await openTestStore(join(dir, 'w.sqlite3'), { kind: 'sqlite' })).close();
    const names = Array.from({ length: PROGRAM_FAULTS[fault].programs }, (_, at) => `program${at}`);
    const ended = await Promise.all(names.map((name, at) => oneProgram({ fault, run, dir, name, at, stopMs })));
    const found = await judge(dir, names, new Set(ended.flatMap(({ confirmed }) => confirmed)));
    const hung = ended.some(({ hung: each }) => each);
    return { fault, run, ...found, broken: hung ? [...found.broken, 'hang'] : found.broken };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface OneProgram {
  readonly fault: ProgramFault;
  readonly run: number;
  readonly dir: string;
  readonly name: string;
  /** Among the programs of the run. */
  readonly at: number;
  readonly stopMs: number;
}

async function oneProgram(given: OneProgram): Promise<{ confirmed: string[]; hung: boolean }> {
  const offset = join(given.dir, 'offset');
  writeFileSync(offset, '+0\n');
  const child = start(given, offset);
  const confirmed: string[] = [];
  const disturb = firstTime(async () => {
    if (given.fault === 'SIGKILL at some moment') child.kill('SIGKILL');
    if (given.fault === 'clock jumps') writeFileSync(offset, `${jumpOf(given.run)}\n`);
    if (given.fault !== 'SIGSTOP for minutes, another program at work' || given.at > 0) return;
    child.kill('SIGSTOP');
    await sleep(given.stopMs);
    child.kill('SIGCONT');
  });
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    const [what, text = ''] = line.split(' ');
    if (what === 'done') confirmed.push(text);
    // In the midst of the next effect, a little later each time.
    if (confirmed.length === given.run % EFFECTS) setTimeout(disturb, given.run % 25);
  });
  if (given.run % EFFECTS === 0) setTimeout(disturb, 200 + given.run * 10);
  const timer = new AbortController();
  const late = sleep(LONGEST_MS + given.stopMs, true, { signal: timer.signal }).catch(() => false);
  const hung = await Promise.race([closed(child), late]);
  timer.abort();
  child.kill('SIGKILL');
  return { confirmed, hung };

  function firstTime(work: () => Promise<void>): () => void {
    let begun = false;
    return () => {
      if (begun) return;
      begun = true;
      void work();
    };
  }
}

async function closed(child: ChildProcess): Promise<boolean> {
  await once(child, 'close');
  return false;
}

/** There and back, by an hour or by days. */
function jumpOf(run: number): string {
  const seconds = [HOUR_S, 25 * HOUR_S, 24 * 40 * HOUR_S][run % 3] ?? HOUR_S;
  return `${run % 2 === 0 ? '+' : '-'}${seconds}`;
}

function start({ fault, run, dir, name }: OneProgram, offset: string): ChildProcess {
  const words = [process.execPath, '--no-warnings', CHILD, dir, name, String(EFFECTS)];
  const inject = `inject=${WRITES}:error=EIO:when=${run * EIO_STEP + 1}`;
  const strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${WRITES}`, '-e', inject];
  const [program = '', ...rest] = fault === 'EIO of a system call' ? [...strace, ...words] : words;
  const faked = { LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: '1' };
  const env = { ...process.env, ...(fault === 'clock jumps' && { ...faked, FAKETIME_DONT_FAKE_MONOTONIC: '1' }) };
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'ignore'], env });
}

/** After a restart: is what was confirmed there, once, and does the record say what happened? */
async function judge(dir: string, names: readonly string[], confirmed: ReadonlySet<string>) {
  const store = await openTestStore(join(dir, 'w.sqlite3'), { kind: 'sqlite' });
  try {
    const world = undoWorld(store, dir);
    const unknown = (await world.cutOff.settle(await world.cutOff.begun())).length > 0;
    const there = JSON.stringify(await world.everything());
    const recorded = await recordedAsDone(world, names);
    const broken = new Set<FaultRun['broken'][number]>();
    const texts: string[] = [];
    for (const name of names)
      for (let at = 0; at < EFFECTS; at++) {
        const text = `${name}-${at}.`;
        const wrong = wrongWith(text, { times: timesIn(there, at, text), confirmed, recorded, unknown });
        for (const each of wrong) broken.add(each);
        if (wrong.length > 0) texts.push(text);
      }
    return { confirmed: confirmed.size, broken: [...broken], unknown, texts };
  } finally {
    await store.close();
  }
}

interface Found {
  readonly times: number;
  readonly confirmed: ReadonlySet<string>;
  readonly recorded: ReadonlySet<string>;
  readonly unknown: boolean;
}

function wrongWith(text: string, { times, confirmed, recorded, unknown }: Found): FaultRun['broken'] {
  return [
    ...(confirmed.has(text) && times === 0 ? (['lost'] as const) : []),
    ...(times > 1 ? (['doubled'] as const) : []),
    ...(!unknown && times > 0 !== recorded.has(text) ? (['hidden'] as const) : []),
  ];
}

/** How often an effect is there. A file has its text in its name and in its content. */
function timesIn(there: string, at: number, text: string): number {
  const times = there.split(at % 3 === 1 ? `Reminder: ${text}` : text).length - 1;
  return at % 3 === 2 ? Math.ceil(times / 2) : times;
}

async function recordedAsDone({ store }: UndoWorld, names: readonly string[]): Promise<Set<string>> {
  const rows = (await Promise.all(names.map((name) => effectsOf(store, name)))).flat();
  const done = rows.filter(({ state }) => state === 'done').map(({ input }) => JSON.stringify(input));
  return new Set(done.flatMap((input) => /program\d-\d+\./u.exec(input) ?? []));
}
