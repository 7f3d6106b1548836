import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { makeFolder } from './folders.ts';

test('a folder is made with its parents, and one that is there stays', () => {
  const path = join(temporaryFolder(), 'a/b/c');
  makeFolder(path);
  writeFileSync(join(path, 'x'), 'x');
  makeFolder(path);
  expect(existsSync(join(path, 'x'))).toBe(true);
});

test('below something that is no folder none can be made, and that is said', () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'file'), '');
  expect(() => makeFolder(join(dir, 'file/below/deep'))).toThrow(/ENOTDIR/u);
  expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT|EPERM|EACCES/u);
});
