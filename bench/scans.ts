/**
 * Reads scans of many pages, and pictures that are made to hurt, with the program as it is installed: whether both
 * processors are used, what a kill costs, and what all processes take together.
 *
 * `npm run bench -- scans 50` makes the long scan so many pages, and the one that is killed a part of that.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { scanOf, sheet } from '../src/testing/pictures.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';

/** A4 at 200 dots an inch. */
const PAGE = { width: 1240, height: 1754 } as const;
const LOOK_MS = 100;
const KEPT = 'read before the kill';
const MB = 1_000_000;

const long = Number(process.argv[2] ?? 500);
const killed = Math.ceil(long * 0.4);
const dir = mkdtempSync(join(tmpdir(), 'wooster-scans-'));
const pages = await Promise.all(
  ['anchor', 'barrel', 'candle', 'dinghy'].map(async (word) => (await sheet(`The ${word}`, PAGE)).jpeg().toBuffer()),
);

const stopped = homeWith('stopped', { 'scan.pdf': scan(killed) });
const first = ingest(stopped);
const isOver = once(first, 'exit').then(() => true);
while (!(await Promise.race([isOver, pause()]))) if (pagesOf(stopped).length > killed / 4) first.kill('SIGKILL');
const before = pagesOf(stopped);
change(stopped, 'update seen_pages set found = ?', JSON.stringify([{ kind: 'text', text: KEPT }]));
const resumed = await watched(ingest(stopped));
const kept = rows<{ n: number }>(stopped, 'select count(*) as n from seen_pages where found like ?', `%${KEPT}%`)[0]?.n;

const all = pagesOf(stopped).length;

const archive = await watched(ingest(homeWith('long', { 'scan.pdf': scan(long) })));
const bombs = await watched(ingest(homeWith('bombs', await hurting())));
rmSync(dir, { recursive: true });

report([
  { what: `${killed} pages: read before the kill`, unit: 'pages', samples: [before.length] },
  { what: `${killed} pages: of these read again`, unit: 'pages', samples: [before.length - (kept ?? 0)], must: 0 },
  { what: `${killed} pages: read in all`, unit: 'pages', samples: [all], must: killed, better: 'more' },
  {
    what: `${killed} pages: work of the second reader, of that of the first`,
    ...{ unit: '%', samples: [resumed.second], must: 60, better: 'more' },
  },
  { what: `${long} pages: all processes at most`, unit: 'MB', samples: [archive.mostMb], must: 600 },
  { what: `${long} pages: processes that read them`, unit: 'processes', samples: [archive.readers], must: 1 },
  { what: `${long} pages: exit code`, unit: 'code', samples: [archive.code], must: 0 },
  { what: 'pictures made to hurt: all processes at most', unit: 'MB', samples: [bombs.mostMb], must: 600 },
]);

function scan(count: number): Buffer {
  const each = Array.from({ length: count }, (_, at) => pages[at % pages.length] ?? Buffer.alloc(0));
  return scanOf(each, PAGE);
}

/** The largest that are not refused, and one that is. */
async function hurting(): Promise<Record<string, Buffer>> {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#fff' } });
  return {
    'wide.png': await blank(8000, 7900).png().toBuffer(),
    'wide.jpg': await blank(8000, 7900).jpeg().toBuffer(),
    'wide.tiff': await blank(8000, 7900).tiff({ compression: 'lzw' }).toBuffer(),
    'long.webp': await blank(4000, 15_900).webp().toBuffer(),
    'over.png': await blank(12_000, 12_000).png().toBuffer(),
    'wide.pdf': scanOf([await blank(8000, 7900).jpeg().toBuffer()], { width: 8000, height: 7900 }),
  };
}

function homeWith(name: string, files: Readonly<Record<string, Buffer>>): string {
  const home = join(dir, name);
  mkdirSync(join(home, 'docs'), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(home, 'docs', file), bytes);
  return home;
}

function ingest(home: string): ChildProcess {
  const words = ['--home', home, 'ingest', join(home, 'docs')];
  return spawn(join(ROOT, 'bin/wooster'), words, { stdio: ['ignore', 2, 2] });
}

interface Watched {
  readonly code: number;
  /** Resident memory of the program and all below it, shared pages counted once. */
  readonly mostMb: number;
  /** How many processes read files, one after the other: a new one takes the place of one that grew too large. */
  readonly readers: number;
  /** Of 100: what the second busiest thread worked of what the busiest did. */
  readonly second: number;
}

async function watched(child: ChildProcess): Promise<Watched> {
  const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? -1);
  const ticks = new Map<string, number>();
  const readers = new Set<number>();
  let most = 0;
  for (;;) {
    const code = await Promise.race([ended, pause()]);
    if (code !== undefined) {
      const [one = 0, two = 0] = [...ticks.values()].sort((a, b) => b - a);
      return { code, mostMb: most / MB, readers: readers.size, second: one === 0 ? 0 : (100 * two) / one };
    }
    const family = familyOf(child.pid ?? 0);
    most = Math.max(
      most,
      family.reduce((sum, pid) => sum + memoryOf(pid), 0),
    );
    for (const pid of family) if (text(`/proc/${pid}/cmdline`).includes('parse-process')) readers.add(pid);
    for (const pid of family) for (const [thread, worked] of threadsOf(pid)) ticks.set(thread, worked);
  }
}

function pause(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), LOOK_MS));
}

/** A process and all below it that are there. */
function familyOf(root: number): number[] {
  const parents = new Map(readdirSync('/proc').flatMap((name) => (/^\d+$/u.test(name) ? [parentOf(name)] : [])));
  const isOf = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 0 && (pid === root || isOf(parents.get(pid)));
  return [...parents.keys()].filter(isOf);
}

function parentOf(pid: string): [number, number] {
  return [Number(pid), Number(statOf(`/proc/${pid}/stat`)[1] ?? 0)];
}

/** What each thread has worked so far. */
function threadsOf(pid: number): [string, number][] {
  return list(`/proc/${pid}/task`).map((thread) => {
    const stat = statOf(`/proc/${pid}/task/${thread}/stat`);
    return [thread, Number(stat[11] ?? 0) + Number(stat[12] ?? 0)];
  });
}

/** The fields behind the name, which may contain anything. A process may end at any moment. */
function statOf(path: string): string[] {
  return text(path)
    .replace(/^.*\) /su, '')
    .split(' ');
}

function memoryOf(pid: number): number {
  return 1024 * Number(/^Pss:\s+(\d+)/mu.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function pagesOf(home: string): readonly { page: number }[] {
  return rows(home, 'select page from seen_pages');
}

function rows<T>(home: string, query: string, ...values: string[]): readonly T[] {
  try {
    using database = new DatabaseSync(join(home, 'state/wooster.sqlite3'), { readOnly: true });
    return database.prepare(query).all(...values) as T[];
  } catch {
    // Not there yet.
    return [];
  }
}

function change(home: string, statement: string, ...values: string[]): void {
  using database = new DatabaseSync(join(home, 'state/wooster.sqlite3'));
  database.prepare(statement).run(...values);
}
