/**
 * Runs the tests with homes on a PostgreSQL server instead of SQLite files: `npm run test:postgres [-- FILES AND FLAGS]`.
 * With `--stores` only the tests that open a store, without the long ones; with `--brief` also without those that start
 * the program again and again, or go through tables of texts for which a store is only there, and without those that
 * reach it only through other rooms, whose own tests ask the server the same.
 *
 * The server is started for it and gets a database that is dropped afterwards; with WOOSTER_TEST_POSTGRES_URL set, that
 * server is used. See postgres.sh.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
/** Thousands of texts and starts that say no more about the store than the others. */
const BRIEF = [
  'src/main{,-*}.test.ts',
  'src/agent/{injected-later,injected-model,canaries,model-faults,owner-requests}.test.ts',
  'src/agent/replies/slips.test.ts',
  'src/builtin/**',
  'src/models/{constrained/**,local/**,faults.test.ts}',
  'src/rag/{index/hnsw-graph,ingest/guarded-read,documents/checked-import,robust}.test.ts',
  'src/plugins/misbehaviour.test.ts',
  'src/testing/recorded/**',
  'src/{linear-time,docs-run,quick-start,examples-tl}.test.ts',
  'src/{scheduler/docs,tools/gate/taint,repl/commands/think-run}.test.ts',
  'plugins/mail/**',
  'src/{sandbox,workspace,lang}/**',
  'src/repl/docs-site/**',
  ...withoutQueries(),
].flatMap((files) => ['--exclude', files]);
/** Tests wait half of their time for the server: three are run at once, and one that starts programs takes longer. */
const PATIENCE = ['--testTimeout=240000', '--maxWorkers=3'];

const given = process.argv.slice(2);
const flags = given.filter((word) => !['--stores', '--brief'].includes(word));
const brief = given.includes('--brief');
const stores = ['related', '--run', DOOR, '--exclude', LONG, ...(brief ? BRIEF : [])];
const which = brief || given.includes('--stores') ? stores : ['run'];

// The tests get it too and end; then there still is a database to drop and a server to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.exitCode = await withTestServer({ port: PORT, settings: FAST }, ({ url }) =>
  vitest([...which, ...PATIENCE, ...flags], url),
);

/**
 * Tests of folders in which nothing asks the store, and that do not ask it themselves or start the program: what differs
 * by store is in the rooms that they call.
 */
function withoutQueries(): string[] {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const files = globSync('{src,plugins}/**/*.ts', { cwd: ROOT });
  const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|transaction)\(|\bsql(?:<[^`\n]*>)?`/u;
  const asking = new Set(
    files.filter((path) => !path.endsWith('.test.ts') && query.test(read(path))).map((path) => dirname(path)),
  );
  const own = /openTestStore|sqlAll|STORE_KINDS|testLocation|storeSettings|testing\/(?:wooster|serve)\.ts|spawn/u;
  return files.filter((path) => {
    const isTest = path.endsWith('.test.ts') && dirname(path) !== 'src' && !asking.has(dirname(path));
    return isTest && !own.test(read(path)) && !query.test(read(path));
  });
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
