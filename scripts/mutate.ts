/**
 * Breaks the code one expression at a time and reports what no test notices: `npm run mutate -- src/when src/net/hops.ts`.
 *
 * `--changed [BASE]` takes the files that differ from where the branch left BASE (origin/main, or main). `--minutes N`
 * stops after that time; `--part 0.1` tries a tenth of the mutants, drawn with `--seed N`; the report counts what was not
 * tried, and the score is that of the rest. `--bar 80` fails when a folder scores lower. `--own` runs only the tests of the
 * same folder, which is faster, `--with src/repl` those of another folder as well, and `--workers 1` one mutant at a time.
 * Results are kept in mutation/, so the next run tries only what changed. Mutants in code that runs while a file loads,
 * such as tables, are left out: each would need all tests to start anew.
 *
 * Stryker loads this file too, as its test runner: its own one for Vitest, plus samples and an end, neither of which
 * Stryker has, and with processes that stay, since starting one for each mutant and test file would take most of the time.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { schema } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, type Injector, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { type MutantRunOptions, MutantRunStatus, type TestRunner } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { Client } from 'pg';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '..');
/** Ignored by git: the sandbox, the results of earlier runs, and reports. */
const KEPT = 'mutation';
/** Why a mutant was left out, in Stryker's report; it has no status for that, so it is reported as an error. */
const NOT_TRIED = 'not tried';

// The command.

/** For the mutant that is being tried when the time is up: one that no test notices takes all of its tests. */
const MIN_GRACE_MS = 60_000;
const GRACE_PART = 1 / 4;

type Options = ReturnType<typeof readOptions>['values'];
type Report = Pick<schema.MutationTestResult, 'files'>;

function readOptions() {
  return parseArgs({
    allowPositionals: true,
    options: {
      changed: { type: 'boolean', default: false },
      minutes: { type: 'string', default: 'Infinity' },
      part: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      bar: { type: 'string', default: '0' },
      own: { type: 'boolean', default: false },
      with: { type: 'string', multiple: true, default: [] },
      // Two at once leave a small machine usable.
      workers: { type: 'string', default: '2' },
    },
  });
}

/** @returns the exit code. */
function main(): number {
  const { values: options, positionals } = readOptions();
  const until = Date.now() + Number(options.minutes) * 60_000;
  const files = options.changed ? changedFiles(positionals[0]) : positionals.flatMap(filesOf);
  if (files.length === 0) {
    say(options.changed ? 'No source file has changed, so nothing is mutated.' : 'Usage: npm run mutate -- src/when');
    return options.changed ? 0 : 2;
  }
  const rows = [...Map.groupBy(files, folderOf)].map(([folder, members]) =>
    summary(folder, mutate(folder, members, options, until)),
  );
  say('\n| folder | mutants | killed | survived | no test reaches it | timed out | not tried | score |');
  say(`|---|---|---|---|---|---|---|---|\n${rows.map(({ line }) => line).join('\n')}`);
  return rows.some(({ score }) => score < Number(options.bar)) ? 1 : 0;
}

/** Sources below a folder, or the one file. */
function filesOf(path: string): string[] {
  const clean = path.replace(/\/+$/u, '');
  const found = statSync(join(ROOT, clean)).isDirectory() ? globSync(`${clean}/**/*.ts`, { cwd: ROOT }) : [clean];
  return found.filter(isSource).sort();
}

function isSource(path: string): boolean {
  return /^(?:src|plugins)\/.*\.ts$/u.test(path) && !/\.(?:test|contract|gen|d)\.ts$|^src\/testing\//u.test(path);
}

function changedFiles(base: string | undefined): string[] {
  const known = [base, 'origin/main', 'main'].find((name) => name && git('rev-parse', '--verify', '-q', name) !== '');
  if (known === undefined) return [];
  const since = git('merge-base', known, 'HEAD') || known;
  return git('diff', '--name-only', '--diff-filter=d', since).split('\n').filter(isSource);
}

function git(...words: string[]): string {
  return spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
}

