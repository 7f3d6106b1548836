import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { playScript } from '../testing/script-world.ts';
import { createSandbox } from './sandbox.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 2 });
afterAll(() => sandbox.close());

/** Broken programs; `§` stands where the error is. */
const PROGRAMS: readonly (readonly [name: string, source: string, message: RegExp])[] = [
  ['an unknown name', 'const a = 1;\nlog(§nope);', /^ReferenceError: nope is not defined/u],
  ['a field of null', 'const a = null;\n  a.§b;', /^TypeError: Cannot read properties of null/u],
  ['a field of a result', 'const it = item(1);\nit.missing.§deep;', /^TypeError: Cannot read properties of undefined/u],
  ['not a function', 'const o = {};\no.§run();', /^TypeError: o\.run is not a function/u],
  ['a thrown error', "if (true) {\n  throw §new Error('mine');\n}", /^Error: mine$/u],
  ['in a function', 'function f(x) {\n  return x.y.§z;\n}\nf({});', /^TypeError/u],
  ['in an arrow function', 'const f = (x) => x.y.§z;\nf({});', /^TypeError/u],
  ['in a callback', '[1, 2].map((n) => {\n  return n.a.§b;\n});', /^TypeError/u],
  ['after an awaited call', 'const a = await add(1, 1);\nconst b = a + 1; §nope();', /^ReferenceError/u],
  ['after a call without await', 'const a = add(1, 1) + add(2, 2); §nope();', /^ReferenceError/u],
  ['behind calls on one line', '[add(1, 1), tools.add(2, 2), item(3).name].concat(§nope);', /^ReferenceError/u],
  ['a failing call', "const x = 1;\n  §fail('no');", /^ToolError: failed: no$/u],
  ['a failing awaited call', "const x = 1;\n  await §fail('no');", /^ToolError/u],
  ['a failing call through tools', "log('a');\nconst r = tools.§fail('no');", /^ToolError/u],
  ['a failing call in a callback', "[1].filter(() => §fail('no'));", /^ToolError/u],
  ['a failing call in Promise.all', "await Promise.all([add(1, 1),\n  §fail('no')]);", /^ToolError/u],
  ['behind an import', "import { x } from 'm';\nx.y.§z;", /^TypeError/u],
  ['behind types', 'const a: { b?: string } = {};\na.b.§length;', /^TypeError/u],
  ['a syntax error', 'const a = 1;\nconst b = §;', /^SyntaxError: Unexpected token$/u],
  ['an open string', "const a = §'abc;\n1;", /^SyntaxError: Unterminated string constant$/u],
  ['a name declared twice', 'let a = 1;\nlet §a = 2;', /^SyntaxError: Identifier 'a' has already been declared$/u],
  ['an unknown module', "const a = 1;\n§import y from 'other';", /^module "other" is not available/u],
  ['with Windows line ends', 'const a = 1;\r\n\r\n  a.b.§c;', /^TypeError/u],
  ['in a class', 'class A {\n  run() { return this.x.§y; }\n}\nnew A().run();', /^TypeError/u],
];

test.each(PROGRAMS)('%s is found where it stands', async (_name, marked, message) => {
  const before = marked.slice(0, marked.indexOf('§'));
  const source = marked.replace('§', '');
  const { result } = await playScript(sandbox, source, { modules: { m: 'export const x = {};' } });
  const line = before.split('\n').length;
  expect(result.failed).toMatchObject({
    message: expect.stringMatching(message),
    line,
    column: before.length - before.lastIndexOf('\n'),
    context: source.split('\n')[line - 1]?.trim(),
  });
});
