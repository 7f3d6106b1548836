/**
 * The test runner that Stryker is given: its own one for Vitest, which also leaves mutants out, since Stryker knows
 * neither samples nor an end. One that was left out is reported as an error with `NOT_TRIED` and is not counted as found.
 *
 * A process for each mutant and test file would take most of the time, so they stay. A mutant that falls is believed once
 * what it fell to passes without it in the same process, one that does not is tried again in new ones. Most mutants fall to
 * most tests that reach them, so the likeliest few of one file are run first.
 *
 * With WOOSTER_TEST_STORE_URL set, each mutant gets a database of its own on that server: a broken migration must
 * neither be hidden by tables that are there already, nor be left to the next mutant.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { commonTokens, declareFactoryPlugin, type Injector, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { type MutantRunOptions, MutantRunStatus, type TestRunner } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { Client } from 'pg';
import { LikelyTests } from './likely-tests.ts';
import { NOT_TRIED } from './mutation-tests.ts';
import { WarmWorkers } from './warm-workers.ts';

/** Stryker starts its workers with the environment of the script, and hands them nothing else. */
const { MUTATE_UNTIL, MUTATE_PART = '1', MUTATE_SEED = '1', WOOSTER_TEST_STORE_URL: SERVER } = process.env;

const [FIRST, LAST] = ['mutation-setup.ts', 'mutation-threads.ts'].map((name) => join(import.meta.dirname, name));
/** Of Stryker: its limit is so many times what a mutant was met in the first run of all tests. */
const HIT_LIMIT_FACTOR = 100;
/** What waits for something, as schedulers do, is never met as often again. */
const LEAST_MET = 3 / 4;
const warm = new WarmWorkers();

/** The same for the same mutant and seed, so a sample can be drawn again. */
function isInSample({ mutatorName, replacement, location, fileName }: MutantRunOptions['activeMutant']): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/') + 1);
  const key = JSON.stringify([MUTATE_SEED, file, mutatorName, replacement, location.start, location.end]);
  return createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32 < Number(MUTATE_PART);
}

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
    runner.options.vitest.pool = warm;
    await init();
    for (const { config } of runner.ctx.projects)
      Object.assign(config, { isolate: false, setupFiles: [FIRST, ...config.setupFiles, LAST] });
  };
  runner.dryRun = (options) => onNewDatabase(() => dryRun(options));
  runner.mutantRun = async (options) => {
    const isLate = MUTATE_UNTIL !== undefined && Date.now() > Number(MUTATE_UNTIL);
    if (isLate || !isInSample(options.activeMutant)) return { status: MutantRunStatus.Error, errorMessage: NOT_TRIED };
    return onNewDatabase(() => mutantRun(options));
  };
  return runner;
}

/** First in processes that stay; only what they leave in doubt is done again in new ones. */
function mutantRunOf(runner: VitestRunner): TestRunner['mutantRun'] {
  const likely = new LikelyTests();
  const runTests = runner.mutantRun.bind(runner);
  const inOrder = async (options: MutantRunOptions) => {
    const { first, rest } = likely.split(options.testFilter ?? [], options.sandboxFileName);
    const found = await runTests(first.length > 0 ? { ...options, testFilter: first } : options);
    const hits = runner.readHitCount();
    const isOver = rest.length === 0 || found.status !== MutantRunStatus.Survived;
    if (isOver) return { ...found, hits };
    const last = await runTests({ ...options, testFilter: rest });
    return { ...last, hits: hits + runner.readHitCount() };
  };
  /** Whether what it fell to passes without it, in the same process. */
  const isSound = async (options: MutantRunOptions, killedBy: string[]) => {
    const none = { ...options.activeMutant, id: 'none' };
    const result = await runTests({ ...options, activeMutant: none, testFilter: killedBy });
    return result.status === MutantRunStatus.Survived;
  };
  return async (options) => {
    let result = await inOrder(options);
    // Where it was met much less often than at first, what was computed before it is still in use.
    const isWhole = result.hits * HIT_LIMIT_FACTOR >= LEAST_MET * (options.hitLimit ?? Number.POSITIVE_INFINITY);
    const isClear =
      result.status === MutantRunStatus.Killed
        ? await isSound(options, result.killedBy)
        : result.status === MutantRunStatus.Survived && isWhole;
    if (!isClear) {
      warm.forget();
      if (result.status !== MutantRunStatus.Timeout) result = await inOrder(options);
    }
    if (result.status === MutantRunStatus.Killed) likely.learn(result.killedBy, options.sandboxFileName);
    return result;
  };
}

/** The tests find it in their environment, which is that of this process when they are started. */
async function onNewDatabase<T>(run: () => Promise<T>): Promise<T> {
  if (!SERVER) return run();
  const name = `wooster_mutant_${randomBytes(6).toString('hex')}`;
  await ask(`create database ${name} template template0 encoding 'UTF8'`);
  // A process that stays would go on with the last one.
  warm.forget();
  process.env.WOOSTER_TEST_STORE_URL = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  try {
    return await run();
  } finally {
    await ask(`drop database if exists ${name} with (force)`);
  }
}

async function ask(text: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'vitest-sample', createRunner as never)];