function mutate(folder: string, files: readonly string[], options: Options, until: number): Report {
  const testFiles = testsFor(files, options);
  if (testFiles.length === 0 || Date.now() > until) {
    say(`${folder}: ${testFiles.length === 0 ? 'no test that can be run for each mutant' : 'the time was up'}`);
    return { files: {} };
  }
  const name = `${KEPT}/${folder.replaceAll('/', '-')}`;
  // The results of another sample would count in the score of this one.
  const sample = options.part === '1' ? 'known' : `known-${options.part}-${options.seed}`;
  const [config, report, known] = [`${name}-config.json`, `${name}.json`, `${name}-${sample}.json`];
  mkdirSync(join(ROOT, KEPT), { recursive: true });
  rmSync(join(ROOT, report), { force: true });
  const stryker = {
    ...{ mutate: files, testFiles, coverageAnalysis: 'perTest', ignoreStatic: true },
    ...{ testRunner: 'vitest-sample', vitest: { related: false, pool: 'forks' } },
    ...{ plugins: ['@stryker-mutator/vitest-runner', import.meta.filename], concurrency: Number(options.workers) },
    ...{ reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: report } },
    ...{ incremental: true, incrementalFile: known, tempDirName: `${KEPT}/sandbox`, ignorePatterns: [KEPT] },
    ...{ allowConsoleColors: false, logLevel: 'warn', warnings: false, allowEmpty: true },
    // Stryker would rewrite the real one through TypeScript's JavaScript interface, which version 7 no longer has.
    tsconfigFile: `${KEPT}/none.json`,
    // Generous, since machines are shared; endless loops are found by counting.
    ...{ timeoutMS: 8_000, dryRunTimeoutMinutes: 10 },
  };
  writeFileSync(join(ROOT, config), JSON.stringify(stryker));
  say(`${folder}: ${files.length} files, ${testFiles.length} test files`);
  runStryker(config, options, until, loadedLate(files));
  forgetUntried(known);
  const found = readReport(report);
  if (Object.keys(found.files).length === 0)
    say(`${folder}: nothing was tried: the time was up, or a test fails as it is`);
  return found;
}

/** Ends by itself soon after the time is up, since the rest is then left out; if it does not, it is stopped. */
function runStryker(config: string, { part, seed, minutes }: Options, until: number, late: readonly string[]): void {
  const sample = {
    MUTATE_PART: part,
    MUTATE_SEED: seed,
    MUTATE_UNTIL: String(until),
    MUTATE_LATE: JSON.stringify(late),
  };
  const left = until - Date.now() + Math.max(MIN_GRACE_MS, Number(minutes) * 60_000 * GRACE_PART);
  spawnSync(process.execPath, [join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config], {
    ...{ cwd: ROOT, env: { ...process.env, ...sample }, stdio: 'inherit' },
    ...(Number.isFinite(left) ? { timeout: Math.ceil(left), killSignal: 'SIGINT' } : {}),
  });
}

/** So that the next run tries the mutants that this one left out. */
function forgetUntried(known: string): void {
  const report = readReport(known);
  for (const file of Object.values(report.files)) file.mutants = file.mutants.filter((mutant) => !isUntried(mutant));
  if (Object.keys(report.files).length > 0) writeFileSync(join(ROOT, known), JSON.stringify(report));
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Report;
  } catch {
    return { files: {} };
  }
}

function isUntried({ status, statusReason }: schema.MutantResult): boolean {
  return status === 'RuntimeError' && statusReason === NOT_TRIED;
}

function summary(folder: string, { files }: Report): { line: string; score: number } {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  for (const [file, { mutants }] of Object.entries(files))
    for (const { status, location, mutatorName, replacement } of mutants)
      if (status === 'Survived' || status === 'NoCoverage')
        say(
          `${status === 'Survived' ? 'survived ' : 'no test  '}${file}:${location.start.line} ${mutatorName} -> ${short(replacement)}`,
        );
  const count = (status: schema.MutantStatus) => all.filter((mutant) => mutant.status === status).length;
  const [killed, survived] = [count('Killed'), count('Survived')];
  const [unreached, timedOut] = [count('NoCoverage'), count('Timeout')];
  const mutants = all.length - count('Ignored');
  const untried = all.filter(isUntried).length;
  // Whether a test reaches a mutant is known of all of them, the rest only of those that were tried.
  const tried = killed + timedOut + survived;
  const reached = (tried + untried) / (tried + untried + unreached);
  const score = 100 * reached * (tried + untried === 0 ? 0 : (killed + timedOut) / tried);
  const shown = Number.isNaN(score) ? '-' : `${score.toFixed(0)} %`;
  const line = `| \`${folder}\` | ${[mutants, killed, survived, unreached, timedOut, untried, shown].join(' | ')} |`;
  return { line, score };
}

