/**
 * What goes wrong between programs and a PostgreSQL server, made to go wrong: `npm run test:faults [-- COMMITS TRIES]`.
 * Prints a line per promise and exits with 1 when one is broken. It starts a server of its own, and restarts it.
 *
 * What becomes of jobs when programs are killed is measured by `npm run bench -- workers`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  addJobs,
  type Bar,
  direct,
  effectsOf,
  ended,
  idleScheduler,
  makeDue,
  newHome,
  programs,
  show,
} from '../bench/workers-world.ts';
import { messageOf } from '../src/base/errors.ts';
import { NEWEST } from '../src/store/migrations.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { openCable } from '../src/testing/cable.ts';
import { writeReceipt } from '../src/tools/gate/receipts.ts';
import { verifyReceipts } from '../src/tools/gate/verify-receipts.ts';
import { exclusiveRace } from './exclusive-race.ts';
import { type TestServer, withTestServer } from './test-server.ts';

const PORT = 54320;
const [commits = 200, tries = 10_000] = process.argv.slice(2).map(Number);
const LONGEST_HANG_S = 30;
const BACK_S = 5;
const MIGRATIONS = 20;
const LONGEST_MIGRATION_MS = 400;
/** When each is lost, nothing goes on. */
const ONE_OF = 3;
const JOBS_PER_ROUND = 200;
/** A lease, the patience of whoever takes its run up, and something for a busy machine. */
const LONGEST_SETTLING_MS = 180_000;
const SLOTS = 200;
const RECEIPTS = 100;

const bars = await withTestServer({ port: PORT }, all);
show(bars);
process.exit(bars.every(({ ok }) => ok) ? 0 : 1);

/** The programs that are started find the server in the environment. */
async function all({ url, restart }: TestServer): Promise<Bar[]> {
  process.env.WOOSTER_TEST_STORE_URL = url;
  return [
    ...(await lostReplies(url)),
    ...(await blackHole(url)),
    await stopsInSilence(url),
    await broken(url),
    await restarted(url, restart),
    await migrationsKilled(url),
    ...(await planners(url)),
    ...(await receipts(url)),
    ...(await race(url)),
  ];
}

/** The line breaks right after the server was sent a commit: whether it came through, nobody on this side knows. */
async function lostReplies(url: string): Promise<Bar[]> {
  const client = await direct(url);
  const home = newHome();
  const cable = await openCable(url);
  const store = await openStore({ kind: 'postgres', url, home });
  const [worker] = await programs(1, { url: cable.url, home });
  worker?.start();
  cable.loseReplies(ONE_OF);
  let jobs = 0;
  while (cable.lost < commits) {
    const before = cable.lost;
    await addJobs(store, JOBS_PER_ROUND);
    jobs += JOBS_PER_ROUND;
    await makeDue(client, home);
    await ended(client, home, { count: jobs, withinMs: LONGEST_SETTLING_MS });
    if (cable.lost === before) throw new Error(`no reply to a commit was lost in a round of ${JOBS_PER_ROUND} jobs`);
  }
  cable.loseReplies(0);
  const { twice, shares } = await effectsOf(client, home);
  const { rows } = await client.query("select count(*)::int as n from runs where home = $1 and state <> 'succeeded'", [
    home,
  ]);
  await worker?.kill('SIGTERM');
  await store.close();
  cable.close();
  await client.end();
  return [
    {
      ...bar('commits whose reply was lost', cable.lost, commits),
      limit: `>= ${commits}`,
      ok: cable.lost >= commits,
    },
    bar('  runs lost', jobs - (shares[0] ?? 0), 0),
    bar('  effects twice', twice, 0),
    bar('  runs without an end, or with an unknown one', rows[0]?.n, 0),
  ];
}

/** Packets vanish: who waits gets an error, and when they come through again, everything works again. */
async function blackHole(url: string): Promise<Bar[]> {
  const cable = await openCable(url);
  const store = await openStore({ kind: 'postgres', url: cable.url, home: newHome() });
  await ask(store);
  cable.cut('silent');
  const hangs = await Promise.all(Array.from({ length: 6 }, () => secondsUntilAnswer(store)));
  cable.mend();
  const back = await secondsUntilBack(store);
  await store.close();
  cable.close();
  return [
    bar('black hole: longest hang, s', Math.max(...hangs), LONGEST_HANG_S + 1),
    bar('  back afterwards, s', back, BACK_S),
  ];
}

/** A program with runs in progress is told to end while packets vanish. */
async function stopsInSilence(url: string): Promise<Bar> {
  const client = await direct(url);
  const home = newHome();
  const cable = await openCable(url);
  const store = await openStore({ kind: 'postgres', url, home });
  await addJobs(store, 50);
  const [worker] = await programs(1, { url: cable.url, home });
  await makeDue(client, home);
  worker?.start();
  await ended(client, home, { count: 5, withinMs: 20_000 });
  cable.cut('silent');
  const since = performance.now();
  await worker?.kill('SIGTERM');
  const seconds = (performance.now() - since) / 1000;
  cable.close();
  await store.close();
  await client.end();
  return bar('  a worker that is stopped then has ended after, s', seconds, 2 * LONGEST_HANG_S);
}

/** The server ends all connections, as it does when it fails over. */
async function broken(url: string): Promise<Bar> {
  // A name of its own: others may be using the server.
  const named = new URL(url);
  named.searchParams.set('application_name', newHome());
  const store = await openStore({ kind: 'postgres', url: named.href, home: newHome() });
  await ask(store);
  const client = await direct(url);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    named.searchParams.get('application_name'),
  ]);
  const back = await secondsUntilBack(store);
  await client.end();
  await store.close();
  return bar('connections ended by the server: back after, s', back, BACK_S);
}

