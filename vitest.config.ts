import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './src/testing/longest-first.ts';

/** Where bin/wooster keeps it too. */
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, 'node_modules/.cache/wooster');

/** For tests of plugins in a home elsewhere: `npx vitest run --dir HOME`. */
const alias = {
  '#plugin/testing': join(import.meta.dirname, 'src/testing/plugin.ts'),
  '#plugin': join(import.meta.dirname, 'src/plugins/plugin.ts'),
};

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['src/**/*.test.ts', 'plugins/**/*.test.ts', 'user-plugins/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['src/testing/needs.ts', 'src/testing/quick-disk.ts'],
    setupFiles: ['src/testing/setup.ts'],
    pool: 'forks',
    // As bin/wooster starts the program, and for the same reason.
    execArgv: ['--no-sparkplug'],
    // With more than a small machine has processors, tests of a browser run into their limits.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // For the threads and programs that tests start: they then need not strip the types of every file again.
    env: { NODE_COMPILE_CACHE: compileCache },
    // With mutants in the sources, and what they cover counted, everything takes many times as long.
    testTimeout: process.env.MUTATE_PART === undefined ? 30_000 : 180_000,
    hookTimeout: 30_000,
    // What is awaited comes when it comes: only the test itself has a limit.
    expect: { poll: { timeout: 30_000 } },
  },
});
