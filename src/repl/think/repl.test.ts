import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { completing } from '../../embed/provider.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { StandIn } from '../../testing/stand-in.ts';

/** The output for typed lines, after the greeting. */
async function typing() {
  const commands = await openCommands({ replies: [] });
  const model = new StandIn();
  commands.app.models.registerProvider('scripted', completing(model));
  const type = async (...lines: string[]) => {
    const { lines: shown, code, rows } = await commands.run(['think', 'repl'], lines);
    return { shown: shown.slice(1), code, rows };
  };
  return { ...commands, type, model };
}

test('names, types, functions and values stay; expressions are shown', async () => {
  const { type, model } = await typing();
  const { shown, code } = await type(
    'let x = 1',
    'x',
    'type Mood { label: string }',
    'let uncertain mood = think<Mood>("how is it?")',
    'mood.unwrap().label',
    'fn add(n: int): int {',
    '  return n + x',
    '}',
    'x = x + 1',
    'add(1)',
    'let g = add',
    'g(2) + g(3)',
    'for i in 1..2 { print "{ " + i }',
    'let list = [{ a: [1, null] }]',
    'list[0].a',
    'null',
    '.names',
  );
  expect(shown).toEqual([
    ...['1', 'stub-label', '3', '9', '{ 1', '{ 2', '[\n  1,\n  null\n]', 'x, Mood, mood, add, g, list'],
  ]);
  expect(code).toBe(0);
  // A value is kept, not asked for again.
  expect(model.requests).toHaveLength(1);
});

test('an error keeps the state, and has the place in what was typed', async () => {
  const { type } = await typing();
  const { shown, code } = await type('let x = 1', 'let y = 2', 'print nope', 'x = 7 % 0', 'x', 'let z = ', '', '.what');
  expect(code).toBe(1);
  expect(shown[0]).toMatch(/^input:1:7: error TL2001.*\n {2}1 \| print nope\n {4}\| {7}\^{4}/u);
  expect(shown[1]).toMatch(/^input:1:5: error DivisionByZero/u);
  expect(shown[2]).toBe('1');
  expect(shown[3]).toMatch(/^input:1:8: error TL1001/u);
  expect(shown[4]).toContain('no .what');
});

test('what is declared again replaces what was there, unless something rests on it', async () => {
  const { type } = await typing();
  const { shown } = await type(
    ...['let x = 1', 'let x = "a"', 'x', 'fn f(): string { return x }', 'let x = 2', 'x', '.clear', 'x'],
  );
  expect(shown[0]).toBe('a');
  expect(shown[1]).toContain('declared before does not fit');
  expect(shown.slice(2)).toEqual(['a', 'Everything is forgotten.', expect.stringContaining('TL2001')]);
});

test('files are imported; a missing one is an error', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.tl'), 'type P { n: int }\nfn twice(p: P): int { return p.n * 2 }');
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  const { type } = await typing();
  const { shown } = await type('import { P, twice } from "./a"', 'twice({ n: 4 })', 'import { q } from "./none"', '1');
  expect(shown).toEqual(['8', expect.stringMatching(/TL2006/u), '1']);
});

test('an input goes on while a text or a bracket is open, or after a backslash', async () => {
  const { type } = await typing();
  const { shown } = await type(
    'print "one',
    'two"',
    'think<string>("a") \\',
    '  with context: {',
    'a: 1 }',
    '[1,',
    '2][1]',
  );
  expect(shown[0]).toBe('one\ntwo');
  expect(shown.at(-1)).toBe('2');
});
