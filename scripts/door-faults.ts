/**
 * The door over HTTP under attack and under load: `npm run test:door`. A real `wooster serve --http` with the built-in
 * assistant; the clients are processes of their own, with as many files as they need. It prints a table and exits with 1
 * when the door did not answer its owner within two seconds, an answer was not the one that was expected, or the memory of
 * the server grew by more than 300 MB.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from '../src/base/errors.ts';
import { freePort } from '../src/testing/server-process.ts';

const PROGRAM = resolve(import.meta.dirname, '../bin/wooster');
const MOST_MB = 300;
const OWNER_MS = 2000;
const SOCKETS = 10_000;
const CONVERSATIONS = 200;
const STALLED = 50;

interface Row {
  readonly what: string;
  readonly told: string;
  readonly ok: boolean;
}

const home = mkdtempSync(join(tmpdir(), 'wooster-door-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false' };
let pid = await serve();
const token = tokenOf();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
let isWell = true;
process.stdout.write('| what | told | ok |\n|---|---|---|\n');

try {
  await owner('at rest');
  await measured('a body of 1 GB', hugeBody);
  await measured(`${SOCKETS} idle sockets`, idleSockets);
  await measured(`${STALLED} readers that do not read`, stalledReaders);
  await measured(`${CONVERSATIONS} conversations at once`, manyConversations);
  await measured('killed in the middle of a turn', killed);
} finally {
  process.kill(pid, 'SIGTERM');
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = isWell ? 0 : 1;

function tell({ what, told, ok }: Row): void {
  isWell &&= ok;
  process.stdout.write(`| ${what} | ${told} | ${ok ? 'yes' : 'NO'} |\n`);
}

async function serve(): Promise<number> {
  const child = spawn(PROGRAM, ['serve', '--http', `127.0.0.1:${port}`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((done) => {
    let shown = '';
    child.stdout.on('data', (part: Buffer) => {
      shown += part.toString();
      if (shown.includes('The door is at')) done();
    });
  });
  return child.pid ?? 0;
}

function tokenOf(): string {
  const words = ['pair', '--token', '--name', 'faults', '--scopes', 'api,read', '--json'];
  const { stdout } = spawnSync(PROGRAM, words, { env, encoding: 'utf8' });
  return (JSON.parse(stdout) as { token: string }).token;
}

/** Resident memory of the server. */
function memoryMb(): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** Processor time that the server has used, in ticks of 10 ms. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /u, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The owner comes while it goes on: on a connection of its own, as one that is there already is in. */
async function owner(what: string): Promise<void> {
  const [started, cpu] = [performance.now(), cpuMs()];
  const status = await new Promise<number | undefined>((done) => {
    const signal = AbortSignal.timeout(10 * OWNER_MS);
    get(`${url}/api/me`, { headers, agent: false, signal }, (response) => done(response.resume().statusCode)).on(
      'error',
      () => done(undefined),
    );
  });
  const ms = performance.now() - started;
  // On a busy machine that says what the server itself has done meanwhile.
  const busy = `${(cpuMs() - cpu).toFixed(0)} ms of processor time of the server`;
  const told = `owner: ${status ?? 'no answer'} after ${ms.toFixed(0)} ms, ${busy}`;
  tell({ what, told, ok: status === 200 && ms <= OWNER_MS });
}

async function measured(what: string, work: () => Promise<Row | undefined>): Promise<void> {
  const before = memoryMb();
  const row = await work();
  if (row) tell(row);
  const grown = memoryMb() - before;
  tell({ what, told: `memory: ${grown >= 0 ? '+' : ''}${grown.toFixed(0)} MB`, ok: grown <= MOST_MB });
}

async function hugeBody(): Promise<Row> {
  const size = 1024 ** 3;
  const [path, type] = ['/api/turns', 'content-type: application/json'];
  const command = `head -c ${size} /dev/zero | curl -s -o /dev/null -w '%{http_code}' -T - -X POST ${url}${path} -H 'authorization: Bearer ${token}' -H '${type}'`;
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  let status = '';
  child.stdout.on('data', (part: Buffer) => {
    status += part.toString();
  });
  const over = new Promise((done) => child.once('close', done));
  await owner('a body of 1 GB');
  await over;
  return { what: 'a body of 1 GB', told: `answer: ${status}`, ok: status === '413' };
}

/** In a process of its own: one has not enough files for both ends. */
async function idleSockets(): Promise<undefined> {
  const source = `const { connect } = require('node:net'); let open = 0;
    for (let at = 0; at < ${SOCKETS}; at += 1) connect(${port}, '127.0.0.1').on('error', () => {}).on('connect', () => { open += 1; });
    setTimeout(() => console.log(open), 3000); setTimeout(() => process.exit(0), 15000);`;
  const command = `ulimit -n 20000; exec "${process.execPath}" -e "$SOURCE"`;
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, SOURCE: source },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = new Promise((done) => child.once('close', done));
  await new Promise((done) => child.stdout.once('data', done));
  await owner(`${SOCKETS} idle sockets`);
  child.kill();
  await over;
  return undefined;
}

async function stalledReaders(): Promise<undefined> {
  const lines = ['GET /api/events HTTP/1.1', `host: 127.0.0.1:${port}`, `authorization: Bearer ${token}`, '', ''];
  const sockets = Array.from({ length: STALLED }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(lines.join('\r\n'));
    return socket;
  });
  await conversations(20);
  await owner(`${STALLED} readers that do not read`);
  for (const socket of sockets) socket.destroy();
  return undefined;
}

async function manyConversations(): Promise<Row> {
  const asked = conversations(CONVERSATIONS);
  await owner(`${CONVERSATIONS} conversations at once`);
  const ends = await asked;
  const answered = ends.filter((end) => end === 'answered').length;
  const others = new Set(ends.filter((end) => end !== 'answered'));
  const told = [`answered: ${answered}`, ...others].join(', ');
  return { what: `${CONVERSATIONS} conversations at once`, told, ok: answered === CONVERSATIONS };
}

async function begin(text: string): Promise<string> {
  const response = await fetch(`${url}/api/turns`, { method: 'POST', headers, body: JSON.stringify({ text }) });
  if (response.status !== 202) throw new Error(`begun with ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}

async function eventsOf(id: string): Promise<string> {
  return (await fetch(`${url}/api/turns/${id}/events`, { headers })).text();
}

/** @returns how each of them ended, or what kept it from that. */
function conversations(count: number): Promise<string[]> {
  const one = async () => /"stop":"(\w+)"/u.exec(await eventsOf(await begin('what is 15 % of 80?')))?.[1] ?? 'no end';
  return Promise.all(Array.from({ length: count }, () => one().catch(messageOf)));
}

async function killed(): Promise<Row> {
  const ids = await Promise.all(Array.from({ length: 20 }, () => begin('what is 15 % of 80?')));
  process.kill(pid, 'SIGKILL');
  pid = await serve();
  const ends = await Promise.all(ids.map(eventsOf));
  const [aborted, answered] = ['aborted', 'answered'].map(
    (stop) => ends.filter((end) => end.includes(`"stop":"${stop}"`)).length,
  );
  const told = `aborted: ${aborted}, answered: ${answered} of ${ids.length}`;
  return { what: 'killed in the middle of a turn', told, ok: (aborted ?? 0) + (answered ?? 0) === ids.length };
}
