import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { App } from '../face/app.ts';
import type { Mcp } from '../plugins/mcp/mcp.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { type AppOptions, openApp } from '../testing/app.ts';
import { temporaryFolder } from '../testing/home.ts';
import { legacySchedule } from '../testing/legacy-schedule.ts';
import { sqlRun } from '../testing/sql.ts';
import { HomeContext } from './homes/home-context.ts';

afterEach(() => void vi.restoreAllMocks());

const SERVED = { slots: { take: () => 0, give() {}, enough() {}, onFree() {} }, context: new HomeContext() };
/** In the order in which they are closed. */
const PARTS = [
  ...(['notifier', 'background', 'workspaces', 'scheduler', 'mcp', 'plugins', 'documents', 'models'] as const),
  ...(['sandbox', 'store', 'log'] as const),
];

/** What closes each part. */
function closersOf(app: App): readonly (readonly [string, string, Record<string, () => unknown>])[] {
  const { home, turns, schedule, knowledge, tools, models, store } = app;
  const faces = { ...home, ...turns, ...knowledge, ...tools, scheduler: schedule.jobs, notifier: schedule.notifier };
  const parts = { ...faces, models, store } as unknown as Record<string, Record<string, () => unknown>>;
  const names: Record<string, string> = { scheduler: 'stop', plugins: 'shutdown' };
  return PARTS.map((part) => [part, names[part] ?? 'close', parts[part] ?? {}]);
}

/** Records the order in which the parts are closed; one of them may fail to close. */
function watchedClose(app: App, broken?: string): string[] {
  const order: string[] = [];
  for (const [part, name, object] of closersOf(app)) {
    const close = object[name]?.bind(object);
    vi.spyOn(object, name).mockImplementation(async () => {
      order.push(part);
      await close?.();
      if (part === broken) throw new Error('it is stuck');
    });
  }
  return order;
}

function logOf(home: string): string {
  const logs = join(home, 'logs');
  const files = readdirSync(logs).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => readFileSync(join(logs, name), 'utf8')).join('');
}

test('the parts are closed in order: what others use goes last', async () => {
  const { app, home } = await openApp();
  const order = watchedClose(app);
  await app.close();
  expect(order).toEqual(PARTS);
  expect(logOf(home)).not.toContain('did not close');
});

test.each(PARTS)('when %s does not close, the others are closed all the same, and the log says so', async (broken) => {
  const { app, home } = await openApp();
  const order = watchedClose(app, broken);
  await app.close();
  expect(order).toEqual(PARTS);
  // Nothing can be written to a log that is closed.
  const said = `"part":"${broken}","error":"it is stuck","msg":"a part did not close"`;
  expect(logOf(home).includes(said)).toBe(broken !== 'log');
});

test('closed twice, everything is closed once', async () => {
  const { app } = await openApp();
  const order = watchedClose(app);
  await Promise.all([app.close(), app.close()]);
  await app.close();
  expect(order).toEqual(PARTS);
});

test('a close waits for the start that is under way, and stops what it has started', async () => {
  const { app } = await openApp();
  const order: string[] = watchedClose(app);
  const start = app.schedule.jobs.start.bind(app.schedule.jobs);
  vi.spyOn(app.schedule.jobs, 'start').mockImplementation(async () => {
    await new Promise(setImmediate);
    await start();
    order.push('started');
  });
  const starting = app.start();
  await Promise.all([starting, app.close()]);
  expect(order).toEqual(['started', ...PARTS]);
});

test('a start that fails says why, and the program can be closed', async () => {
  const { app } = await openApp();
  const order = watchedClose(app);
  vi.spyOn(app.schedule.jobs, 'start').mockRejectedValue(new Error('no clock'));
  await expect(app.start()).rejects.toThrow('no clock');
  await app.close();
  expect(order).toEqual(PARTS);
});

test('it starts once, and never after a close', async () => {
  const { app } = await openApp();
  const starts = [vi.spyOn(app.schedule.jobs, 'start'), vi.spyOn(app.tools.mcp as Mcp, 'start')];
  await Promise.all([app.start(), app.start()]);
  await app.start();
  for (const start of starts) expect(start).toHaveBeenCalledTimes(1);
  const { app: other } = await openApp();
  const never = vi.spyOn(other.schedule.jobs, 'start');
  await other.close();
  await other.start();
  expect(never).not.toHaveBeenCalled();
});

test.each([
  ['sends what waits', {}, 1],
  ['leaves that to whoever serves its home', { served: SERVED }, 0],
])('a program that starts %s', async (_, additions, times) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app } = await openApp({ additions });
  const flush = vi.spyOn(app.schedule.notifier, 'flush');
  await app.start();
  expect(flush).toHaveBeenCalledTimes(times);
  vi.advanceTimersByTime(5000);
  expect(flush).toHaveBeenCalledTimes(2 * times);
  await app.close();
  vi.advanceTimersByTime(5000);
  expect(flush).toHaveBeenCalledTimes(2 * times);
});

