/**
 * The test runner that Stryker is given: its own one for Vitest, which also leaves mutants out, since Stryker knows
 * neither samples nor an end. One that was left out is reported as an error with `NOT_TRIED` and is not counted as found.
 *
 * Most mutants fall to most tests that reach them, so the likeliest few of one file are run first: each file costs a
 * process, and Vitest looks for all names of a run in each name.
 *
 * With WOOSTER_TEST_STORE_URL set, each mutant gets a database of its own on that server: a broken migration must
 * neither be hidden by tables that are there already, nor be left to the next mutant.
 */
import { createHash, randomBytes } from 'node:crypto';
import { commonTokens, declareFactoryPlugin, type Injector, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { type MutantRunOptions, MutantRunStatus, type TestRunner } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { Client } from 'pg';
import { NOT_TRIED } from './mutation-tests.ts';
import { LikelyTests } from './likely-tests.ts';

/** Stryker starts its workers with the environment of the script, and hands them nothing else. */
const { MUTATE_UNTIL, MUTATE_PART = '1', MUTATE_SEED = '1', WOOSTER_TEST_STORE_URL: SERVER } = process.env;

/** The same for the same mutant and seed, so a sample can be drawn again. */
function isInSample({ mutatorName, replacement, location, fileName }: MutantRunOptions['activeMutant']): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/') + 1);
  const key = JSON.stringify([MUTATE_SEED, file, mutatorName, replacement, location.start, location.end]);
  return createHash('sha256').update(key).digest().readUInt32BE() / 2 ** 32 < Number(MUTATE_PART);
}

function createRunner(injector: Injector<object>): TestRunner {
  const [vitest] = vitestPlugins;
  if (vitest === undefined) throw new Error('The package @stryker-mutator/vitest-runner has no test runner.');
  const runner = injector.injectFunction(vitest.factory as never) as TestRunner;
  const [dryRun, runTests] = [runner.dryRun.bind(runner), runner.mutantRun.bind(runner)];
  const likely = new LikelyTests();
  const mutantRun = async (options: MutantRunOptions) => {
    const { first, rest } = likely.split(options.testFilter ?? [], options.sandboxFileName);
    const found = await runTests(first.length > 0 ? { ...options, testFilter: first } : options);
    const isOver = rest.length === 0 || found.status !== MutantRunStatus.Survived;
    const result = isOver ? found : await runTests({ ...options, testFilter: rest });
    if (result.status === MutantRunStatus.Killed) likely.learn(result.killedBy, options.sandboxFileName);
    return result;
  };
  runner.dryRun = (options) => onNewDatabase(() => dryRun(options));
  runner.mutantRun = async (options) => {
    const isLate = MUTATE_UNTIL !== undefined && Date.now() > Number(MUTATE_UNTIL);
    if (isLate || !isInSample(options.activeMutant)) return { status: MutantRunStatus.Error, errorMessage: NOT_TRIED };
    return onNewDatabase(() => mutantRun(options));
  };
  return runner;
}

/** The tests find it in their environment, which is that of this process when they are started. */
async function onNewDatabase<T>(run: () => Promise<T>): Promise<T> {
  if (!SERVER) return run();
  const name = `wooster_mutant_${randomBytes(6).toString('hex')}`;
  await ask(`create database ${name} template template0 encoding 'UTF8'`);
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
