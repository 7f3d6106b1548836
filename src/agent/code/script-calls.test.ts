import { expect, test } from 'vitest';
import { ScriptCalls } from './script-calls.ts';
import type { WorldCall } from './world.ts';

const gave = (name: string, value: unknown, ...args: readonly unknown[]): WorldCall => ({
  name,
  args,
  reply: { ok: true, value },
});
const failed = (name: string, error: string, ...args: readonly unknown[]): WorldCall => ({
  name,
  args,
  reply: { ok: false, error },
});

function calls(...all: readonly WorldCall[]): ScriptCalls {
  const made = new ScriptCalls();
  for (const call of all) made.add(call);
  return made;
}

test('what succeeded is told with what was asked for and the first words of what came', () => {
  const made = calls(
    gave('queryRAG', { answer: 'blue' }, 'boat', { k: 3 }),
    failed('fetchText', 'no such host', 'x.org'),
    gave('writeNote', 'Noted\n\nin home.md.', 'milk'),
    gave('currentTime', undefined),
    gave('listNotes', [1, 2], undefined),
  );
  expect(made.results()).toBe(
    [
      'These calls succeeded:',
      '- queryRAG("boat", {"k":3}): {"answer":"blue"}',
      '- writeNote("milk"): Noted in home.md.',
      '- currentTime(): ',
      '- listNotes(): [1,2]',
    ].join('\n'),
  );
});

test('long inputs and results are cut', () => {
  expect(calls(gave('a', 'y'.repeat(240), 'x'.repeat(118))).results()).toBe(
    `These calls succeeded:\n- a("${'x'.repeat(118)}"): ${'y'.repeat(240)}`,
  );
  expect(calls(gave('a', 'y'.repeat(241), 'x'.repeat(119))).results()).toBe(
    `These calls succeeded:\n- a("${'x'.repeat(118)}…): ${'y'.repeat(239)}…`,
  );
});

test('as many calls are told as fit, and the others are counted', () => {
  const lines = Array.from({ length: 12 }, (_, index) => gave('a', 'y'.repeat(200), index + 10));
  const told = calls(...lines)
    .results()
    .split('\n');
  // Each line takes 210 characters and its break, of 2400.
  expect(told.slice(-3)).toEqual([`- a(19): ${'y'.repeat(200)}`, `- a(20): ${'y'.repeat(200)}`, '- and 1 more']);
  expect(told).toHaveLength(13);
});

test('a line that just fits is told', () => {
  const wide = (chars: number) => calls(...Array.from({ length: 10 }, () => gave('a', 'y'.repeat(chars)))).results();
  // Nine characters, the result and a break: ten times 240.
  expect(wide(232)).not.toContain('more');
  expect(wide(233)).toContain('- and 1 more');
});

test('what speaks to the person or looks tools up is not told', async () => {
  const silent = ['finalAnswer', 'output', 'done', 'complete', 'discoverTools', 'toolSchema', 'sleep'];
  const made = calls(...silent.map((name) => gave(name, 'x')), ...silent.map((name) => failed(name, 'x')));
  expect([made.results(), made.kept(), await made.shapes(), made.found(), made.refused()]).toEqual([
    '',
    undefined,
    '',
    undefined,
    undefined,
  ]);
});

test('later turns see what the last script got, failures too', () => {
  const made = calls(gave('queryRAG', 'old', 'boat'));
  made.next();
  expect(made.kept()).toBeUndefined();
  made.add(gave('queryRAG', { answer: 'blue', score: 0.5 }, 'boat'));
  made.add(failed('writeNote', 'no room', 'milk'));
  expect(made.kept()).toBe(
    'The script ran. Its calls gave:\n- queryRAG("boat"): {"answer":"blue"}\n- writeNote("milk"): failed: no room',
  );
});

test('of what later turns see, six thousand characters fit', () => {
  const made = calls(...Array.from({ length: 12 }, () => gave('a', 'y'.repeat(600))));
  const told = (made.kept() ?? '').split('\n');
  expect([told.length, told.at(-2), told.at(-1)]).toEqual([11, `- a(): ${'y'.repeat(600)}`, '- and 3 more']);
});

test.each([
  ['a text', 'four', 'a text of 4 characters'],
  ['an object', { answer: 'blue', passages: [] }, 'an object with answer, passages'],
  ['an empty object', {}, 'an object with no fields'],
  ['a list of objects', [{ at: 1, text: 'a' }, { other: 2 }], 'a list of 2 objects with at, text'],
  ['a list of numbers', [1, 2, 3], 'a list of 3 numbers'],
  ['a list of texts', ['a'], 'a list of 1 strings'],
  ['an empty list', [], 'an empty list'],
  ['a number', 3, '3'],
  ['null', null, 'null'],
  ['nothing', undefined, 'nothing'],
])('what a function gave is told by its shape: %s', async (_name, value, shape) => {
  expect(await calls(gave('look', value), failed('look', 'no')).shapes()).toBe(`look gave ${shape}.`);
});

test('of each function the last shape is told, and only of this script', async () => {
  const made = calls(gave('look', 1), gave('find', 'a'), gave('look', [1]));
  expect(await made.shapes()).toBe('look gave a list of 1 numbers.\nfind gave a text of 1 characters.');
  made.next();
  expect([await made.shapes(), made.results()]).toEqual(['', '']);
});

test('what was found and what was refused in the whole turn is told once each', () => {
  const made = calls(gave('queryRAG', 'blue', 'boat'), { ...gave('writeNote', 'Noted.'), acts: true });
  made.next();
  made.add(gave('queryRAG', 'blue', 'boat'));
  made.add({ ...gave('listNotes', 'none'), acts: false });
  made.add(failed('sendMail', 'denied', 'Bob'));
  made.add({ ...failed('sendMail', 'denied', 'Bob'), acts: true });
  expect(made.found()).toBe('(Found so far:\n- queryRAG("boat"): blue\n- listNotes(): none)');
  expect(made.refused()).toBe('(Refused or failed:\n- sendMail("Bob"): failed: denied)');
});

test('more of what was found is told than of what was refused', () => {
  expect(calls(gave('a', 'y'.repeat(900))).found()).toBe(`(Found so far:\n- a(): ${'y'.repeat(900)})`);
  expect(calls(gave('a', 'y'.repeat(901))).found()).toBe(`(Found so far:\n- a(): ${'y'.repeat(899)}…)`);
  expect(calls(failed('a', 'y'.repeat(300))).refused()).toBe(
    `(Refused or failed:\n- a(): failed: ${'y'.repeat(231)}…)`,
  );
  const many = calls(...Array.from({ length: 9 }, (_, index) => gave('a', 'y'.repeat(900), index)));
  expect(many.found()?.endsWith(`${'y'.repeat(892)}\n- and 3 more)`)).toBe(true);
});