test('nothing runs in the background before the start', async () => {
  const { app } = await openApp();
  const flush = vi.spyOn(app.schedule.notifier, 'flush');
  const start = vi.spyOn(app.schedule.jobs, 'start');
  await app.turns.run(testTurn('what is 2+2?'), testContext());
  expect([flush.mock.calls, start.mock.calls]).toEqual([[], []]);
});

test('a home that cannot be written starts nothing: its jobs are those of the home itself', async () => {
  const first = await openApp();
  await first.app.close();
  mkdirSync(join(first.home, 'state', 'wooster.sqlite3-shm'));
  const { app, announced } = await openApp({ home: first.home });
  expect(announced).toEqual([expect.stringContaining('nothing is kept')]);
  const start = vi.spyOn(app.schedule.jobs, 'start');
  await app.start();
  expect(start).not.toHaveBeenCalled();
});

/** A program on a home whose previous program was killed in the middle of a turn. */
async function afterKill(text: string, options: AppOptions = {}) {
  const first = await openApp({ ...options, replies: ['Done.'] });
  await first.app.turns.run(testTurn(text, { conversationId: 'conv_cut' }), testContext());
  await sqlRun(first.app.store, "UPDATE turns SET status = 'interrupted', finished_at = NULL");
  await first.app.close();
  return openApp({ home: first.home });
}

test('the request that was cut off last is offered again, shortened to one line', async () => {
  const { app, announced } = await afterKill(`water\nthe ${'very '.repeat(20)}tulips`);
  await app.start();
  const text = `water the ${'very '.repeat(20)}tulips`.slice(0, 79);
  expect(announced).toEqual([`A request was cut off: "${text}…". /resume conv_cut goes on with it.`]);
});

test('where no request was cut off, nothing is said', async () => {
  const { app, announced } = await openApp();
  await app.start();
  expect(announced).toEqual([]);
});

test('the jobs of a legacy program are taken over once, and its owner is told which', async () => {
  const home = temporaryFolder();
  const path = join(home, 'database', 'scheduler.sqlite3');
  const payload = 'water the tulips';
  const database = legacySchedule(path, [{ id: '1', schedule_expression: '0 9 * * *', payload }]);
  onTestFinished(() => database.close());
  const { app, announced } = await openApp({ home });
  await app.start('prompt');
  const lines = announced.join('\n---\n').split('\n');
  expect(lines).toEqual([`Legacy schedule (${path}): 1 imported.`, expect.stringContaining('water the tulips')]);
  expect((await app.schedule.jobs.list('home')).map(({ prompt }) => prompt)).toEqual(['water the tulips']);
  await app.close();
  const again = await openApp({ home });
  await again.app.start('prompt');
  expect(again.announced).toEqual([]);
});

test('it knows where it lives and what is selected', async () => {
  const { app, home, settings } = await openApp({ env: { WOOSTER_HOME_ID: 'anna', WOOSTER_TIME_ZONE: 'Asia/Tokyo' } });
  expect(app.home).toMatchObject({ dir: home, id: 'anna', timeZone: 'Asia/Tokyo' });
  expect(app.knowledge.projects.active()).toBe('home');
  expect(app.home.setup.envFile).toBe(settings.home.envFile);
  expect(app.tools.plugins.list().map(({ name }) => name)).toContain('tasks');
  expect(await app.home.status()).toMatchObject({ index: [], runs: { due: 0 }, outbox: { pending: 0 } });
});

test('a turn in the background has the time and the zone of the program', async () => {
  const now = new Date('2026-11-20T11:00:00Z');
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const { app } = await openApp({ env: { WOOSTER_TIME_ZONE: 'Asia/Tokyo' } });
  const started = Promise.withResolvers<string>();
  const job = app.turns.background.start(testTurn('what time is it?'), (_, { text }) => started.resolve(text));
  expect(job.startedAt).toEqual(now);
  expect(await started.promise).toMatch(/^It is 20:00.* 20 November 2026/u);
});

test('what is not there is refused by name', async () => {
  const { app } = await openApp();
  const { signal } = new AbortController();
  await expect(app.turns.code.replay('turn_none', signal)).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(app.tools.approve('prop_none', 'cli' as never)).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(app.schedule.serveHomes('all')).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a trial is a program of its own with the models of this one', async () => {
  const { app } = await openApp();
  const trial = await app.home.openTrial(1);
  const turn = { id: 't', conversationId: 'c', text: 'what is 2+2?', mode: 'classic_tools' } as const;
  expect(await trial.runTurn(turn, testContext())).toMatchObject({ text: expect.stringContaining('4') });
  await trial.close();
  expect(existsSync(trial.folder)).toBe(false);
});
