import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { woosterOnTerminal } from '../../testing/wooster.ts';

test('pasted lines are all entered, and the last one can be finished', async () => {
  const terminal = woosterOnTerminal(['think', 'repl'], { home: temporaryFolder() });
  await terminal.see('tl> ');
  terminal.type('let a = 20\nfn twice(n: int): int {\n  return n * 2\n}\ntwice(a) + 2\n"be');
  await terminal.see('42 tl> "be');
  terminal.type('gun"\n');
  await terminal.see('begun tl> ');
  terminal.type('.names\n');
  await terminal.see('a, twice tl> ');
  terminal.type('.exit\n');
  expect(await terminal.ended()).toBe(0);
}, 60_000);

test('Ctrl-C stops what runs, and drops what was typed meanwhile', async () => {
  const terminal = woosterOnTerminal(['think', 'repl'], { home: temporaryFolder() });
  await terminal.see('tl> ');
  terminal.type('print "runs" while true { }\n');
  await terminal.see('} runs ');
  terminal.type('print "too late"\nprint "nor th\u0003');
  await terminal.see('Cancelled');
  await terminal.see('tl> ');
  terminal.type('1 + 1\n');
  await terminal.see('2 tl> ');
  expect(terminal.shown()).not.toMatch(/^too late/mu);
  terminal.type('\u0004');
  expect(await terminal.ended()).toBe(0);
}, 60_000);
