import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadSettings } from '../settings/settings.ts';
import { temporaryFolder } from '../testing/home.ts';
import { addRule, rulesOf } from '../testing/test-database.ts';
import { machineZone } from '../when/zone.ts';
import { openFoundation } from './foundation.ts';

/** The foundation of a program on this home, closed with the test. */
async function open(
  home: string,
  env: NodeJS.ProcessEnv = {},
  { mends, verbose = false }: { mends?: boolean; verbose?: boolean } = {},
) {
  const settings = loadSettings(home, env, { alone: true });
  const announced: string[] = [];
  const frontend = { announce: (text: string) => void announced.push(text), verbose };
  const foundation = await openFoundation(settings, frontend, { mends });
  onTestFinished(async () => {
    await foundation.gateway.close();
    await foundation.store.close();
    foundation.log.close();
  });
  return { ...foundation, announced };
}

const logged = (home: string) => {
  const [file = ''] = readdirSync(join(home, 'logs'));
  return readFileSync(join(home, 'logs', file), 'utf8');
};

/** A home with a file for a database, and what else is there. */
function homeWith(database: string | Buffer, ...more: readonly string[]) {
  const home = temporaryFolder();
  const path = join(home, 'state', 'wooster.sqlite3');
  mkdirSync(dirname(path));
  writeFileSync(path, database);
  for (const name of more) mkdirSync(join(home, name), { recursive: true });
  return { home, path };
}

test('log and database are in the home, and no secret gets into either', async () => {
  const home = temporaryFolder();
  const env = { OPENAI_API_KEY: 'sk-of-ours-123456', GARDEN_TOKEN: 'of-another-program', GARDEN: 'in the open' };
  const { store, log, redactor, announced } = await open(home, env);
  log.info('sk-of-ours-123456 of-another-program in the open');
  expect(logged(home)).toMatch(/"msg":"(?!sk-of)\S+ (?!of-another)\S+ in the open"/u);
  expect(redactor.redact('sk-of-ours-123456')).not.toContain('sk-of-ours');
  expect(store).toMatchObject({ kind: 'sqlite', location: { path: join(home, 'state', 'wooster.sqlite3') } });
  expect(store.unkept).toBeUndefined();
  expect(announced).toEqual([]);
});

test('lines below the level that is set are not kept', async () => {
  const home = temporaryFolder();
  const { log } = await open(home, { LOG_LEVEL: 'warn' });
  log.info('small');
  log.warn('large');
  expect(logged(home)).toMatch(/large/u);
  expect(logged(home)).not.toContain('small');
});

test.each([true, false])('with verbose = %s, that is what is seen of the log at once', async (verbose) => {
  const written: unknown[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(text) > 0);
  onTestFinished(() => spy.mockRestore());
  const { log } = await open(temporaryFolder(), {}, { verbose });
  log.warn('look here');
  expect(written.join('').includes('look here')).toBe(verbose);
});

test('what is kept aside for a model lies in the database, at the time of the clock', async () => {
  const { artifacts, store, now } = await open(temporaryFolder());
  expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(60_000);
  expect(artifacts).toBeDefined();
  expect(await store.read.selectFrom('turns').selectAll().execute()).toEqual([]);
});

test.each([
  [{}, machineZone()],
  [{ WOOSTER_TIME_ZONE: 'Asia/Tokyo' }, 'Asia/Tokyo'],
])('with %j the owner is in %s', async (env, expected) => {
  expect((await open(temporaryFolder(), env)).timeZone).toBe(expected);
});

test('a time zone that is none is refused with what to write instead', async () => {
  const home = temporaryFolder();
  await expect(open(home, { WOOSTER_TIME_ZONE: 'Middle/Earth' })).rejects.toMatchObject({
    code: 'bad_setting',
    message: expect.stringMatching(/^WOOSTER_TIME_ZONE: .*Middle\/Earth/u),
    hint: 'Use an IANA name such as Europe/Oslo or America/New_York.',
    cause: { code: 'bad_time' },
  });
  expect(readdirSync(home)).toEqual([]);
});

test('a database that is none is refused, and its log is closed', async () => {
  const { home, path } = homeWith('no database at all, but long enough to be one'.repeat(100));
  await expect(open(home)).rejects.toMatchObject({
    code: 'store_damaged',
    message: expect.stringContaining(path),
    hint: expect.stringContaining('wooster restore'),
  });
  await vi.waitFor(() => expect(openFiles(home)).toEqual([]));
});

