import { describe, expect, test } from 'vitest';
import { compiled, compiledBody } from '../../testing/compiled-script.ts';
import { tablesOf } from '../../testing/rows.ts';

const rows = tablesOf(import.meta.dirname, 'compile');

const blank = (text: string) => ' '.repeat(text.length);
const DEFAULT = blank('export default');

describe('the last value is returned', () => {
  test.each([
    ['of an expression', '1', 'return (1);'],
    ['of an expression with a semicolon', '1;', 'return (1);'],
    ['of one behind statements', 'const x = 1\nx', 'const x = 1\nreturn (x);'],
    ['of one before empty statements', '1;;', 'return (1);;'],
    ['of one with a comment', '1 // one', 'return (1); // one'],
    ['of an object', '({ a: 1 })', 'return (({ a: 1 }));'],
    ['of a call', 'add(1)', 'return (await $w0.p.add(1));'],
    ['of text', "'use strict'", "return ('use strict');"],
    ['of an arrow function', '() => 1', 'return (() => 1)();'],
    ['of an arrow function with a call', '() => add(1)', 'return (async () => (await $w0.p.add(1)))();'],
    ['of an arrow function with a semicolon', '() => 1;', 'return (() => 1)();'],
    ['of a function value', '(function () { return 1 })', 'return ((function () { return 1 }))();'],
    ['of a function alone', 'function f() { return 1 }', 'function f() { return 1 };return f();'],
    ['of the last function', 'function f() {}\nfunction g() {}', 'function f() {}\nfunction g() {};return g();'],
    ['of main', 'function main() {}\nfunction g() {}', 'function main() {}\nfunction g() {};return main();'],
    ['of a default', 'export default 1', `${DEFAULT}return ( 1);`],
    ['of a default with a semicolon', 'export default 1;', `${DEFAULT}return ( 1);`],
    ['of a default call', 'export default add(1)', `${DEFAULT}return ( (await $w0.p.add(1)));`],
    ['of a default function', 'export default function () {}', `${DEFAULT}return ( function () {})();`],
    [
      'of a default function with a call',
      'export default function () { add(1) }',
      `${DEFAULT}return ( async function () { await $w0.p.add(1) })();`,
    ],
    ['of a default function value', 'export default (function () {})', `${DEFAULT}return ( (function () {}))();`],
    ['of a default arrow function', 'export default () => 1', `${DEFAULT}return ( () => 1)();`],
    ['of a default class', 'export default class {}', `${DEFAULT}return ( class {});`],
    ['of a default in parentheses', 'export default (1);', `${DEFAULT}return ( (1));`],
    [
      'of a default in the next line',
      'export  default\nadd(1)',
      `${blank('export  default')}return (\n(await $w0.p.add(1)));`,
    ],
    ['of what is returned', 'return add(1)', 'return (await $w0.p.add(1))'],
  ])('%s', (_of, source, body) => {
    expect(compiledBody(source)).toBe(body);
  });

  test.each([
    ['nothing', ''],
    ['nothing but semicolons', '; ;'],
    ['a declaration', 'const x = 1'],
    ['a class', 'class A {}'],
    ['a condition', 'if (x) { 1 }'],
    ['a function among other statements', 'const x = 1\nfunction f() {}'],
  ])('unless the last is %s', (_what, source) => {
    expect(compiledBody(source)).toBe(source);
  });
});

test.each([
  ['a variable', 'export const x = 1', `${blank('export ')}const x = 1`],
  ['a class', 'export class A {}', `${blank('export ')}class A {}`],
  ['a function', 'export function f() {}', `${blank('export ')}function f() {};return f();`],
  [
    'functions',
    'export function main() {}\nfunction f() {}',
    `${blank('export ')}function main() {}\nfunction f() {};return main();`,
  ],
  ['names', 'x\nexport { x }', `return (x);\n${blank('export { x }')}`],
  [
    'the name of a function',
    'function f() {}\nexport { f };',
    `function f() {};return f();\n${blank('export { f };')}`,
  ],
  ['names over lines', 'x\nexport {\n  x,\n}', 'return (x);\n        \n    \n '],
  ['all of another', "x\nexport * from 'y'", `return (x);\n${blank("export * from 'y'")}`],
])('an export of %s is none, since nothing imports a script', (_of, source, body) => {
  expect(compiledBody(source)).toBe(body);
});

