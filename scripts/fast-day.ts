/**
 * A day of a service with no terminal open, on a clock that runs faster (apt-get install faketime): `npm run test:day
 * [-- FACTOR [REMINDERS [HOURS]]]`. Reminders at random seconds of 24 hours, and one that comes every quarter of an hour,
 * go to a server that speaks the protocol of ntfy, the next step of the route where nobody is. A factor of 60 takes 24
 * minutes; `npm run test:day -- 1 60 1` is a real hour.
 *
 * Prints what came, and how late by the clock of the wall: a fast clock makes no machine faster. What the service waited
 * for a processor that others had, as Linux counts it, is told apart; it counts all the same. The time that the service
 * gives a server to answer is shorter by the factor: on a busy machine a small factor is the fairer one. Exits with 1 when
 * a reminder did not come, came twice without a mark, or came more than two seconds after its time.
 *
 * @see https://docs.kernel.org/scheduler/sched-stats.html
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, getPriority, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/store/store.ts';
import { idleScheduler } from '../src/testing/idle-scheduler.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const ROOT = resolve(import.meta.dirname, '..');
const HOUR_MS = 3_600_000;
const QUARTER_MS = 15 * 60_000;
/** Of the fast clock: the service starts before the first reminder is due, and the last one gets there. */
const [LEAD_MS, REST_MS] = [10 * 60_000, 30 * 60_000];
const LATEST_MS = 2000;
/** How exactly the fast clock is known, of the wall's. */
const CLOCK_MS = 50;
/** How often it is read what the service has waited for a processor. */
const LOOK_MS = 20;

const [factor = 60, reminders = 200, hours = 24] = process.argv.slice(2).map(Number);
const lastingMs = hours * HOUR_MS;
if (!existsSync(LIBRARY)) {
  process.stderr.write(`${LIBRARY} is missing: apt-get install faketime\n`);
  process.exit(2);
}

interface Arrival {
  readonly text: string;
  /** By the clock of the wall. */
  readonly atMs: number;
}

/** What the service had waited for a processor, altogether, at a time of the wall's. */
interface Queued {
  readonly atMs: number;
  readonly queuedMs: number;
}

const usual = getPriority();
comeFirst();
const home = mkdtempSync(join(tmpdir(), 'wooster-day-'));
const arrivals: Arrival[] = [];
const server = await phone(arrivals);
const beginMs = Date.now();
const due = await addReminders();
const child = serve((server.address() as AddressInfo).port);
const looks: Queued[] = [];
const looking = setInterval(() => look(Date.now()), LOOK_MS);
try {
  const clock = await clockOf(child);
  const endMs = beginMs + LEAD_MS + lastingMs + REST_MS;
  await sleep((endMs - clock.fastMs(Date.now())) / factor);
  child.kill('SIGTERM');
  await once(child, 'close');
  process.exitCode = report(clock);
} finally {
  clearInterval(looking);
  child.kill('SIGKILL');
  server.close();
  rmSync(home, { recursive: true, force: true });
}