function short(text = ''): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

// Which tests are run: those of the same folder and the few others that import one of the files themselves. Tests that start
// programs, take minutes or read the sources are left out.

/** How the source of a test shows that it starts programs. */
const STARTS_PROGRAMS =
  /testing\/(?:wooster|program-faults|live-screen)\.ts|node:child_process|crash-child|bin\/wooster/u;
/** They draw thousands of cases, which takes many times as long where coverage is counted. */
const LONG = /(?:invariant|oracle|fuzz|linear-time)\.test\.ts$/u;
/** How it shows that it lists or reads the sources, which look different with mutants in them. */
const LISTS_FILES = /readdirSync|globSync|dirname, '[\w./-]+\.ts'\)/u;
const OWN_PLACE = /import\.meta\.dirname/u;
/** What more tests of other folders than these import is their tool, such as a clock, and not what they test. */
const MOST_USES = 3;
const IMPORTED = /from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gu;

/** `src/tools/gate` for the files below it, `src/when` for those of `src/when/grammar`, and `plugins/mail`. */
function folderOf(file: string): string {
  const [root = '', module = '', part = ''] = file.split('/');
  return ['tools', 'repl'].includes(module) && !part.endsWith('.ts')
    ? `${root}/${module}/${part}`
    : `${root}/${module}`;
}

/** Paths in the checkout, sorted. */
function testsFor(files: readonly string[], options: Options): string[] {
  const folders = new Set(files.map(folderOf));
  const tests = globSync('{src,plugins,bench}/**/*.test.ts', { cwd: ROOT })
    .filter((test) => !LONG.test(test))
    .map((test) => ({ test, text: readFileSync(join(ROOT, test), 'utf8') }))
    .filter(({ text }) => !STARTS_PROGRAMS.test(text) && !(LISTS_FILES.test(text) && OWN_PLACE.test(text)))
    .map(({ test, text }) => ({ test, imports: importsOf(test, text).filter((path) => files.includes(path)) }));
  const inside = tests.filter(
    ({ test }) => folders.has(folderOf(test)) || options.with.some((folder) => test.startsWith(`${folder}/`)),
  );
  const others = options.own ? [] : tests.filter((each) => !inside.includes(each));
  const uses = (file: string) => others.filter(({ imports }) => imports.includes(file)).length;
  const near = others.filter(({ imports }) => imports.some((file) => uses(file) <= MOST_USES));
  return [...inside, ...near].map(({ test }) => test).sort();
}

/** Of these files, those that another loads only when it needs them. */
function loadedLate(files: readonly string[]): string[] {
  const late = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/import\('(\.[^']+)'\)/gu)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  );
  return [...new Set(late)].filter((path) => files.includes(path)).sort();
}

function importsOf(test: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, stated, late]) =>
    relative(ROOT, resolve(ROOT, dirname(test), stated ?? late ?? '')),
  );
}

// The test runner. A process keeps the modules of one test file for all mutants that are tried on it, which takes a few
// milliseconds instead of a start. A mutant counts as killed once the tests that failed pass without it in the same process;
// one that survives in doubt is tried again in new processes.

/** Stryker starts its workers with the environment of the command, and hands them nothing else. */
const { MUTATE_UNTIL = 'Infinity', MUTATE_PART = '1', MUTATE_SEED = '1', WOOSTER_TEST_STORE_URL: SERVER } = process.env;
const [FIRST, LAST] = ['mutation-setup.ts', 'mutation-threads.ts'].map((name) => join(import.meta.dirname, name));
/** Of Stryker: a mutant may be met so many times as often as in the first run of all tests. */
const HIT_LIMIT_FACTOR = 100;
/** What waits for something, as schedulers do, is never met as often again. */
const LEAST_MET = 3 / 4;
/** A process takes some 100 MB. */
const MOST_KEPT = 10;
/** More names at once make Vitest slow: it looks for each of them in each name of the file. */
const FIRST_TESTS = 40;

/** By test file, the least recently used first. */
const idle = new Map<string, ChildProcess>();

