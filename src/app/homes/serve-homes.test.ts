import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../app.ts';
import { silentLog } from '../../base/log.ts';
import type { Mode } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { loadSettings } from '../../settings/settings.ts';
import type { Store } from '../../store/store.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { scriptedServer } from '../../testing/scripted-server.ts';
import { openTestStore } from '../../testing/stores.ts';
import type { Additions } from '../additions.ts';
import { HomeContext } from './home-context.ts';
import { type Serving, serveHomes } from './serve-homes.ts';

/** Nothing is polled by itself: the test moves the clock. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  return () => void vi.useRealTimers();
});

const LOG = { ...silentLog, close() {} };

interface Opened {
  readonly id: string;
  readonly app: App;
  readonly serving: Serving;
  readonly context: HomeContext | undefined;
  announce(text: string): void;
}

/** A program that serves these homes of a server. Each has its own SQLite file; everything else is real. */
async function serving(
  ids: readonly string[],
  {
    which = 'all',
    env = {},
    broken,
  }: { which?: 'all' | readonly string[]; env?: NodeJS.ProcessEnv; broken?: string } = {},
) {
  const dir = temporaryFolder();
  const url = 'postgresql://127.0.0.1:1/none';
  const settings = loadSettings(dir, { ...env, WOOSTER_STORE_URL: url, WOOSTER_HOME_ID: 'host' }, { alone: true });
  const listed = { homes: ids.map((id) => ({ id })) };
  const { db } = scriptedServer({ 'from "homes"': listed.homes });
  const store = { read: db, location: { kind: 'postgres' } } as unknown as Store;
  const [opened, errors]: [Opened[], unknown[]] = [[], []];
  const [closing, woken]: [string[], string[]] = [[], []];
  const shown: { id: string; mode: Mode; inside: HomeContext | undefined }[] = [];
  const served = await serveHomes(which, {
    opened: ({ app, mode, run }) => {
      const inside = run(() => HomeContext.current);
      shown.push({ id: app.home.id, mode, inside });
      return async () => void closing.push(`way in to ${app.home.id}`);
    },
    settings,
    store,
    log: { ...LOG, error: (...line) => void errors.push(line) },
    createApp: async (own, frontend, additions: Additions) => {
      // Nobody hears it: there is no log yet.
      frontend.announce('too early');
      expect(frontend.verbose).toBe(false);
      const app = await createApp({ ...own, shared: { ...own.shared, storeUrl: undefined } }, frontend, additions);
      const start = async () => {
        if (own.shared.homeId === broken) {
          await vi.waitFor(() => expect(opened).toHaveLength(ids.length));
          for (const { id, serving } of opened) if (id !== broken) serving.slots.take(99);
          // Queued.
          additions.served?.slots.take(99);
          additions.served?.slots.onFree(async () => void woken.push(broken));
          throw new Error('the text of a person');
        }
        await app.start();
      };
      const close = async () => {
        closing.push(own.shared.homeId);
        await app.close();
      };
      const about = { id: own.shared.homeId, serving: additions.served as Serving, context: HomeContext.current };
      opened.push({ ...about, app, announce: frontend.announce });
      return { ...app, start, close };
    },
  });
  onTestFinished(() => served.close());
  opened.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { dir, served, opened, errors, closing, woken, shown };
}

function logOf(home: string): string {
  const logs = join(home, 'logs');
  const files = readdirSync(logs).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => readFileSync(join(logs, name), 'utf8')).join('');
}

const takes = ({ serving: { slots } }: Opened) => slots.take(99);

test('each home is a program of its own, in a folder of its own', async () => {
  const { dir, served, opened } = await serving(['anna', 'ben']);
  expect(served.count()).toBe(2);
  expect(opened.map(({ app }) => app.home.dir)).toEqual([join(dir, 'homes', 'anna'), join(dir, 'homes', 'ben')]);
  expect(readdirSync(join(dir, 'homes')).sort()).toEqual(['anna', 'ben']);
  const [anna, ben] = opened as [Opened, Opened];
  expect(anna.context).toBe(anna.serving.context);
  expect(ben.context).toBe(ben.serving.context);
  expect(anna.context).not.toBe(ben.context);
  expect([anna.context?.fetch, ben.context?.fetch]).toEqual([expect.any(Function), expect.any(Function)]);
  expect(anna.app.store).not.toBe(ben.app.store);
});

test('whoever opens a way in is given each home with its mode and its context', async () => {
  const { opened, shown } = await serving(['anna', 'ben']);
  expect(shown.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    opened.map(({ id, context }) => ({ id, mode: 'classic_tools', inside: context })),
  );
});

test('the home of the serving program itself stays where it is', async () => {
  const { dir, opened } = await serving(['host']);
  expect(opened.map(({ app }) => app.home.dir)).toEqual([dir]);
});

test('of the homes that are there, those with the given names are served', async () => {
  const { served, opened } = await serving(['anna', 'ben', 'cleo'], { which: ['cleo', 'anna', 'nobody'] });
  expect(served.count()).toBe(2);
  expect(opened.map(({ id }) => id)).toEqual(['anna', 'cleo']);
});