/** Speaks as much of ntfy as a phone needs. @see https://docs.ntfy.sh/publish/#publish-as-json */
async function phone(into: Arrival[]): Promise<Server> {
  const ntfy = createServer(async (request, response) => {
    const atMs = Date.now();
    const { message, topic } = (await json(request)) as { readonly message: string; readonly topic: string };
    into.push({ text: message, atMs });
    look(atMs);
    const answer = { id: `m${into.length}`, time: Math.round(atMs / 1000), event: 'message', topic, message };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  ntfy.listen(0, '127.0.0.1');
  await once(ntfy, 'listening');
  return ntfy;
}

/** @returns when each text is due, by the fast clock. */
async function addReminders(): Promise<ReadonlyMap<string, number>> {
  const store = await openStore(join(home, 'state', 'wooster.sqlite3'));
  const scheduler = idleScheduler(store);
  const times = new Map<string, number>();
  const add = (prompt: string, when: string) =>
    scheduler.add({ prompt, when, project: 'home', untrusted: false, options: { verbatim: true } });
  await store.transaction(async () => {
    for (let nth = 0; nth < reminders; nth++) {
      const atMs = Math.ceil((beginMs + LEAD_MS + Math.random() * lastingMs) / 1000) * 1000;
      times.set(`reminder ${nth}.`, atMs);
      await add(`reminder ${nth}.`, new Date(atMs).toISOString());
    }
    await add('a quarter.', '*/15 * * * *');
  });
  await store.close();
  return times;
}

function serve(port: number): ChildProcess {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, WOOSTER_HOME: home, TZ: 'UTC' },
    ...{ ROUTING_LOCAL_ENABLED: 'false', NTFY_URL: `http://127.0.0.1:${port}`, NTFY_TOPIC: 'day' },
    ...{ NOTIFY_ROUTE_DEFAULT: 'here, ntfy', LD_PRELOAD: LIBRARY, FAKETIME: `+0 x${factor}` },
  };
  const program = [process.execPath, '--no-sparkplug', join(ROOT, 'src/main.ts'), 'serve'];
  const [node = '', ...words] = program;
  const service = spawn(node, words, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (service.pid !== undefined) setPriority(service.pid, usual);
  return service;
}

interface FastClock {
  /** What the fast clock shows at a time of the wall's. */
  fastMs(wallMs: number): number;
}

/** The service writes its time into a file, whose own time is the kernel's. */
async function clockOf(service: ChildProcess): Promise<FastClock> {
  const file = join(home, 'state', 'serving.json');
  while (!existsSync(file)) {
    if (service.exitCode !== null) throw new Error('serve has ended');
    await sleep(20);
  }
  const { seenAt } = JSON.parse(readFileSync(file, 'utf8')) as { readonly seenAt: string };
  const [fast, wall] = [Date.parse(seenAt), statSync(file).mtimeMs];
  return { fastMs: (wallMs) => fast + (wallMs - wall) * factor };
}

/** The phone and its clock are no part of what is measured, so others do not come first; root may say so. */
function comeFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    process.stderr.write('Not run as root: on a busy machine, arrivals are seen late.\n');
  }
}

/** Of the thread in which the program runs; one that has ended is no longer looked at. */
function look(atMs: number): void {
  try {
    const [, waitedNs = ''] = readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ');
    looks.push({ atMs, queuedMs: Number(waitedNs) / 1e6 });
  } catch {}
}

/** How long the service waited for a processor between two times; rather less than more. */
function queuedBetween(fromMs: number, toMs: number): number {
  const from = looks.find(({ atMs }) => atMs >= fromMs);
  const to = looks.findLast(({ atMs }) => atMs <= toMs);
  return from && to ? Math.max(0, to.queuedMs - from.queuedMs) : 0;
}

/** The times at which something is due, each with its text, in their order. */
function* everyDue(): Generator<readonly [text: string, dueMs: number]> {
  yield* due;
  const [from, to] = [beginMs + LEAD_MS, beginMs + LEAD_MS + lastingMs];
  for (let at = Math.ceil(from / QUARTER_MS) * QUARTER_MS; at < to; at += QUARTER_MS) yield ['a quarter.', at];
}

/** Each that is due takes the first that came from its time on. @returns the exit code. */
function report(clock: FastClock): number {
  const [lateMs, ownMs, wrong]: [number[], number[], string[]] = [[], [], []];
  const left = arrivals.map(({ text, atMs }) => ({ text, atMs, fastMs: clock.fastMs(atMs) }));
  for (const [text, dueMs] of everyDue()) {
    const at = left.findIndex((each) => each.text === text && each.fastMs > dueMs - CLOCK_MS * factor);
    const [first] = at < 0 ? [] : left.splice(at, 1);
    if (first) {
      const late = (first.fastMs - dueMs) / factor;
      lateMs.push(late);
      ownMs.push(late - queuedBetween(first.atMs - late, first.atMs));
    } else wrong.push(`"${text}", due at ${new Date(dueMs).toISOString()}, did not come`);
  }
  const again = left.filter(({ text }) => due.has(text));
  wrong.push(...again.map(({ text, fastMs }) => `"${text}" came again at ${new Date(fastMs).toISOString()}`));
  const tooLate = lateMs.filter((ms) => ms > LATEST_MS).length;
  for (const each of wrong) process.stdout.write(`${each}\n`);
  process.stdout.write(
    `${hours} hours at ${factor} times: ${lateMs.length} came, ${wrong.length} wrong, ` +
      `${tooLate} more than ${LATEST_MS} ms late\n` +
      `after its time: ${spread(lateMs)}\nwithout waiting for a processor: ${spread(ownMs)}\n`,
  );
  return wrong.length + tooLate === 0 ? 0 : 1;
}

function spread(ms: readonly number[]): string {
  const ascending = ms.toSorted((one, other) => one - other);
  const at = (part: number) => `${Math.round(ascending[Math.floor((ascending.length - 1) * part)] ?? 0)} ms`;
  return `half within ${at(0.5)}, 99 % within ${at(0.99)}, the last ${at(1)}`;
}
