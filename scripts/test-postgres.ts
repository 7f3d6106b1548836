/**
 * Runs the tests with homes on a PostgreSQL server instead of SQLite files: `npm run test:postgres [-- FILES AND FLAGS]`.
 * With `--stores` only the tests that open a store, without the long ones.
 *
 * The server is started for it and gets a database that is dropped afterwards; with WOOSTER_TEST_POSTGRES_URL set, that
 * server is used. See postgres.sh.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Client } from 'pg';

const ROOT = resolve(import.meta.dirname, '..');
/** Beside servers for other purposes. */
const PORT = '54319';
/** What a test wrote need not survive the machine. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** Every test that opens a store or starts the program gets it from here, so who imports it, opens one. */
const DOOR = 'src/testing/stores.ts';
/** They kill programs again and again or go through whole collections, for minutes each. */
const LONG = '**/*.int.test.ts';
/** The server has its share of the machine, so a test that starts a dozen programs takes longer. */
const PATIENCE = '--testTimeout=90000';

const given = process.argv.slice(2);
const flags = given.filter((word) => word !== '--stores');
const which = given.includes('--stores') ? ['related', '--run', DOOR, '--exclude', LONG] : ['run'];

// The tests get it too and end; then there still is a database to drop and a server to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const server = postgres('url');
const wasUp = await ask(server, 'select 1').then(
  () => true,
  () => false,
);
if (!wasUp) postgres('start', ...FAST);
const name = `wooster_suite_${randomBytes(4).toString('hex')}`;
try {
  await ask(server, `create database ${name} template template0 encoding 'UTF8'`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  process.exitCode = await vitest([...which, PATIENCE, ...flags], url);
} finally {
  await ask(server, `drop database if exists ${name} with (force)`).catch((error) =>
    process.stderr.write(`${error}\n`),
  );
  if (!wasUp) postgres('stop');
}

/** @returns what it printed. */
function postgres(action: string, ...settings: readonly string[]): string {
  const script = join(ROOT, 'scripts/postgres.sh');
  const ran = spawnSync('sh', [script, action, PORT, ...settings], {
    // The server that stays holds on to whatever it was given.
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`postgres.sh ${action} ended with ${ran.status ?? ran.signal}`);
  return ran.stdout.trim();
}

async function ask(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}

function vitest(words: readonly string[], url: string): Promise<number> {
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, WOOSTER_TEST_STORE_URL: url };
  const child = spawn(process.execPath, [program, ...words], { cwd: ROOT, env, stdio: 'inherit' });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done(code ?? 1));
  });
}
