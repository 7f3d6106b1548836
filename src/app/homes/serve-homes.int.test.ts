import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../app.ts';
import { systemClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { askedDoor } from '../../repl/door-commands.ts';
import { createScheduler } from '../../scheduler/scheduler.ts';
import { Devices } from '../../server/http/devices.ts';
import { loadSettings } from '../../settings/settings.ts';
import { addHome, removeHome, retireHome } from '../../store/homes.ts';
import { openStore, type Store } from '../../store/store.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlGet } from '../../testing/sql.ts';
import { STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase } from '../../testing/test-database.ts';

const soon = { timeout: 60_000, interval: 100 };

/** A program that serves all homes of a new database; its own home is `host`. */
async function serving() {
  const url = await emptyDatabase();
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH, WOOSTER_STORE_URL: url, WOOSTER_HOME_ID: 'host' };
  const announced: string[] = [];
  const announce = (text: string) => void announced.push(text);
  const app = await createApp(loadSettings(home, env), { announce, verbose: false });
  onTestFinished(() => app.close());
  const served = await app.schedule.serveHomes('all');
  onTestFinished(() => served.close());
  return { url, home, app, served, announced };
}

async function addJob(url: string, home: string, prompt: string) {
  const store = await openStore({ kind: 'postgres', url, home, pool: 2 });
  onTestFinished(() => store.close());
  const scheduler = createScheduler({
    ...{ store, clock: systemClock, log: silentLog, timeZone: 'UTC' },
    hasEffects: async () => false,
    onDue: async () => ({ state: 'succeeded', output: '' }),
    notices: { post: async () => {}, bringForward: async () => {}, advance: async () => {} },
  });
  const when = new Date(Date.now() + 500).toISOString();
  await scheduler.add({ when, prompt, project: 'home', untrusted: false, options: { verbatim: true } });
  return store;
}

function logOf(dir: string): string {
  const logs = join(dir, 'logs');
  if (!existsSync(logs)) return '';
  return readdirSync(logs)
    .map((name) => (name.endsWith('.jsonl') ? readFileSync(join(logs, name), 'utf8') : ''))
    .join('');
}

describe.runIf(STORE_KINDS.includes('postgres'))('wooster serve --homes all', { timeout: 180_000 }, () => {
  test('serves homes that come and leaves homes that go, each by itself', async () => {
    const { url, home, app, served, announced } = await serving();
    expect(served.count()).toBe(1);
    const folders = join(home, 'homes');
    mkdirSync(join(folders, 'ben', 'config'), { recursive: true });
    writeFileSync(join(folders, 'ben', 'config', 'local.json'), '{ broken');
    await addHome(app.store, 'ben');
    await addHome(app.store, 'anna');
    await vi.waitFor(() => expect(served.count()).toBe(2), soon);
    const anna = await addJob(url, 'anna', 'only for anna');
    await vi.waitFor(
      async () => expect(await sqlGet(anna, "select state from runs where state = 'succeeded'")).toBeDefined(),
      soon,
    );
    await vi.waitFor(() => expect(logOf(join(folders, 'anna'))).toContain('only for anna'), soon);
    expect([announced.join(), logOf(home)].join()).not.toContain('only for anna');
    expect(logOf(home)).toContain('"home":"ben"');
    expect(logOf(join(folders, 'anna'))).not.toContain('ben');
    await retireHome(anna);
    await vi.waitFor(() => expect(served.count()).toBe(1), soon);
    await removeHome(anna);
  });

  test('its door is that of the home that the token belongs to', async () => {
    const url = await emptyDatabase();
    const home = temporaryFolder();
    const settings = loadSettings(home, { PATH: process.env.PATH, WOOSTER_STORE_URL: url, WOOSTER_HOME_ID: 'host' });
    const app = await createApp(settings, { announce: () => {}, verbose: false });
    onTestFinished(() => app.close());
    await addHome(app.store, 'anna');
    const door = await app.doors.openSharedHttp('127.0.0.1:0');
    onTestFinished(() => door.close());
    const served = await app.schedule.serveHomes('all', ({ app: own, mode, run }) =>
      door.admit({ app: own, run }, askedDoor(own, { mode, project: 'home' })),
    );
    onTestFinished(() => served.close());
    const anna = await addJob(url, 'anna', 'only for anna');
    const jobsOf = async (store: Store, id: string) => {
      const { token } = await new Devices(store, { home: id }).issue('a program', ['read']);
      const reply = await fetch(`${door.url}/api/jobs`, { headers: { authorization: `Bearer ${token}` } });
      return [reply.status, await reply.text()];
    };
    expect(await jobsOf(anna, 'anna')).toEqual([200, expect.stringContaining('only for anna')]);
    expect(await jobsOf(app.store, 'host')).toEqual([200, expect.not.stringContaining('anna')]);
    // The name in a token is a hint: what counts are the rows of that home.
    expect(await jobsOf(app.store, 'anna')).toEqual([401, expect.any(String)]);
  });
});
