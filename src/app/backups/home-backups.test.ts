import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import { loadSettings } from '../../settings/settings.ts';
import { openApp } from '../../testing/app.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { openTestStore, STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, openHome } from '../../testing/test-database.ts';
import { HomeBackups } from './home-backups.ts';

const JOB = { project: 'home', prompt: 'call Ada', when: 'every day at 9', untrusted: false };

/** A home with a job, documents, and settings with secrets in them. */
async function used() {
  const home = temporaryFolder();
  for (const folder of ['projects/home', 'notes', 'config']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'projects/home/boiler.md'), 'The boiler is from 2019.');
  writeFileSync(join(home, 'notes/today.md'), 'rain');
  writeFileSync(join(home, '.env'), 'SCHEDULER_RETRIES=3\nTIDES_TOKEN=hidden-value-1\nNTFY_TOPIC=hidden-value-3\n');
  writeFileSync(join(home, 'mcp.json'), '{"mcpServers":{"a":{"headers":{"Authorization":"Bearer hidden-value-2"}}}}');
  const opened = await openApp({ home });
  await opened.app.schedule.jobs.add(JOB);
  return opened;
}

function textsIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test('a backup of a home brings it back where nothing is', async () => {
  const { app } = await used();
  const to = temporaryFolder();
  const { path, manifest } = await app.home.backups.make(to);
  expect(manifest.left).toEqual([
    '.env: TIDES_TOKEN',
    '.env: NTFY_TOPIC',
    'mcp.json: mcpServers.a.headers.Authorization',
  ]);
  expect(textsIn(path)).not.toContain('hidden-value');
  const other = await openApp();
  expect(await other.app.home.backups.restore(path)).toMatchObject({
    aside: undefined,
    untouched: ['config/local.json'],
  });
  expect(readFileSync(join(other.home, 'projects/home/boiler.md'), 'utf8')).toBe('The boiler is from 2019.');
  expect(readFileSync(join(other.home, '.env'), 'utf8')).toContain('SCHEDULER_RETRIES=3');
  expect(await other.app.schedule.jobs.list('home')).toMatchObject([{ prompt: 'call Ada' }]);
});

test('what is there is put aside, and settings with secrets stay', async () => {
  const { app, home } = await used();
  const { path } = await app.home.backups.make(temporaryFolder());
  writeFileSync(join(home, 'notes/today.md'), 'sun');
  writeFileSync(join(home, 'notes/new.md'), 'new');
  const { aside = '', untouched } = await app.home.backups.restore(path);
  expect(readFileSync(join(home, 'notes/today.md'), 'utf8')).toBe('rain');
  expect(readFileSync(join(aside, 'notes/today.md'), 'utf8')).toBe('sun');
  expect(readFileSync(join(home, 'notes/new.md'), 'utf8')).toBe('new');
  expect(untouched).toEqual(['.env', 'config/local.json', 'mcp.json']);
  expect(readFileSync(join(home, '.env'), 'utf8')).toContain('hidden-value-1');
});

test('a backup that is not what was written is refused before anything changes', async () => {
  const { app, home } = await used();
  const { path } = await app.home.backups.make(temporaryFolder());
  appendFileSync(join(path, 'notes/today.md'), 'more');
  writeFileSync(join(home, 'notes/today.md'), 'sun');
  await expect(app.home.backups.restore(path)).rejects.toMatchObject({ code: 'store_damaged' });
  expect(readFileSync(join(home, 'notes/today.md'), 'utf8')).toBe('sun');
});

test('a manifest that leads out of its folder is refused', async () => {
  const { app } = await used();
  const { path } = await app.home.backups.make(temporaryFolder());
  const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  manifest.files.push({ path: 'notes/../../x', bytes: 0, sha256: '' });
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest));
  await expect(app.home.backups.restore(path)).rejects.toThrow('leads out of it');
});

test('what has not changed takes no room twice, and what was spoilt is not taken over', async () => {
  let at = Date.parse('2026-11-26T08:00:00Z');
  const { app, home, settings } = await used();
  const deps = { settings, store: app.store, redactor: new Redactor(), now: () => new Date(at) };
  const backups = new HomeBackups(deps);
  const to = temporaryFolder();
  const first = await backups.make(to);
  at += 60_000;
  appendFileSync(join(first.path, 'notes/today.md'), 'spoilt');
  const second = await backups.make(to);
  const shared = (name: string) => statSync(join(first.path, name)).ino === statSync(join(second.path, name)).ino;
  expect([shared('projects/home/boiler.md'), shared('notes/today.md')]).toEqual([true, false]);
  expect(readFileSync(join(second.path, 'notes/today.md'), 'utf8')).toBe(
    readFileSync(join(home, 'notes/today.md'), 'utf8'),
  );
});

