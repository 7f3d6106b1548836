import { expect, test } from 'vitest';
import { ENGINE, pinnedFor, platformPackage } from './engine.ts';

test.each([
  ['linux', 'x64', '@node-llama-cpp/linux-x64'],
  ['linux', 'arm64', '@node-llama-cpp/linux-arm64'],
  ['darwin', 'arm64', '@node-llama-cpp/mac-arm64-metal'],
  ['win32', 'x64', '@node-llama-cpp/win-x64'],
  ['linux', 'riscv64', undefined],
  ['freebsd', 'x64', undefined],
])('%s on %s gets %s', (platform, arch, name) => expect(platformPackage(platform, arch)).toBe(name));

test('one system gets one compiled package, and every package has a checksum and none a registry', () => {
  const { manifest, lock } = pinnedFor('@node-llama-cpp/mac-x64');
  const { '': root, ...packages } = lock.packages as Record<string, { integrity?: string; resolved?: string }>;
  expect(root).toMatchObject({ dependencies: manifest.dependencies });
  expect(Object.keys(packages).filter((at) => at.includes('@node-llama-cpp/'))).toEqual([
    'node_modules/@node-llama-cpp/mac-x64',
  ]);
  for (const [at, { integrity, resolved }] of Object.entries(packages)) {
    expect([at, integrity?.startsWith('sha512-'), resolved]).toEqual([at, true, undefined]);
  }
  expect(ENGINE).toBe(`node-llama-cpp ${manifest.dependencies['node-llama-cpp']}`);
});
