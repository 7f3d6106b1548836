/**
 * Runs the tests with homes on a PostgreSQL server instead of SQLite files: `npm run test:postgres [-- FILES AND FLAGS]`.
 * With `--stores` only the tests that open a store, without the long ones; with `--brief` only those nearest to what
 * asks the store.
 *
 * The server is started for it and gets a database that is dropped afterwards; with WOOSTER_TEST_POSTGRES_URL set, that
 * server is used. See postgres.sh.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { testsByStore } from '../src/testing/store-tests.ts';
import { withTestServer } from './test-server.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Beside servers for other purposes. */
const PORT = 54319;
/** What a test wrote need not survive the machine. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** Every test that opens a store or starts the program gets it from here, so who imports it, opens one. */
const DOOR = 'src/testing/stores.ts';
/** They kill programs again and again or go through whole collections, for minutes each. */
const LONG = '**/*.int.test.ts';
/** Tests wait half of their time for the server: three are run at once, and one that starts programs takes longer. */
const PATIENCE = ['--testTimeout=240000', '--maxWorkers=3'];

const given = process.argv.slice(2);
const flags = given.filter((word) => !['--stores', '--brief'].includes(word));
const brief = given.includes('--brief');
const stores = ['related', '--run', DOOR, '--exclude', LONG];
const which = brief ? ['run', ...byStore()] : given.includes('--stores') ? stores : ['run'];

// The tests get it too and end; then there still is a database to drop and a server to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.exitCode = await withTestServer({ port: PORT, settings: FAST }, ({ url }) =>
  vitest([...which, ...PATIENCE, ...flags], url),
);

/** The tests of what asks the store, by their whole paths. */
function byStore(): string[] {
  const paths = globSync('{src,plugins}/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.int.test.ts'));
  const sources = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
  return testsByStore(sources, DOOR).map((path) => join(ROOT, path));
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