/** What is used of Stryker's runner besides its interface. */
interface VitestRunner extends TestRunner {
  init(): Promise<void>;
  /** How often the last run met the mutant. */
  readHitCount(): number;
  readonly options: { vitest: { pool: unknown } };
  readonly ctx: { readonly projects: { readonly config: { setupFiles: string[]; isolate: boolean } }[] };
}

function createRunner(injector: Injector<object>): TestRunner {
  const [vitest] = vitestPlugins;
  if (vitest === undefined) throw new Error('The package @stryker-mutator/vitest-runner has no test runner.');
  const runner = injector.injectFunction(vitest.factory as never) as VitestRunner;
  const [init, dryRun, mutantRun] = [runner.init.bind(runner), runner.dryRun.bind(runner), mutantRunOf(runner)];
  runner.init = async () => {
    runner.options.vitest.pool = { name: 'warm', createPoolWorker: (options: PoolOptions) => new WarmWorker(options) };
    await init();
    for (const { config } of runner.ctx.projects)
      Object.assign(config, { isolate: false, setupFiles: [FIRST, ...config.setupFiles, LAST] });
  };
  runner.dryRun = (options) => onNewDatabase(() => dryRun(options));
  runner.mutantRun = async (options) => {
    const isLeftOut = Date.now() > Number(MUTATE_UNTIL) || !isInSample(options.activeMutant);
    if (isLeftOut) return { status: MutantRunStatus.Error, errorMessage: NOT_TRIED };
    return onNewDatabase(() => mutantRun(options));
  };
  return runner;
}
createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'vitest-sample', createRunner as never)];

/** The same for the same mutant and seed, so a sample can be drawn again. */
function isInSample({ mutatorName, replacement, location, fileName }: MutantRunOptions['activeMutant']): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/') + 1);
  const key = JSON.stringify([MUTATE_SEED, file, mutatorName, replacement, location.start, location.end]);
  return createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32 < Number(MUTATE_PART);
}

/** First in processes that stay; only what they leave in doubt is done again in new ones. */
function mutantRunOf(runner: VitestRunner): TestRunner['mutantRun'] {
  const likely = new LikelyTests();
  const runTests = runner.mutantRun.bind(runner);
  const inOrder = async (options: MutantRunOptions) => {
    const { first, rest } = likely.split(options.testFilter ?? [], options.sandboxFileName);
    const found = await runTests(first.length > 0 ? { ...options, testFilter: first } : options);
    const hits = runner.readHitCount();
    if (rest.length === 0 || found.status !== MutantRunStatus.Survived) return { ...found, hits };
    const last = await runTests({ ...options, testFilter: rest });
    return { ...last, hits: hits + runner.readHitCount() };
  };
  /** Whether the tests that failed pass without the mutant, in the same process. */
  const isSound = async (options: MutantRunOptions, killedBy: string[]) => {
    const none = { ...options.activeMutant, id: 'none' };
    const result = await runTests({ ...options, activeMutant: none, testFilter: killedBy });
    return result.status === MutantRunStatus.Survived;
  };
  return async (options) => {
    let result = await inOrder(options);
    // Where it was met much less often than at first, a value computed before it was active is still in use.
    const isWhole = result.hits * HIT_LIMIT_FACTOR >= LEAST_MET * (options.hitLimit ?? Number.POSITIVE_INFINITY);
    const isClear =
      result.status === MutantRunStatus.Killed
        ? await isSound(options, result.killedBy)
        : result.status === MutantRunStatus.Survived && isWhole;
    if (!isClear) {
      endIdle();
      if (result.status !== MutantRunStatus.Timeout) result = await inOrder(options);
    }
    if (result.status === MutantRunStatus.Killed) likely.learn(result.killedBy, options.sandboxFileName);
    return result;
  };
}

/** Which tests are tried first: those that noticed other mutants of the same source, then its own test file. */
class LikelyTests {
  /** How many mutants of a source each test has noticed, by `source>test`. */
  readonly #kills = new Map<string, number>();

  learn(tests: readonly string[], source: string): void {
    for (const test of tests)
      for (const key of [`${source}>${test}`, `${source}>${testFileOf(test)}`])
        this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
  }

