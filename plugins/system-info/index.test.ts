import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import systemInfo from './index.ts';

test('free disk and memory are parts of the whole, and the program that runs is named', async () => {
  const { call, home } = await startPlugin(systemInfo);
  const info = (await call('system_info')) as Record<'memory' | 'disk', { free: number; total: number }>;
  expect(info).toMatchObject({ node: process.version, disk: { of: home } });
  for (const { free, total } of [info.memory, info.disk]) {
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThanOrEqual(total);
  }
});