describe('imports', () => {
  test.each(rows<[string, string, string]>('imports are declared before everything else'))(
    '%s are declared before everything else',
    (_of, source, bindings) => {
      expect(compiled(`1;\n${source}`)).toMatchObject({
        code: `(async($w0)=>{${bindings}\nreturn (1);\n${blank(source)}\n})`,
        imports: ['double'],
      });
    },
  );

  test('name each module once', () => {
    const source = "import double from 'double'\nimport { x } from 'tables'\nimport { two } from 'double'\nadd(two)";
    const bindings =
      'const double=$w0.take("double","default");const x=$w0.take("tables","x");const two=$w0.take("double","two");';
    const blanks = source.split('\n').slice(0, -1).map(blank).join('\n');
    expect(compiled(source)).toMatchObject({
      code: `(async($w0)=>{${bindings}\n${blanks}\nreturn (await $w0.p.add(two));\n})`,
      imports: ['double', 'tables'],
    });
  });

  test.each([
    ['that is misspelt', 'duble', 'modules here: double, tables; did you mean "double"?'],
    ['that is like none', 'node:fs', 'modules here: double, tables'],
  ])('of a module %s say which there are', (_what, name, said) => {
    expect(compiled(`import double from 'double';\n  import x from '${name}'`)).toEqual({
      ok: false,
      message: `module "${name}" is not available: ${said}`,
      position: { line: 2, column: 3 },
    });
  });

  test('where there are no modules say so', () => {
    expect(compiled("import 'double'", { modules: [] })).toEqual({
      ok: false,
      message: 'module "double" is not available: there are no modules here',
      position: { line: 1, column: 1 },
    });
  });
});

test('a hashbang in the first line is nothing', () => {
  const line = '#!/usr/bin/env node';
  expect(compiledBody(`${line}\nadd(1)`)).toBe(`${blank(line)}\nreturn (await $w0.p.add(1));`);
});

test('a hashbang elsewhere is text', () => {
  expect(compiledBody("'#!/bin'")).toBe("return ('#!/bin');");
});

test('what a script reaches its surroundings by has a name of which it knows nothing', () => {
  expect(compiled('add($w1)')).toMatchObject({ code: '(async($w0)=>{\nreturn (await $w0.p.add($w1));\n})' });
  expect(compiled("'$w0'; $w1.$w2")).toMatchObject({ code: "(async($w3)=>{\n'$w0'; return ($w1.$w2);\n})" });
});

test.each([
  ['lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['operators', `1${' + 1'.repeat(20_000)}`],
])('%s that are nested too deeply for the parser are a syntax error', (_what, source) => {
  expect(compiled(source)).toMatchObject({ ok: false, message: expect.stringMatching(/^SyntaxError: .*stack/u) });
});

test('what is nested too deeply for the compiler is a syntax error', () => {
  const message = 'SyntaxError: the code is nested too deeply';
  expect(compiled(`a${'.b'.repeat(20_000)}`)).toEqual({ ok: false, message });
});

test('a mistake of ours is not blamed on the script', () => {
  const functions = new Set<string>();
  functions.has = () => {
    throw new TypeError('ours');
  };
  expect(() => compiled('add(1)', { functions })).toThrow(new TypeError('ours'));
});

/** Where `mark` stands in a text, as the isolate says it of what was compiled: not counting its first line. */
function placeOf(text: string, mark: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(mark)).split('\n');
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

test.each(rows<[string, string]>('a place is found in what the author wrote'))(
  'a place %s is found in what the author wrote',
  (_where, source) => {
    const script = compiled(source);
    if (!script.ok) throw new Error(script.message);
    const code = script.code.slice(script.code.indexOf('\n') + 1);
    const lines = (text: string) => text.replaceAll(/\r\n?/gu, '\n');
    expect(script.original(placeOf(lines(code), 'here'))).toEqual(placeOf(lines(source), 'here'));
  },
);
