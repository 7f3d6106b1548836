import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { playScript } from '../../testing/script-world.ts';
import { createSandbox } from '../sandbox.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 2 });
afterAll(() => sandbox.close());

const STYLES = ['none', 'await', 'then', 'all'] as const;
type Style = (typeof STYLES)[number];

/**
 * Programs in one notation for all styles: `@{call}` is a call of a tool or of a function that calls one, `@fn`
 * stands before a function that calls tools, `@map{list}{fn}` maps a list.
 */
const PROGRAMS: readonly (readonly [name: string, source: string, value: unknown])[] = [
  ['one call', '@{add(1, 2)}', 3],
  ['through tools', '@{tools.add(1, 2)}', 3],
  ['a computed name', "@{tools['add'](1, 2)}", 3],
  ['a dotted name', "@{tools['dotted.tool']('x')}", 'dotted x'],
  ['a name in a variable', "const name = 'add';\n@{tools[name](1, 2)}", 3],
  ['a field of the result', '@{item(4)}.name', 'item 4'],
  ['a method on the result', '@{item(4)}.tags.map((tag) => tag.toUpperCase())', ['X', 'T4']],
  ['a destructured result', 'const { name, tags: [first] } = @{item(5)};\nname + first', 'item 5x'],
  ['a call in a call', '@{add(@{add(1, 2)}, @{add(3, 4)})}', 10],
  ['operators', '@{add(1, 2)} + @{add(3, 4)} * 2', 17],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has the template
  ['a template', "`sum ${@{add(1, 2)}} and ${@{llm('x')}}`", 'sum 3 and about x'],
  ['a condition', "if (@{add(1, 2)} > 2) { 'big' }\n@{add(1, 0)} ? 'yes' : 'no'", 'yes'],
  ['the branches of a condition', 'const big = true;\nconst r = big ? @{add(1, 2)} : @{add(5, 5)};\nr', 3],
  ['the left of ??', "@{get('nothing')} ?? 'default'", 'default'],
  ['the right of ||', 'const none = 0;\nnone || @{add(2, 2)}', 4],
  ['assignment', 'let r;\nr = @{add(1, 1)};\nr += @{add(2, 2)};\nr', 6],
  ['an object', '({ a: @{add(1, 1)}, b: @{item(2)}.id })', { a: 2, b: 2 }],
  ['an array', '[@{add(1, 1)}, @{add(2, 2)}]', [2, 4]],
  ['spread', '[...@{list()}, ...@{item(1)}.tags]', [1, 2, 3, 'x', 't1']],
  ['for…of over a result', 'const out = [];\nfor (const n of @{list()}) out.push(n * 2);\nout', [2, 4, 6]],
  [
    'calls in a for…of',
    'const out = [];\nfor (const n of [1, 2, 3]) {\n  const it = @{item(n)};\n  out.push(it.name);\n}\nout',
    ['item 1', 'item 2', 'item 3'],
  ],
  ['a while loop', 'let n = 0;\nwhile (@{add(n, 1)} < 4) n++;\nn', 3],
  ['a counting loop', 'let s = 0;\nfor (let i = 0; i < 3; i++) s = @{add(s, i)};\ns', 3],
  ['switch', "switch (@{add(1, 1)}) {\n  case 2: output('two'); break;\n  default: output('other');\n}\n'end'", 'end'],
  [
    'try and catch',
    "let r;\ntry { r = @{fail('x')} } catch (error) { r = error.name + ': ' + error.message }\nr",
    'ToolError: failed: x',
  ],
  ['finally', "const r = [];\ntry { r.push(@{add(1, 1)}) } finally { r.push('end') }\nr", [2, 'end']],
  ['return in try', "const f = @fn() => { try { return @{fail('y')} } catch { return 'caught' } };\n@{f()}", 'caught'],
  [
    'a function declaration',
    'const r = @{total(2)};\n@fn function total(n) { const a = @{add(n, 1)}; return a * 10; }\nr',
    30,
  ],
  ['an arrow function', 'const name = @fn(id) => @{item(id)}.name;\n@{name(3)} + @{name(4)}', 'item 3item 4'],
  [
    'functions that call each other',
    'const a = @fn(n) => @{add(n, 1)};\nconst b = @fn(n) => @{a(n)} + @{a(n)};\n@{b(1)}',
    4,
  ],
  [
    'recursion',
    '@fn function down(n) { return n === 0 ? [] : [@{add(n, 0)}, ...@{down(n - 1)}] }\n@{down(3)}',
    [3, 2, 1],
  ],
  [
    'recursion in a function with two names',
    'const down = @fn function again(n) { const v = @{add(n, 0)}; return n === 0 ? 0 : v + @{again(n - 1)}; };\n@{down(3)}',
    6,
  ],
  ['map', '@map{[1, 2, 3]}{@fn(n) => @{item(n)}.name}', ['item 1', 'item 2', 'item 3']],
  ['map with a body', '@map{[1, 2]}{@fn(n) => { const it = @{item(n)}; return it.tags.length + n; }}', [3, 4]],
  [
    'map with a named function',
    'const get = @fn(n) => @{item(n)};\nconst all = @map{[1, 2]}{get};\nall.map((it) => it.id)',
    [1, 2],
  ],
  ['map with the tool itself', 'const all = @map{[1, 2]}{item};\nall.map((it) => it.name)', ['item 1', 'item 2']],
  ['map over a result', '@map{@{list()}}{@fn(n) => @{add(n, n)}}', [2, 4, 6]],
  [
    'two maps',
    'const a = @map{[1, 2]}{@fn(n) => @{add(n, 1)}};\nconst b = @map{a}{@fn(n) => @{add(n, 1)}};\nb',
    [3, 4],
  ],
  ['an alias', 'const plus = add;\n@{plus(1, 2)}', 3],
  ['an alias of tools', 'const t = tools;\n@{t.add(1, 2)}', 3],
  ['destructured tools', 'const { add: plus, item } = tools;\n@{plus(@{item(3)}.id, 1)}', 4],
  ['effects in order', "@{put('k', 1)};\n@{put('k', 2)};\n@{get('k')}", 2],
  ['a bare call is not lost', "@{put('k', 5)}\nconst v = @{get('k')}\nv", 5],
  ['no semicolons', 'const a = 1\n@{add(a, 1)}\nconst b = [a]\n@{add(b[0], 5)}', 6],
  ['an immediately called function', '@{(@fn() => { const x = @{add(1, 1)}; return x + 1; })()}', 3],
  [
    'a generator of numbers',
    'function* count() { yield 1; yield 2; }\nlet s = 0;\nfor (const n of count()) s = @{add(s, n)};\ns',
    3,
  ],
  [
    'a shadowed name is left alone',
    "const r = ((add) => add(1, 2))((a, b) => a + '-' + b);\nr + @{item(1)}.id",
    '1-21',
  ],
  ['a failure that nobody catches', "const a = @{add(1, 1)};\n\n  @{fail('z')};\n'not reached'", undefined],
  ['a TypeError on a result', 'const it = @{item(1)};\nit.missing.field', undefined],
];