async function restarted(url: string, restart: TestServer['restart']): Promise<Bar> {
  const store = await openStore({ kind: 'postgres', url, home: newHome() });
  await ask(store);
  await restart();
  const back = await secondsUntilBack(store);
  await store.close();
  return bar('server restarted: back after, s', back, BACK_S);
}

/** A program is killed at some moment while it makes the tables of an empty database; the next one makes them. */
async function migrationsKilled(url: string): Promise<Bar> {
  let broken = 0;
  for (let n = 0; n < MIGRATIONS; n++) {
    const name = `wooster_killed_${process.pid}_${n}`;
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`create database ${name} template template0 encoding 'UTF8'`);
    const location = { kind: 'postgres', url: Object.assign(new URL(url), { pathname: `/${name}` }).href, home: 'h' };
    const child = opener(location);
    const opened = once(child, 'close');
    await Promise.race([opened, changing(client, name)]);
    await Promise.race([opened, sleep((n * LONGEST_MIGRATION_MS) / MIGRATIONS)]);
    child.kill('SIGKILL');
    await opened;
    broken += await newestAfterwards(location as Parameters<typeof openStore>[0]).then(
      (version) => (version === NEWEST ? 0 : 1),
      () => 1,
    );
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
  return bar(`migration killed ${MIGRATIONS} times: homes not usable then`, broken, 0);
}

/** Wait until somebody is in a transaction in a database. */
async function changing(client: Client, database: string): Promise<void> {
  const inside = 'select from pg_stat_activity where datname = $1 and xact_start is not null';
  while ((await client.query(inside, [database])).rows.length === 0) await sleep(5);
}

function opener(location: object): ChildProcess {
  const program = `
    const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, '../src/store/store.ts'))});
    await (await openStore(${JSON.stringify(location)})).close();`;
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: 'ignore' });
}

async function newestAfterwards(location: Parameters<typeof openStore>[0]): Promise<number> {
  const store = await openStore(location);
  await ask(store);
  await store.close();
  const client = new Client({ connectionString: (location as { url: string }).url });
  await client.connect();
  const { rows } = await client.query('select version from wooster_schema');
  await client.end();
  return Number(rows[0]?.version);
}

/** Two programs find the same jobs due: each time of a job is one run. */
async function planners(url: string): Promise<Bar[]> {
  const [client, home] = [await direct(url), newHome()];
  const location = { kind: 'postgres', url, home } as const;
  const stores = [await openStore(location), await openStore(location)];
  const [first] = stores;
  if (first) await addJobs(first, SLOTS);
  await makeDue(client, home);
  await Promise.all(stores.map((store) => idleScheduler(store).tick()));
  const { rows } = await client.query('select count(*)::int as n from runs where home = $1', [home]);
  await Promise.all(stores.map((store) => store.close()));
  await client.end();
  const n = Number(rows[0]?.n);
  return [{ ...bar(`two planners, ${SLOTS} jobs due: runs`, n, SLOTS), limit: `= ${SLOTS}`, ok: n === SLOTS }];
}

/** Three programs write receipts at once: one chain without a gap. */
async function receipts(url: string): Promise<Bar[]> {
  const location = { kind: 'postgres', url, home: newHome() } as const;
  const stores = await Promise.all([1, 2, 3].map(() => openStore(location)));
  const about = { turn_id: 't', conversation_id: 'c', tool: 'x', effect: 'local', destination: null } as const;
  const rest = { input: '{}', input_sha: '', state: 'done', result: null, approved_by: null } as const;
  const none = { effect_id: null, result_sha: null } as const;
  const write = async (store: Store) => {
    for (let n = 0; n < RECEIPTS; n++)
      await writeReceipt(store, { at: new Date().toISOString(), ...about, ...rest, ...none });
  };
  await Promise.all(stores.map(write));
  const [first] = stores;
  const found = first && (await verifyReceipts(first));
  await Promise.all(stores.map((store) => store.close()));
  return [
    bar('3 programs write 100 receipts each: lost', 3 * RECEIPTS - (found?.receipts ?? 0), 0),
    bar('  breaks in the chain', found?.problems.length ?? 1, 0),
  ];
}

async function race(url: string): Promise<Bar[]> {
  const { claimed, refused, both } = await exclusiveRace(url, tries);
  return [bar(`exclusive job, ${tries} tries, ${claimed} claims, ${refused} refused`, both, 0)];
}

async function ask(store: Store): Promise<void> {
  await store.transaction(() => store.db.selectFrom('runs').select('id').limit(1).execute());
}

/** An error is an answer as well. */
async function secondsUntilAnswer(store: Store): Promise<number> {
  const since = performance.now();
  await ask(store).catch((error: unknown) => messageOf(error));
  return (performance.now() - since) / 1000;
}

async function secondsUntilBack(store: Store): Promise<number> {
  const since = performance.now();
  for (;;) {
    const works = await ask(store).then(
      () => true,
      () => false,
    );
    const seconds = (performance.now() - since) / 1000;
    if (works || seconds > 60) return seconds;
    await sleep(50);
  }
}

function bar(what: string, value: number, most: number): Bar {
  const measured = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return { what, measured, limit: `<= ${most}`, ok: value <= most };
}
