/**
 * What goes wrong between the program and a PostgreSQL server, made to go wrong. `npm run test:faults [COMMITS]`;
 * prints a line per promise and exits with 1 when one is broken. Wants WOOSTER_TEST_STORE_URL, and for the restart
 * of the server WOOSTER_TEST_RESTART, a command that does it.
 */
import { exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  addJobs,
  type Bar,
  direct,
  effectsOf,
  ended,
  line,
  makeDue,
  newHome,
  programs,
  serverUrl,
  show,
} from '../bench/workers-world.ts';
import { messageOf } from '../src/base/errors.ts';
import { openStore, type Store } from '../src/store/store.ts';

const commits = Number(process.argv[2] ?? 200);
const restart = process.env.WOOSTER_TEST_RESTART;
const LONGEST_HANG_S = 30;
const BACK_S = 5;

const url = serverUrl();
const bars = [
  ...(await lostReplies()),
  ...(await blackHole()),
  await broken(),
  ...(restart ? [await restarted(restart)] : []),
];
show(bars);
process.exit(bars.every(({ ok }) => ok) ? 0 : 1);

/** The line breaks right after the server was sent a commit: whether it came through, nobody on this side knows. */
async function lostReplies(): Promise<Bar[]> {
  const client = await direct(url);
  const home = newHome();
  const cable = await line(url);
  const store = await openStore({ kind: 'postgres', url, home });
  const jobs = commits * 2;
  await addJobs(store, jobs);
  const [worker] = await programs(1, { url: cable.url, home });
  await makeDue(client, home);
  worker?.start();
  const end = performance.now() + 240_000;
  let all = false;
  while (!all && performance.now() < end) {
    if (cable.state.cut < commits && cable.state.cutCommits === 0) cable.state.cutCommits = 1;
    all = await ended(client, home, { count: jobs, withinMs: 200 });
  }
  const { twice, shares } = await effectsOf(client, home);
  const { rows } = await client.query("select count(*)::int as n from runs where home = $1 and state <> 'succeeded'", [
    home,
  ]);
  await worker?.kill('SIGTERM');
  await store.close();
  cable.close();
  await client.end();
  return [
    bar(`${cable.state.cut} commits without a reply: runs lost`, jobs - (shares[0] ?? 0), 0),
    bar('  effects twice', twice, 0),
    bar('  runs without an end, or with an unknown one', rows[0]?.n, 0),
  ];
}

/** Packets vanish: who waits gets an error, and when they come through again, everything works again. */
async function blackHole(): Promise<Bar[]> {
  const cable = await line(url);
  const store = await openStore({ kind: 'postgres', url: cable.url, home: newHome() });
  await ask(store);
  cable.state.silent = true;
  const hangs = await Promise.all(Array.from({ length: 6 }, () => secondsUntilAnswer(store)));
  cable.state.silent = false;
  const back = await secondsUntilBack(store);
  await store.close();
  cable.close();
  return [
    bar('black hole: longest hang, s', Math.max(...hangs), LONGEST_HANG_S + 1),
    bar('  back afterwards, s', back, BACK_S),
  ];
}

/** The server ends all connections, as it does when it fails over. */
async function broken(): Promise<Bar> {
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

async function restarted(command: string): Promise<Bar> {
  const store = await openStore({ kind: 'postgres', url, home: newHome() });
  await ask(store);
  await promisify(exec)(command);
  const back = await secondsUntilBack(store);
  await store.close();
  return bar('server restarted: back after, s', back, BACK_S);
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