  /** @param tests ids as Stryker writes them, `file#name`. @returns the likeliest ones of one file, and all others. */
  split(tests: readonly string[], source: string): { readonly first: string[]; readonly rest: string[] } {
    const kills = (test: string) => this.#kills.get(`${source}>${test}`) ?? 0;
    // A test file that has the source's name comes before one that noticed nothing yet.
    const own = basename(source).replace(/\.ts$/u, '.test.ts');
    const rank = (file: string) => kills(file) + (basename(file) === own ? 0.5 : 0);
    const [likeliest] = [...new Set(tests.map(testFileOf))].sort((a, b) => rank(b) - rank(a));
    const first = tests
      .filter((test) => testFileOf(test) === likeliest)
      .sort((a, b) => kills(b) - kills(a))
      .slice(0, FIRST_TESTS);
    const chosen = new Set(first);
    return { first, rest: tests.filter((test) => !chosen.has(test)) };
  }
}

function testFileOf(test: string): string {
  return test.slice(0, test.indexOf('#'));
}

/**
 * With WOOSTER_TEST_STORE_URL set, each mutant gets a database of its own on that server: a broken migration must neither be
 * hidden by tables that are there already, nor be left to the next mutant. The tests find it in their environment, which is
 * that of this process when they are started.
 */
async function onNewDatabase<T>(run: () => Promise<T>): Promise<T> {
  if (!SERVER) return run();
  const name = `wooster_mutant_${randomBytes(6).toString('hex')}`;
  await query(`create database ${name} template template0 encoding 'UTF8'`);
  // A process that stays would go on with the last one.
  endIdle();
  process.env.WOOSTER_TEST_STORE_URL = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  try {
    return await run();
  } finally {
    await query(`drop database if exists ${name} with (force)`);
  }
}

async function query(text: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** What Vitest sees of a process: it is started and stopped for each run. Only the run says which file it is for. */
class WarmWorker extends EventEmitter implements PoolWorker {
  readonly name = 'warm';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  #child: ChildProcess | undefined;
  #start: WorkerRequest | undefined;
  #file = '';
  #isDone = false;

  constructor(options: PoolOptions) {
    super();
    this.#options = options;
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async start(): Promise<void> {}

  send(message: WorkerRequest): void {
    const { type } = message as { type?: string };
    if (type === 'start') {
      this.#start = message;
      this.#answer('started');
    } else if (type === 'stop') this.#answer('stopped');
    else if (type === 'run' || type === 'collect') this.#run(message);
    else this.#child?.send(message);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.removeAllListeners();
    child.on('error', () => {});
    if (!this.#isDone || !child.connected) {
      child.kill('SIGKILL');
      return;
    }
    endIdle(this.#file);
    idle.set(this.#file, child);
    const [oldest] = idle.keys();
    if (idle.size > MOST_KEPT && oldest !== undefined) endIdle(oldest);
  }

  #run(run: WorkerRequest): void {
    // A process that stays has the configuration of its first run, and with it the names of the tests of that one.
    const { config } = (this.#start as { context: { config: unknown } }).context;
    const message = { ...run, context: { ...(run as { context: object }).context, config } } as WorkerRequest;
    this.#file = (message as { context: { files: { filepath: string }[] } }).context.files[0]?.filepath ?? '';
    const kept = idle.get(this.#file);
    idle.delete(this.#file);
    const warm = kept?.connected ? kept : undefined;
    const child = warm ?? this.#fork();
    this.#child = child;
    child.on('error', (error) => this.emit('error', error));
    child.on('exit', (...ended) => this.emit('exit', ...ended));
    child.on('message', (answer: { readonly type?: string }) => {
      if (answer.type === 'testfileFinished') this.#isDone = true;
      if (answer.type === 'started') child.send(message);
      else this.emit('message', answer);
    });
    child.send(warm === undefined ? (this.#start as WorkerRequest) : message);
  }

  #fork(): ChildProcess {
    const { distPath, env, execArgv } = this.#options;
    return fork(join(distPath, 'workers/forks.js'), [], {
      ...{ env: env as NodeJS.ProcessEnv, execArgv },
      ...{ stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' },
    });
  }

  #answer(type: string): void {
    setImmediate(() => this.emit('message', { type, __vitest_worker_response__: true }));
  }
}

/** Of these test files; from here on they get a new process. */
function endIdle(...files: readonly string[]): void {
  for (const file of files.length > 0 ? files : [...idle.keys()]) {
    idle.get(file)?.kill('SIGKILL');
    idle.delete(file);
  }
}

if (import.meta.main) process.exitCode = main();
