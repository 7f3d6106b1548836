/** What several programs do to one store at once. Each of these tests starts programs; the rest is beside what it is about. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { leaseHolder, processIdentity } from '../base/process-identity.ts';
import { temporaryFolder } from '../testing/home.ts';
import { sqliteOfSchema19 } from '../testing/schema-19.ts';
import { sqlRun } from '../testing/sql.ts';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { addRule, emptyDatabase, openHome, query, rulesOf, serverUrl } from '../testing/test-database.ts';
import { NEWEST } from './migrations.ts';
import { openStore } from './store.ts';
import { goneOwners } from './workers.ts';

const STORE = JSON.stringify(join(import.meta.dirname, 'store.ts'));
const IDENTITY = JSON.stringify(join(import.meta.dirname, '../base/process-identity.ts'));

/** Makes a program one that has a step from the version 19 to the next. */
const LATER = `
  const { registerHooks } = await import('node:module');
  registerHooks({ load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/store/steps.ts')) return loaded;
    const step = "async (db) => { await db.schema.createTable('moods').addColumn('x', 'text').execute(); }";
    return { ...loaded, source: String(loaded.source).replace('STEPS: readonly Step[] = [', 'STEPS: readonly Step[] = [' + step + ', ') };
  } });`;

test.each(['new', 'old'])('three programs that start at once on a home that is %s all find the newest', async (age) => {
  const path = age === 'new' ? join(temporaryFolder(), 'new.sqlite3') : sqliteOfSchema19();
  const script = `${LATER}
    const { openStore } = await import(${STORE});
    const store = await openStore(${JSON.stringify(path)});
    await store.db.insertInto('workers').values({ id: String(process.pid), host: '', started_at: '', seen_at: '' }).execute();
    await store.close();`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  await Promise.all([start(), start(), start()]);
  using database = new DatabaseSync(path, { readOnly: true });
  expect(database.prepare('SELECT count(*) AS n FROM workers').get()).toEqual({ n: 3 });
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: NEWEST + 1 });
  const moods = database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'moods'").get();
  const backups = age === 'new' ? [] : readdirSync(join(path, '../backups'));
  expect([moods, backups]).toMatchObject(age === 'new' ? [{ n: 0 }, []] : [{ n: 1 }, { length: 1 }]);
});

/** Another program with the store open. @returns a holder of leases in it. */
async function otherProgram(path: string) {
  const script = `
    const { openStore } = await import(${STORE});
    const { leaseHolder } = await import(${IDENTITY});
    const store = await openStore(${JSON.stringify(testLocation(path, 'postgres'))});
    process.stdin.once('data', async () => { await store.close(); process.exit(); });
    console.log(leaseHolder());`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  const ended = once(child, 'close');
  return { owner: String(said).trim(), child, ended };
}

describe.runIf(STORE_KINDS.includes('postgres'))('programs on PostgreSQL', () => {
  test('a hint reaches other programs of the same home, and no other home', async () => {
    const home = `test-${Math.random()}`;
    const [one, two] = [await openHome(serverUrl(), home), await openHome(serverUrl())];
    const heard: string[] = [];
    one.wake.on('jobs', () => heard.push('one'));
    two.wake.on('jobs', () => heard.push('two'));
    // Listening has begun when everybody was told to look.
    await expect.poll(() => heard.toSorted()).toEqual(['one', 'two']);
    heard.length = 0;
    const script = `
      const { openStore } = await import(${STORE});
      const store = await openStore(${JSON.stringify(one.location)});
      await store.wake.notify('jobs');
      await store.close();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await expect.poll(() => heard).toEqual(['one']);
  });

  test('a lock is free at once when its holder was killed', async () => {
    const store = await openHome(serverUrl());
    const script = `
      const { openStore } = await import(${STORE});
      const store = await openStore(${JSON.stringify(store.location)});
      const lock = await store.lock('index');
      console.log(lock ? 'held' : 'taken');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('held\n');
    expect(await store.lock('index')).toBeUndefined();
    child.kill('SIGKILL');
    const killed = performance.now();
    await expect.poll(() => store.lock('index'), { interval: 5 }).toBeDefined();
    expect(performance.now() - killed).toBeLessThan(1000);
  });

  test('of several programs come one after the other; shared ones do not wait', async () => {
    const url = await emptyDatabase();
    const store = await openHome(url, 'h');
    await store.db.insertInto('corpora').values({ project: 'p', revision: 0 }).execute();
    const script = `
      const { openStore } = await import(${STORE});
      const store = await openStore({ kind: 'postgres', url: ${JSON.stringify(url)}, home: 'h', pool: 4 });
      const count = async () => {
        const { revision } = await store.db.selectFrom('corpora').select('revision').executeTakeFirstOrThrow();
        await store.db.updateTable('corpora').set({ revision: revision + 1 }).execute();
      };
      await Promise.all(Array.from({ length: 40 }, () => store.transaction(count)));
      await store.close();`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await Promise.all([run(), run(), run()]);
    expect(await store.db.selectFrom('corpora').select('revision').execute()).toEqual([{ revision: 120 }]);
    await store.transaction(async () => {
      const other = await openHome(url, 'h');
      await other.transaction(() => addRule(other, 'beside'), { shared: true });
      expect(await rulesOf(store)).toEqual(['beside']);
    });
  });

  test('three programs that start at once on an empty database all find the tables', async () => {
    const url = await emptyDatabase();
    const script = `
      const { openStore } = await import(${STORE});
      const store = await openStore({ kind: 'postgres', url: ${JSON.stringify(url)}, home: 'h', pool: 1 });
      await store.db.insertInto('earlier_jobs').values({ key: String(process.pid), at: '' }).execute();
      await store.close();`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await Promise.all([run(), run(), run()]);
    expect(await query(url, 'select from earlier_jobs')).toHaveLength(3);
    expect(await query(url, 'select version from wooster_schema')).toEqual([{ version: NEWEST }]);
  });

  test('a program that has the store open is there, and gone once it has closed it', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, 'postgres'));
    onTestFinished(() => store.close());
    const { owner, child, ended } = await otherProgram(path);
    expect(await goneOwners(store, [owner, leaseHolder(), processIdentity()])).toEqual(new Set());
    child.stdin.write('close\n');
    await ended;
    expect(await goneOwners(store, [owner])).toEqual(new Set([owner]));
  });

  test('a program that was killed is gone when it was not seen for 30 seconds', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, 'postgres'));
    onTestFinished(() => store.close());
    const { owner, child, ended } = await otherProgram(path);
    child.kill('SIGKILL');
    await ended;
    expect(await goneOwners(store, [owner])).toEqual(new Set());
    const before = new Date(Date.parse(await store.now()) - 30_500).toISOString();
    await sqlRun(store, 'update workers set seen_at = ? where id like ?', before, `${owner.replace(/\/[^/]*$/u, '')}%`);
    expect(await goneOwners(store, [owner])).toEqual(new Set([owner]));
  });
});
