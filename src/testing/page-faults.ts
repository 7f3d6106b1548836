import { randomBytes } from 'node:crypto';
import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createApp } from '../app.ts';
import { AssistantError } from '../base/errors.ts';
import type { App } from '../face/app.ts';
import { loadSettings } from '../settings/settings.ts';
import { backUp, damageOf } from '../store/backup.ts';
import { restoreBackup, salvageStore } from '../store/restore.ts';
import { testContext, testTurn } from './agent.ts';
import type { FaultRun } from './fault-lab.ts';

/** What came of a database of which one page was overwritten. */
export interface PageRun extends Pick<FaultRun, 'broken' | 'unknown'> {
  /** From 1, as SQLite counts. */
  readonly page: number;
  /** The table or index that the page belongs to; empty: it is free. */
  readonly holder: string;
  /** What is wrong, in words. */
  readonly why: readonly string[];
}

/** A home that has been used, and a backup of its database. */
export interface UsedHome {
  readonly dir: string;
  readonly backup: string;
  /** The holder of each page. The first one has the header, which nothing is promised without. */
  readonly pages: ReadonlyMap<number, string>;
  remove(): void;
}

const LONG = 'Look at the tides. '.repeat(600);
const REQUESTS = [
  'note that the roses are red',
  'remind me tomorrow at 8 to call Ada',
  'add milk and bread to the shopping list',
  'what did I note about roses?',
  'what is 17 * 3?',
];

/** Make a home as a first week leaves one. */
export async function usedHome(): Promise<UsedHome> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-used-'));
  const backup = join(dir, 'backup.sqlite3');
  await withApp(dir, { mends: false }, async (app) => {
    for (const [at, text] of REQUESTS.entries())
      await app.turns.run(testTurn(text, { id: `turn_${at}`, conversationId: `conv_${at}` }), testContext());
    const job = { project: 'home', prompt: LONG, when: 'every day at 9', untrusted: false };
    await app.schedule.jobs.add(job);
    await backUp(app.store, backup);
  });
  return { dir, backup, pages: pagesOf(databaseOf(dir)), remove: () => rmSync(dir, { recursive: true }) };
}

/** Overwrite one page of a copy of the home, and try all that is promised of it. */
export async function tryPage(home: UsedHome, page: number): Promise<PageRun> {
  const holder = home.pages.get(page) ?? '';
  const why = [
    ...(await onDamaged(home, page, (dir) => diagnosed(dir, holder))),
    ...(await onDamaged(home, page, (dir) => restored(dir, home.backup))),
    ...(await onDamaged(home, page, salvaged)),
  ];
  const broken = [...new Set(why.map(([what]) => what))];
  return { page, holder, broken, unknown: false, why: why.map(([, said]) => said) };
}

type Wrong = readonly (readonly [FaultRun['broken'][number], string])[];

async function onDamaged(home: UsedHome, page: number, look: (dir: string) => Promise<Wrong>): Promise<Wrong> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-page-'));
  try {
    cpSync(home.dir, dir, { recursive: true });
    overwrite(databaseOf(dir), page);
    return await look(dir).catch((error: unknown): Wrong => [['lost', String(error)]]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The doctor names the damage, and every other command either works or ends with it; of a free page nothing is lost. */
async function diagnosed(dir: string, holder: string): Promise<Wrong> {
  const state = await withApp(dir, { mends: true }, databaseState);
  const started = await withApp(dir, { mends: false }, async () => undefined).catch((error: unknown) => error);
  const isRaw = started !== undefined && !(started instanceof AssistantError && started.code === 'store_damaged');
  return [
    ...(holder !== '' && state !== 'fail' ? [['hidden', `the doctor says ${state}`] as const] : []),
    ...(isRaw ? [['hidden', `a raw error: ${String(started)}`] as const] : []),
  ];
}

async function restored(dir: string, backup: string): Promise<Wrong> {
  await withApp(dir, { mends: true }, (app) => restoreBackup(app.store, backup, new Date()));
  return whole(dir, 'restored');
}

async function salvaged(dir: string): Promise<Wrong> {
  await withApp(dir, { mends: true }, (app) => salvageStore(app.store, new Date()));
  return whole(dir, 'salvaged');
}

async function whole(dir: string, how: string): Promise<Wrong> {
  const state = await withApp(dir, { mends: false }, databaseState);
  return state === 'ok' ? [] : [['lost', `${how}, and the doctor says ${state}`]];
}

/** What the doctor says of the database, without the other things that it tries, which take a second each time. */
async function databaseState({ store }: App): Promise<'ok' | 'fail'> {
  const damage = await damageOf(store).catch((error: unknown) => error);
  return damage === undefined ? 'ok' : 'fail';
}

async function withApp<T>(dir: string, { mends }: { readonly mends: boolean }, use: (app: App) => Promise<T>) {
  const settings = loadSettings(dir, { WOOSTER_HOME: dir, ROUTING_LOCAL_ENABLED: 'false' }, { alone: true });
  const app = await createApp(settings, { announce: () => {}, verbose: false }, { mends });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

function databaseOf(dir: string): string {
  return join(dir, 'state', 'wooster.sqlite3');
}

/** Every page but the first, the free ones included. */
function pagesOf(path: string): ReadonlyMap<number, string> {
  using database = new DatabaseSync(path, { readOnly: true });
  const held = database.prepare('SELECT pageno, name FROM dbstat').all();
  const count = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  const holders = new Map(held.map(({ pageno, name }) => [Number(pageno), String(name)]));
  const numbers = Array.from({ length: count - 1 }, (_, at) => at + 2);
  return new Map(numbers.map((number) => [number, holders.get(number) ?? '']));
}

function overwrite(path: string, page: number): void {
  const size = pageSize(path);
  const file = openSync(path, 'r+');
  writeSync(file, randomBytes(size), 0, size, (page - 1) * size);
  closeSync(file);
}

function pageSize(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return Number(database.prepare('PRAGMA page_size').get()?.page_size);
}
