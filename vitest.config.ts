import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'plugins/**/*.test.ts'],
    // Long and hard on the machine: `npm run test:kills`.
    exclude: ['**/node_modules/**', ...(process.env.SOAK ? [] : ['**/*.soak.test.ts'])],
    setupFiles: ['src/testing/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