function inStyle(source: string, style: Style): string {
  const expand = (text: string): string => {
    let out = '';
    for (let i = 0; i < text.length; ) {
      if (text.startsWith('@{', i)) {
        const inner = braces(text, i + 1);
        out += call(expand(inner), style);
        i += inner.length + 3;
      } else if (text.startsWith('@map{', i)) {
        const list = braces(text, i + 4);
        const fn = braces(text, i + 6 + list.length);
        const mapped = `${expand(list)}.map(${expand(fn)})`;
        out += style === 'none' ? mapped : `(await Promise.all(${mapped}))`;
        i += list.length + fn.length + 8;
      } else if (text.startsWith('@fn', i)) {
        out += style === 'none' ? '' : 'async ';
        i += text[i + 3] === ' ' ? 4 : 3;
      } else out += text[i++];
    }
    return out;
  };
  return expand(source);
}

/** The text between a brace and its partner. */
function braces(text: string, open: number): string {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return text.slice(open + 1, i);
  }
  throw new Error(`unbalanced: ${text}`);
}

function call(inner: string, style: Style): string {
  if (style === 'none') return inner;
  if (style === 'await') return `(await ${inner})`;
  return style === 'then' ? `(await ${inner}.then((v) => v))` : `(await Promise.all([${inner}]))[0]`;
}

