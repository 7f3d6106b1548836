import { describe, expect, test } from 'vitest';
import { atCaret, checkedFiles } from '../../testing/checked-programs.ts';
import { signatureAt } from './signature.ts';

const LIB = '/// Greets someone.\nfn greet(who: string, loud: bool): string { return who + loud }\n';

/** The signature help at the caret: the label with the active parameter in brackets, and its documentation. */
function shownAt(marked: string, lib = LIB): string | null {
  const { source, offset } = atCaret(marked);
  const help = signatureAt(checkedFiles({ 'a.tl': source, 'lib.tl': lib }, ['queryRAG']), offset);
  if (!help) return null;
  const [first, ...others] = help.signatures;
  expect({ others, active: help.activeSignature }).toEqual({ others: [], active: 0 });
  const params = first?.parameters?.map(({ label }) => label) ?? [];
  const doc = first?.documentation === undefined ? '' : ` -- ${first.documentation}`;
  return `${first?.label} [${params.map((each) => `<${each}>`).join(' ')}] ${help.activeParameter}${doc}`;
}

const GREET = 'greet(who: string, loud: bool): string [<who: string> <loud: bool>]';
const IMPORT = 'import { greet } from "./lib"\n';

describe('a call that is being written', () => {
  test.each([
    [
      'print think<string>(^',
      'think<T>(prompt: string) [<prompt: string>] 0 -- Ask the model; its answer has the type T.',
    ],
    [
      'print infer<int>("x", ^',
      'infer<T>(value, hint: string?) [<value> <hint: string?>] 1 -- Take a T out of a value.',
    ],
    [
      'print agent<int>(^',
      'agent<T>(prompt: string) [<prompt: string>] 0 -- Let the model work with tools until it has a T.',
    ],
    ['print batch<int>(^', 'batch<T>(items, fn) [<items> <fn>] 0 -- Call a function with each item.'],
    [
      'print map_think<(string | int)[]>(a, ^',
      'map_think<T>(items, prompt: string) [<items> <prompt: string>] 1 -- Ask the model about each item; a list of T.',
    ],
    [
      'print reduce_think<Confident<string[]>>(^)',
      'reduce_think<T>(items, prompt: string) [<items> <prompt: string>] 0 -- Let the model bring a list down ' +
        'to one T.',
    ],
  ])('%s is one of a form that asks a model', (marked, shown) => {
    expect(shownAt(marked)).toBe(shown);
  });

  test.each([
    [
      '/// Adds.\nfn f(a: int, b: int?): int { return a }\nprint f(^',
      'f(a: int, b: int?): int [<a: int> <b: int?>] 0 -- Adds.',
    ],
    [
      '/// Adds.\nfn f(a: int, b: int?): int { return a }\nprint f(1,^',
      'f(a: int, b: int?): int [<a: int> <b: int?>] 1 -- Adds.',
    ],
    ['tool t(a: int): int { return a }\nprint t(^', 't(a: int): int [<a: int>] 0'],
    ['fn f(a: int) { print a }\nf(1)\nf(^', 'f(a: int): any [<a: int>] 0'],
    ['fn f() { print 1 }\nf(^)', 'f(): any [] 0'],
  ])('%j is one of this file', (marked, shown) => {
    expect(shownAt(marked)).toBe(shown);
  });

  test.each([
    ['print greet(^', 0],
    ['print greet(^"a", true)', 0],
    ['print greet("a",^ true)', 1],
    ['print greet("a", true^)', 1],
    ['print greet("(,", ^', 1],
    ['print greet([1, 2], ^', 1],
    ['print greet({ a: 1, b: 2 }, ^', 1],
    ['print greet((1, 2), f(1, 2)[1, 2], ^', 2],
    ['print greet("a", true) + greet(^', 0],
    ['print [1, greet("a", ^', 1],
    ['print greet("a" + 2.5, // what\n ^', 1],
  ])('%j is one of an imported function, at its argument', (marked, argument) => {
    expect(shownAt(IMPORT + marked)).toBe(`${GREET} ${argument} -- Greets someone.`);
  });

  test('is looked for in every import', () => {
    const marked = 'import { one } from "./one"\nimport { two, greet } from "./lib"\nprint greet(^';
    expect(shownAt(marked)).toBe(`${GREET} 0 -- Greets someone.`);
  });
});

test.each([
  ['^print think<string>("x")', 'before everything'],
  [`${IMPORT}print greet^("a", true)`, 'before the bracket'],
  [`${IMPORT}print greet("a", true)^`, 'behind the call'],
  [`${IMPORT}print greet([1, ^`, 'in a list'],
  [`${IMPORT}print greet({ a: 1, ^`, 'in a record'],
  [`${IMPORT}print (^`, 'in brackets of their own'],
  [`${IMPORT}print greet + (^`, 'behind an operator'],
  [`${IMPORT}print x.greet(^`, 'a method'],
  ['fn f(^) { }\nf()', 'parameters of a function'],
  ['tool f(^a: int): int { return a }\nprint f(1)', 'parameters of a tool'],
  ['print f(^', 'an unknown name'],
  ['print constructor(^', 'an unknown name that JavaScript knows'],
  ['let f = 1\nprint f(^', 'no function'],
  ['let s = "a"\nprint s.slice(0, 1) + slice(^', 'the name of a method'],
  ['import { other } from "./lib"\nprint other(^', 'what the imported file does not have'],
  ['import { f } from "./missing"\nprint f(^', 'an import that cannot be read'],
  ['print queryRAG(^', 'a tool of the assistant'],
])('%j shows nothing: %s', (marked) => {
  expect(shownAt(marked)).toBeNull();
});
