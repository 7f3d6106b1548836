import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from './home.ts';
import { setup } from './quick-disk.ts';

function withTmpdir(folder: string | undefined): void {
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('a folder that somebody chose for temporary files stays the one', () => {
  withTmpdir('/somewhere');
  expect(setup()).toBeUndefined();
  expect(process.env.TMPDIR).toBe('/somewhere');
});

test('homes of tests are in memory where there is room, and nothing of them stays, nor of a run that was killed', () => {
  withTmpdir(undefined);
  const killed = '/dev/shm/w-99999999-killed';
  if (existsSync('/dev/shm')) mkdirSync(killed, { recursive: true });
  onTestFinished(() => rmSync(killed, { recursive: true, force: true }));
  const remove = setup();
  const folder = process.env.TMPDIR;
  expect(remove === undefined).toBe(folder === undefined);
  if (folder === undefined) return;
  expect(dirname(folder)).toBe('/dev/shm');
  expect(existsSync(killed)).toBe(false);
  expect(dirname(temporaryFolder())).toBe(folder);
  remove?.();
  expect(existsSync(folder)).toBe(false);
});