/** A line that begins with `(` belongs to the line before, in every language without semicolons. */
function guardLines(source: string): string {
  return source.replace(/\n(\s*)\(/gu, '\n$1;(');
}

describe.each(PROGRAMS)('%s', (_name, source, value) => {
  test('gives the same answer, error and calls in every style', async () => {
    const played = await Promise.all(STYLES.map((style) => playScript(sandbox, guardLines(inStyle(source, style)))));
    const [none] = played;
    for (const each of played) {
      expect({ value: each.value, failed: each.failed, line: each.line, outputs: each.outputs }).toEqual({
        value,
        failed: none?.failed,
        line: none?.line,
        outputs: none?.outputs,
      });
      expect([...each.calls].sort()).toEqual([...(none?.calls ?? [])].sort());
    }
    if (value !== undefined) expect(none?.failed).toBeUndefined();
  });
});

/** Programs that can be written in one way only, with what they must give and how many calls run side by side. */
const SINGLE: readonly (readonly [name: string, source: string, value: unknown, atOnce: number])[] = [
  ['Promise.all of calls', 'const [a, b] = await Promise.all([slow(20, 1), slow(20, 2)]);\na + b', 3, 2],
  ['a map in Promise.all', 'await Promise.all([1, 2, 3, 4].map((n) => slow(20, n)))', [1, 2, 3, 4], 4],
  ['the same without await', 'const r = Promise.all([1, 2, 3].map((n) => slow(20, n)));\nr', [1, 2, 3], 3],
  ['a map with the tool itself', 'await Promise.all([20, 21].map(slow))', [null, null], 2],
  ['a map kept in a constant', 'const ps = [1, 2, 3].map((n) => slow(20, n));\nawait Promise.all(ps)', [1, 2, 3], 3],
  ['promises in variables', 'const p = slow(20, 1);\nconst q = slow(20, 2);\n(await p) + (await q)', 3, 2],
  [
    'promises pushed to a list',
    'const ps = [];\nfor (const n of [1, 2, 3]) ps.push(slow(20, n));\nawait Promise.all(ps)',
    [1, 2, 3],
    3,
  ],
  [
    'a list that a loop awaits',
    'const ps = [slow(20, 1), slow(20, 2)];\nconst out = [];\nfor (const p of ps) out.push(await p);\nout',
    [1, 2],
    2,
  ],
  [
    'a helper without async in Promise.all',
    'function get(n) { const v = slow(20, n); return v * 2; }\nawait Promise.all([1, 2, 3].map(get))',
    [2, 4, 6],
    3,
  ],
  [
    'an arrow that calls a helper',
    'const get = (n) => slow(20, n);\nawait Promise.all([1, 2].map((n) => get(n)))',
    [1, 2],
    2,
  ],
  ['parallel', "parallel([{ tool: 'slow', input: 20 }, { tool: 'slow', input: 20 }]).length", 2, 2],
  [
    'allSettled',
    "(await Promise.allSettled([slow(20, 1), fail('x')])).map((r) => r.status)",
    ['fulfilled', 'rejected'],
    2,
  ],
  [
    'allSettled over constants',
    "const p = fail('x');\nconst q = slow(20, 1);\n(await Promise.allSettled([p, q])).map((r) => r.status)",
    ['rejected', 'fulfilled'],
    2,
  ],
  [
    'chains side by side',
    'const a = slow(20, 1).then((v) => v + 1);\nconst b = slow(20, 2).then((v) => v + 1);\n(await a) + (await b)',
    5,
    2,
  ],
  ['a chain of calls', 'item(1).then((it) => add(it.id, 5)).then((n) => n * 2)', 12, 1],
  ['a chain of calls without return values', 'let out;\nitem(3).then((it) => { out = it.name; });\nout', 'item 3', 1],
  ['catch on a call', "fail('x').catch((error) => error.message)", 'failed: x', 1],
  ['catch on a helper', "const f = () => fail('x');\nf().catch((error) => error.message)", 'failed: x', 1],
  [
    'catch on a method that blocks',
    "const api = { get() { return fail('x'); } };\napi.get().catch((error) => error.message)",
    'failed: x',
    1,
  ],
  [
    'then on a method that blocks',
    'const api = { get(n) { return add(n, 1); } };\napi.get(1).then((v) => v * 10)',
    20,
    1,
  ],
  [
    'then on a method that blocks, before the next statement',
    'const api = { get(n) { return add(n, 1); } };\nlet out;\napi.get(1).then((v) => { out = v; });\nout',
    2,
    1,
  ],
  [
    'then on a variable that is a value too',
    'const p = add(1, 1);\nconst text = String(p);\np.then((v) => v + text)',
    '22',
    1,
  ],
  [
    'await in try with a constant',
    "const p = fail('x');\nlet r;\ntry { r = await p } catch (error) { r = error.message }\nr",
    'failed: x',
    1,
  ],
  ['filter with a call', '[1, 2, 3].filter((n) => add(n, 0) > 1)', [2, 3], 1],
  ['sort with a call', '[3, 1, 2].sort((a, b) => add(a, 0) - b)', [1, 2, 3], 1],
  ['reduce with a call', '[1, 2, 3].reduce((sum, n) => add(sum, n), 0)', 6, 1],
  ['some with a call', '[1, 2, 3].some((n) => item(n).id === 2)', true, 1],
  ['a getter', 'const o = { get sum() { return add(1, 2); } };\no.sum', 3, 1],
  [
    'a class',
    'class A { constructor() { this.v = add(1, 2); } double() { return add(this.v, this.v); } }\nnew A().double()',
    6,
    1,
  ],
  ['a default parameter', 'const f = (x = add(1, 1)) => x;\nf()', 2, 1],
  ['a generator that calls', 'function* g() { yield add(1, 1); }\n[...g()]', [2], 1],
  ['eval', "eval('add(1, 2)')", 3, 1],
  ['a tool in a variable', 'const f = [add][0];\nf(1, 2)', 3, 1],
  [
    'forEach with async',
    'const out = [];\n[1, 2].forEach(async (n) => { out.push(await slow(20, n + 1)); });\nout',
    [2, 3],
    2,
  ],
  [
    'forEach with async at the end',
    'const out = [];\n[1, 2].forEach(async (n) => { await slow(20, n); })',
    undefined,
    2,
  ],
  ['forEach without', 'const out = [];\n[1, 2].forEach((n) => { out.push(add(n, 1)); });\nout', [2, 3], 1],
  [
    'an async function called without await',
    'async function f(n) { return (await add(n, 1)) * 2; }\nconst v = f(1);\nv + 1',
    5,
    1,
  ],
  ['main called at the end', 'async function main() { const v = await add(1, 1); return v; }\nmain()', 2, 1],
  ['a default export', 'export default add(1, 2)', 3, 1],
  ['a default export in parentheses', 'export default (async () => add(1, 2));', 3, 1],
  ['an exported function', 'export async function main() { return add(1, 2) }', 3, 1],
  ['output of a call', 'output(add(1, 1));\n1', 1, 1],
  ['for await', 'const out = [];\nfor await (const v of [slow(20, 1), slow(20, 2)]) out.push(v);\nout', [1, 2], 2],
  ['Array.from', 'await Promise.all(Array.from([1, 2], (n) => slow(20, n)))', [1, 2], 2],
  [
    'spread into Promise.all',
    'const ps = [1, 2].map((n) => slow(20, n));\nawait Promise.all([...ps, slow(20, 3)])',
    [1, 2, 3],
    3,
  ],
  [
    'catch on each promise',
    'const ps = [1, 2].map((n) => fail(n));\nawait Promise.all(ps.map((p) => p.catch((e) => e.message)))',
    ['failed: 1', 'failed: 2'],
    2,
  ],
  [
    'a pool of workers',
    'const todo = [1, 2, 3, 4];\nconst out = [];\nasync function work() { while (todo.length > 0) { const n = todo.shift(); out.push(await slow(10, n)); } }\nawait Promise.all([work(), work()]);\nout.sort()',
    [1, 2, 3, 4],
    2,
  ],
  ['race', 'await Promise.race([slow(200, 1), slow(1, 2)])', 2, 2],
];

test.each(SINGLE)('%s', async (_name, source, value, atOnce) => {
  const played = await playScript(sandbox, source, { limits: { timeoutMs: 10_000 } });
  expect({ value: played.value, failed: played.failed }).toEqual({ value, failed: undefined });
  expect(played.mostAtOnce).toBe(atOnce);
});

test('the place of an error is exact behind rewritten calls', async () => {
  const source = 'const [a, b] = [add(1, 1), tools.add(2, 2)];\nconst c = item(1).missing.field + add(a, b);';
  const { result } = await playScript(sandbox, source);
  expect(result.failed).toMatchObject({ line: 2, column: (source.split('\n')[1]?.indexOf('field') as number) + 1 });
});
