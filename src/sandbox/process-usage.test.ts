import { expect, test } from 'vitest';
import { procFiles, scriptUsage } from '../testing/scripted-usage.ts';
import { readUsage } from './process-usage.ts';

test('Linux tells processor time and memory in files', async () => {
  const usage = scriptUsage('linux');
  for (const [path, text] of procFiles(7, { user: 150, system: 25, pages: 12_800 })) usage.files.set(path, text);
  expect(await readUsage(7)).toEqual({ cpuMs: 1750, rssMb: 50 });
  expect(usage.asked).toEqual([]);
});

test('a process that is gone has used nothing that is known', async () => {
  const usage = scriptUsage('linux');
  const [stat] = procFiles(7, { user: 1, system: 1, pages: 1 });
  expect(await readUsage(7)).toBeUndefined();
  usage.files.set(...(stat as [string, string]));
  expect(await readUsage(7)).toBeUndefined();
});

test.each([
  ['  51200   0:01.75\n', { cpuMs: 1750, rssMb: 50 }],
  ['1024 2:03.5', { cpuMs: 123_500, rssMb: 1 }],
  ['512 1:00:02', { cpuMs: 3_602_000, rssMb: 0.5 }],
  ['512 09', { cpuMs: 9000, rssMb: 0.5 }],
  ['512', { cpuMs: 0, rssMb: 0.5 }],
  ['\n', undefined],
])('elsewhere `ps` tells it: %j', async (output, used) => {
  const usage = scriptUsage('darwin');
  usage.ps = output;
  expect(await readUsage(7)).toEqual(used);
  expect(usage.asked).toEqual([['ps', '-o', 'rss=,time=', '-p', '7']]);
});

test('where `ps` fails, nothing is known', async () => {
  const usage = scriptUsage('darwin');
  usage.ps = new Error('no such process');
  expect(await readUsage(7)).toBeUndefined();
});

test('Windows does not tell', async () => {
  const usage = scriptUsage('win32');
  for (const [path, text] of procFiles(7, { user: 1, system: 1, pages: 1 })) usage.files.set(path, text);
  expect(await readUsage(7)).toBeUndefined();
  expect(usage.asked).toEqual([]);
});
