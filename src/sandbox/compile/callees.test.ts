import { describe, expect, test } from 'vitest';
import { compiledBody } from '../../testing/compiled-script.ts';

describe('a call is of a tool', () => {
  test.each([
    ['by its name', 'add(1)', 'return (await $w0.p.add(1));'],
    ['through tools', 'tools.add(1)', 'return (await $w0.p.add(1));'],
    ['where tools may be missing', 'tools?.add(1)', 'return (void 0,(await $w0.p?.add(1)));'],
    ['where tools may be missing and it is awaited', 'await tools?.add(1)', 'return (await $w0.p?.add(1));'],
    ['called like a method of lists', 'tools.find(1)', 'return (await $w0.p.find(1));'],
    ['by a key', "tools['dotted.tool'](1)", "return (await $w0.p['dotted.tool'](1));"],
    ['by a key that only the script knows', 'tools[name](1)', 'return (await $w0.p[name](1));'],
    ['by another name', 'const plus = add; plus(1)', 'const plus = add; return (await $w0.p["add"](1));'],
    [
      'by another name of a member',
      'const plus = tools.add; plus(1)',
      'const plus = tools.add; return (await $w0.p["add"](1));',
    ],
    [
      'by another name of a key',
      "const dot = tools['dotted.tool']; dot(1)",
      'const dot = tools[\'dotted.tool\']; return (await $w0.p["dotted.tool"](1));',
    ],
    ['by a variable that nobody assigns', 'let plus = add; plus(1)', 'let plus = add; return (await $w0.p["add"](1));'],
    [
      'taken out of tools',
      'const { item, add: plus } = tools; plus(1)',
      'const { item, add: plus } = tools; return (await $w0.p["add"](1));',
    ],
    [
      'taken out of tools by a key',
      "const { 'dotted.tool': dot } = tools; dot(1)",
      'const { \'dotted.tool\': dot } = tools; return (await $w0.p["dotted.tool"](1));',
    ],
    [
      'taken out of tools by a computed key',
      "const { ['add']: plus } = tools; plus(1)",
      'const { [\'add\']: plus } = tools; return (await $w0.p["add"](1));',
    ],
    [
      'through another name of tools',
      "const t = tools; t.add(1); t['item'](2)",
      "const t = tools; await $w0.p.add(1); return (await $w0.p['item'](2));",
    ],
    [
      'taken out of another name of tools',
      'const t = tools; const { add: plus } = t; plus(1)',
      'const t = tools; const { add: plus } = t; return (await $w0.p["add"](1));',
    ],
    [
      'in a function that is declared before its other name',
      'const f = () => plus(1); const plus = add; f()',
      'const f = async () => (await $w0.p["add"](1)); const plus = add; return (await f());',
    ],
  ])('%s', (_how, source, body) => {
    expect(compiledBody(source)).toBe(body);
  });
});

/** Each ends in an expression, which is all that changes. */
describe('a call is of something else', () => {
  test.each([
    ['whose name is a function of the script', 'function add() {} ', 'add(1)'],
    ['whose name is a variable of the script', 'const add = x; ', 'add(1)'],
    ['whose name is a class of the script', 'class add {} ', 'add(1)'],
    ['whose name is given another value', 'add = x; ', 'add(1)'],
    ['whose name is a parameter', '', '((add) => add(1))(x)'],
    ['whose name is no tool', '', 'other(1)'],
    ['that is no tool', '', 'tools.other(1)'],
    ['of a tool', '', 'tools.add.call(1)'],
    ['of another object', '', 'x.add(1)'],
    ['of a field that is called like the tools', '', 'x.tools.add(1)'],
    ['whose tools are a variable of the script', 'const tools = x; ', 'tools.add(1)'],
    ['whose tools are given another value', 'tools = x; ', 'tools.add(1)'],
    ['whose tools are a field of something', 'const { tools: t } = x; ', 't.add(1)'],
    ['whose tools are one of the tools', 'const { t } = tools; ', 't.add(1)'],
    ['whose tools are something else', 'const t = x; ', 't.add(1)'],
    ['whose tools become something else', 'let t = tools; t = x; ', 't.add(1)'],
    ['whose tools are not there yet', 'let t; t = tools; ', 't.add(1)'],
    ['whose other name is given another value', 'let plus = add; plus = x; ', 'plus(1)'],
    ['whose other name is declared twice', 'var plus = add; var plus = x; ', 'plus(1)'],
    ['whose other name is of something else', 'const plus = x; ', 'plus(1)'],
    ['whose other name is of no tool', 'const plus = tools.other; ', 'plus(1)'],
    ['whose other name is of a key that only the script knows', 'const plus = tools[add]; ', 'plus(1)'],
    ['whose other name is of a member of something else', 'const plus = x.add; ', 'plus(1)'],
    ['whose other name is of a list', 'const plus = [add]; ', 'plus(1)'],
    ['taken out of tools, but no tool', 'const { other: plus } = tools; ', 'plus(1)'],
    ['taken out of tools by a key that only the script knows', 'const { [add]: plus } = tools; ', 'plus(1)'],
    ['taken out of tools by a number', 'const { 1: plus } = tools; ', 'plus(1)'],
    ['taken out of tools with another value for its absence', 'const { add: plus = x } = tools; ', 'plus(1)'],
    ['taken out of one of the tools', 'const { add: { plus } } = tools; ', 'plus(1)'],
    ['that is the rest of the tools', 'const { ...plus } = tools; ', 'plus(1)'],
    ['that is an element of the tools', 'const [plus] = tools; ', 'plus(1)'],
    ['taken out of something else', 'const { add: plus } = x; ', 'plus(1)'],
    ['taken out of tools and given another value', 'let { add: plus } = tools; plus = x; ', 'plus(1)'],
    ['that is an element of a tool', 'for (const plus of add) {} ', 'plus(1)'],
    ['that is an error', 'try {} catch (plus) { plus(1) } ', '1'],
    ['that is a function kept under the name of a tool', 'const { add: f } = () => 1; ', 'f(1)'],
  ])('%s', (_what, before, last) => {
    expect(compiledBody(before + last)).toBe(`${before}return (${last});`);
  });
});

test('where names cannot be resolved, calls stay as they are written', () => {
  expect(compiledBody('with (x) { add(1); }')).toBe('with (x) { add(1); }');
});