test.each([
  ['half of the runs that go at once', {}, [4, 4]],
  ['half of seven', { WOOSTER_WORKER_SLOTS: '7' }, [4, 3]],
  ['what is set', { WOOSTER_WORKER_SLOTS: '7', WOOSTER_HOME_SLOTS: '1' }, [1, 1]],
])('a home can have %s, and the homes share them all', async (_, env, expected) => {
  const { opened } = await serving(['anna', 'ben'], { env });
  expect(opened.map(takes)).toEqual(expected);
});

test('what is announced to a person is kept in the log of the home, and shown to nobody else', async () => {
  const { dir, opened } = await serving(['anna']);
  opened[0]?.announce('Aunt Mary called.');
  const text = logOf(join(dir, 'homes', 'anna'));
  expect(text).toContain('"msg":"announcement"');
  expect(text).toContain('Aunt Mary called.');
});

test('a home with broken settings is reported by name, and the others are served', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'ben', 'config'), { recursive: true });
  writeFileSync(join(dir, 'ben', 'config', 'local.json'), '{ broken');
  const { served, opened, errors } = await serving(['anna', 'ben'], { env: { WOOSTER_HOMES_DIR: dir } });
  expect([served.count(), opened.map(({ id }) => id)]).toEqual([1, ['anna']]);
  const error = expect.stringMatching(/^bad_setting: /u);
  expect(errors).toEqual([['a home was not opened', { home: 'ben', times: 1, error }]]);
});

test('a home whose work cannot be started is closed, and its places are for the others', async () => {
  const env = { WOOSTER_WORKER_SLOTS: '1' };
  const starting = serving(['anna', 'ben'], { broken: 'ben', env });
  const { served, opened, errors, closing, woken } = await starting;
  expect([served.count(), closing]).toEqual([1, ['ben']]);
  expect(errors).toEqual([['a home was not opened', { home: 'ben', times: 1, error: 'Error' }]]);
  const [anna, ben] = opened as [Opened, Opened];
  anna.serving.slots.give(1);
  expect([woken, takes(anna)]).toEqual([[], 1]);
  await expect(ben.app.schedule.jobs.list('home')).rejects.toThrow();
});

test('what a home starts when a place becomes free, it starts as that home', async () => {
  const { opened } = await serving(['anna', 'ben'], { env: { WOOSTER_WORKER_SLOTS: '1' } });
  const [anna, ben] = opened as [Opened, Opened];
  const woken: unknown[] = [];
  ben.serving.slots.onFree(async () => void woken.push(HomeContext.current));
  expect([takes(anna), takes(ben)]).toEqual([1, 0]);
  anna.context?.run(() => anna.serving.slots.give(1));
  expect(woken).toHaveLength(1);
  expect(woken[0]).toBe(ben.context);
});

test('a job of a home runs when it is due, and its text waits for its owner alone, in no log', async () => {
  const { dir, opened } = await serving(['anna', 'ben']);
  const [anna, ben] = opened as [Opened, Opened];
  const when = new Date(Date.now() + 3600_000).toISOString();
  const options = { verbatim: true };
  await anna.app.schedule.jobs.add({ when, prompt: 'call Aunt Mary', project: 'home', untrusted: false, options });
  await vi.advanceTimersByTimeAsync(25);
  vi.setSystemTime(Date.now() + 3600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  const waiting = async ({ app }: Opened) => (await app.schedule.notifier.notices.list()).map(({ text }) => text);
  await vi.waitFor(async () => expect(await waiting(anna)).toEqual(['call Aunt Mary']), { timeout: 20_000 });
  expect(await waiting(ben)).toEqual([]);
  for (const home of ['anna', 'ben']) expect(logOf(join(dir, 'homes', home))).not.toContain('Mary');
});

test('all homes are closed with the program that serves them, once', async () => {
  const { served, opened, closing } = await serving(['anna', 'ben']);
  await served.close();
  const ways = ['way in to anna', 'way in to ben'];
  expect([served.count(), closing.toSorted()]).toEqual([0, ['anna', 'ben', ...ways]]);
  // Nobody comes in to a home that is closing.
  for (const id of ['anna', 'ben']) expect(closing.indexOf(`way in to ${id}`)).toBeLessThan(closing.indexOf(id));
  expect(vi.getTimerCount()).toBe(0);
  for (const { app } of opened) await expect(app.schedule.jobs.list('home')).rejects.toThrow();
  expect(existsSync(join(opened[0]?.app.home.dir ?? '', 'state'))).toBe(true);
});

test('an SQLite database is one home', async () => {
  const store = await openTestStore(undefined, { kind: 'sqlite' });
  const settings = loadSettings(temporaryFolder(), {}, { alone: true });
  const served = serveHomes('all', { settings, store, log: LOG, createApp });
  await expect(served).rejects.toMatchObject({
    code: 'bad_usage',
    message: 'An SQLite database is one home: --homes needs a PostgreSQL server.',
    hint: 'Set WOOSTER_STORE_URL (docs/several-machines.md), or leave --homes out.',
  });
});

test('a name that no home can have is refused before anything is opened', async () => {
  await expect(serving(['anna'], { which: ['anna', '../x'] })).rejects.toMatchObject({
    code: 'bad_usage',
    message: '"../x" cannot be the name of a home.',
  });
});