test('of a backup that fails nothing is left', async () => {
  const { app } = await used();
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(app.home.backups.make(join(file, 'below'))).rejects.toMatchObject({ code: 'home_not_writable' });
  const to = temporaryFolder();
  const spoilt = new HomeBackups({
    settings: { ...(await used()).settings },
    store: Object.assign(Object.create(app.store) as typeof app.store, { location: { kind: 'sqlite', path: file } }),
    redactor: new Redactor(),
    now: () => new Date(),
  });
  await expect(spoilt.make(to)).rejects.toThrow();
  expect(readdirSync(to)).toEqual([]);
});

test('two of one second are two, and what a killed program has left of one goes after a day', async () => {
  let at = Date.parse('2026-11-26T08:00:00Z');
  const { app, settings } = await used();
  const backups = new HomeBackups({ settings, store: app.store, redactor: new Redactor(), now: () => new Date(at) });
  const to = temporaryFolder();
  const paths = [await backups.make(to), await backups.make(to)].map(({ path }) => path);
  expect(paths.map((path) => basename(path))).toEqual([
    'wooster-2026-11-26T08-00-00Z',
    'wooster-2026-11-26T08-00-00Z-2',
  ]);
  const left = join(to, 'wooster-2026-11-25T07-00-00Z.part');
  const underway = join(to, 'wooster-2026-11-26T08-00-01Z.part');
  for (const [path, hours] of [
    [left, -25],
    [underway, 0],
  ] as const) {
    mkdirSync(path);
    utimesSync(path, at / 1000, (at + hours * 3_600_000) / 1000);
  }
  at += 1000;
  await backups.make(to);
  expect([left, underway].map((path) => existsSync(path))).toEqual([false, true]);
});

test('older backups are thinned out', async () => {
  let at = Date.parse('2026-11-26T08:00:00Z');
  const { app, settings } = await used();
  const backups = new HomeBackups({ settings, store: app.store, redactor: new Redactor(), now: () => new Date(at) });
  for (const hours of [0, 1, 2, 3]) {
    at = Date.parse('2026-11-26T08:00:00Z') + hours * 3_600_000;
    await backups.make();
  }
  expect(await backups.thin()).toBe(0);
  at += 3 * 86_400_000;
  expect(await backups.thin()).toBe(3);
  expect((await backups.list()).map(({ manifest }) => manifest.at)).toEqual(['2026-11-26T11:00:00.000Z']);
});

test('homes that share a folder do not take the backups of each other for their own', async () => {
  const to = temporaryFolder();
  const backupsOf = async () => {
    const { app, settings } = await used();
    const own = { ...settings, backup: { ...settings.backup, to } };
    return new HomeBackups({ settings: own, store: app.store, redactor: new Redactor(), now: () => new Date() });
  };
  const [one, other] = [await backupsOf(), await backupsOf()];
  const { path } = await one.make();
  expect([await one.list(), await other.list()].map((all) => all.map((each) => each.path))).toEqual([[path], []]);
});

describe.runIf(STORE_KINDS.includes('postgres'))('of a home on a server', () => {
  test('the rows become a file, which brings them back on any database', async () => {
    const { settings } = await used();
    const from = await openHome(await emptyDatabase());
    const rule = { id: 'r', tool: 't', destination: 'd', created_at: '2026-01-01T00:00:00.000Z' };
    await from.db.insertInto('approval_rules').values(rule).execute();
    const of = (store: typeof from, dir = settings) =>
      new HomeBackups({ settings: dir, store, redactor: new Redactor(), now: () => new Date() });
    const { path } = await of(from).make(temporaryFolder());
    expect(readdirSync(path).toSorted()).not.toContain('locks');
    const server = await openHome(await emptyDatabase());
    const file = await openTestStore(join(temporaryFolder(), 'w.sqlite3'), { kind: 'sqlite' });
    for (const store of [server, file]) {
      const dir = temporaryFolder();
      await of(store, loadSettings(dir, { WOOSTER_HOME: dir }, { alone: true })).restore(path);
      expect(existsSync(join(dir, 'notes/today.md'))).toBe(true);
    }
    expect(await server.db.selectFrom('approval_rules').select('id').execute()).toEqual([{ id: 'r' }]);
    const again = await openTestStore((file.location as { path: string }).path, { kind: 'sqlite' });
    expect(await again.db.selectFrom('approval_rules').select('id').execute()).toEqual([{ id: 'r' }]);
    await again.close();
    await file.close();
  });
});