test('the commands that mend a damaged database get one in its place that keeps nothing', async () => {
  const { home, path } = homeWith('no database at all, but long enough to be one'.repeat(100));
  const { store, announced } = await open(home, {}, { mends: true });
  expect(store.unkept).toMatchObject({ path, why: { code: 'store_damaged' } });
  expect(announced).toEqual([]);
});

test.each([
  ['projects', 'projects'],
  ['backups', 'state/backups'],
])('an empty file is no new database where the home has %s', async (_, folder) => {
  const { home, path } = homeWith('', folder);
  await expect(open(home)).rejects.toMatchObject({
    code: 'store_damaged',
    message: `The database ${path} is empty, but the home has been used before.`,
    hint: '`wooster restore FILE` brings a backup in (see state/backups/); to begin anew, delete the file.',
  });
});

test('an empty file in a home that was never used is a new database', async () => {
  const { home } = homeWith('');
  expect((await open(home)).store.unkept).toBeUndefined();
});

test('a database that has rows is opened again', async () => {
  const home = temporaryFolder();
  const first = await open(home);
  await addRule(first.store, 'kept');
  await first.store.close();
  mkdirSync(join(home, 'projects'));
  expect(await rulesOf((await open(home)).store)).toEqual(['kept']);
});

test('an empty file beside a log of what was written is a database', async () => {
  const { home, path } = homeWith('', 'projects');
  writeFileSync(`${path}-wal`, '');
  expect((await open(home)).store.unkept).toBeUndefined();
});

test('a home that cannot be written answers questions and keeps nothing, as its owner is told', async () => {
  const home = temporaryFolder();
  const first = await open(home);
  await addRule(first.store, 'kept');
  await first.store.close();
  // Where the database would put what its connections share.
  mkdirSync(join(home, 'state', 'wooster.sqlite3-shm'));
  const { store, announced } = await open(home);
  expect(await rulesOf(store)).toEqual(['kept']);
  expect(store.unkept).toMatchObject({ why: { code: 'home_not_writable' } });
  const why = store.unkept?.why.message ?? '';
  expect(announced).toEqual([`${why} Until that is put right nothing is kept; questions are answered all the same.`]);
  // Whether it may repair a damaged database does not matter here.
  expect((await open(home, {}, { mends: true })).announced).toEqual(announced);
});

test('where there is no home at all, nothing stands in for it', async () => {
  await expect(open('/dev/null/home')).rejects.toMatchObject({ code: 'home_not_writable' });
});

test.each([
  ['there is a file', (dir: string) => writeFileSync(dir, '')],
  ['it lies below a file', (dir: string) => writeFileSync(dirname(dir), '')],
])('with its rows on a server, a home still needs its folder: %s', async (_, spoil) => {
  const dir = join(temporaryFolder(), 'homes', 'anna');
  if (_ === 'there is a file') mkdirSync(dirname(dir));
  spoil(dir);
  await expect(open(dir, { WOOSTER_STORE_URL: 'postgresql://127.0.0.1:1/none' })).rejects.toMatchObject({
    code: 'home_not_writable',
    message: expect.stringMatching(new RegExp(`^The folder ${dir} cannot be used: E[A-Z]+`, 'u')),
    hint: 'Start with --home DIR (or WOOSTER_HOME) pointing to a folder of your own.',
    cause: expect.any(Error),
  });
});

test('a server that is not there is reported, and no file takes its place', async () => {
  const dir = join(temporaryFolder(), 'anna');
  const server = { WOOSTER_STORE_URL: 'postgresql://127.0.0.1:1/none', WOOSTER_HOME_ID: 'anna' };
  await expect(open(dir, { ...server, LOG_LEVEL: 'silent' })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('127.0.0.1:1'),
  });
  // Notes, documents and plugins are there regardless.
  expect(readdirSync(dir)).toEqual([]);
  await vi.waitFor(() => expect(openFiles(dir)).toEqual([]));
});

/** Files of a home that this process holds open, on systems that list them. */
function openFiles(home: string): string[] {
  const all = '/proc/self/fd';
  const names = existsSync(all) ? readdirSync(all) : [];
  return names.map((name) => targetOf(join(all, name))).filter((path) => path.startsWith(home));
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
