import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { checkedProgram, type Files } from '../../testing/checked-programs.ts';
import { compileProgram, type Entry } from './compile.ts';
import { GUEST } from './guest-ai.ts';

interface CompiledRun {
  readonly entry?: Entry;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Answers what the program asks besides printing. */
  readonly host?: (op: string, payload: unknown) => unknown;
}

/** What the first of some sound programs does outside of any box: what it prints, and what it came to. */
async function runCompiled(files: Files, { entry, args = {}, host = () => null }: CompiledRun = {}) {
  const checked = checkedProgram(files, ['queryRAG']);
  if (!checked.ok)
    throw new Error(
      JSON.stringify(
        checked.modules.flatMap(({ diagnostics }) => diagnostics),
        null,
        1,
      ),
    );
  const compiled = compileProgram(checked, entry);
  const printed: unknown[] = [];
  const serve = async (op: string, payload: unknown) => {
    if (op !== 'print') return { ok: await host(op, payload) };
    printed.push(payload);
    return { ok: null };
  };
  const source = `(async () => {\n${GUEST}\n${compiled.code}\nreturn JSON.stringify(await $.main($program));\n})()`;
  const text = await runInNewContext(source, { host: serve, $setup: { args, shapes: compiled.shapes } });
  const { ok, error, at } = JSON.parse(text) as { ok?: unknown; error?: Record<string, unknown>; at?: number };
  const { line, column } = compiled.places[at ?? -1] ?? {};
  const failed = error && `${line}:${column} ${String(error.name)}: ${String(error.message)}`;
  return { printed, ok, failed, compiled };
}

/** What a program prints, line by line, and how it fails if it does. */
async function prints(source: string, more: Parameters<typeof runCompiled>[1] = {}): Promise<unknown[]> {
  const { printed, failed } = await runCompiled({ 'a.tl': source }, more);
  return failed === undefined ? printed : [...printed, `! ${failed}`];
}

test.each([
  ['if 1 > 2 { print "a" } else { print "b" }', ['b']],
  ['if 1 < 2 { print "a" }\nprint "c"', ['a', 'c']],
  ['let n = 2\nif n == 1 { print "a" } else if n == 2 { print "b" } else { print "c" }', ['b']],
  ['let n = 3\nif n == 1 { print "a" } else if n == 2 { print "b" } else { print "c" }', ['c']],
  ['let n = 3\nif n == 1 { print "a" } else if n == 2 { print "b" }\nprint "d"', ['d']],
  ['for i in 1..3 { if i == 2 { continue } print i }', ['1', '3']],
  ['for word in ["a", "b"] { print word }', ['a', 'b']],
  ['let n = 0\nwhile true { n = n + 1 if n == 3 { break } }\nprint n', ['3']],
  ['fn f(n: int): int { if n <= 1 { return 1 } return n * f(n - 1) }\nprint f(5)', ['120']],
  ['print f()\nfn f(): int { return g() }\nfn g(): int { return 7 }', ['7']],
  ['fn f() { print "x" }\nprint f()', ['x', 'null']],
  ['tool t(a: int): int { return a * 2 }\nprint t(2)', ['4']],
  ['test "never here" { print "x" }\nprint "y"', ['y']],
])('%j prints %j', async (source, printed) => {
  expect(await prints(source)).toEqual(printed);
});

describe('a pipeline', () => {
  const F = 'fn inc(a: int): int { return a + 1 }\nfn add(a: int, b: int): int { return a + b }\n';
  test.each([
    ['print 1 |> inc', ['2']],
    ['print 1 |> inc |> inc', ['3']],
    ['print 1 |> add(10)', ['11']],
    ['print 1 |> add(10) |> inc', ['12']],
    ['print 1 |> 5', ['5']],
  ])('%j prints %j', async (source, printed) => {
    expect(await prints(F + source)).toEqual(printed);
  });

  test('ends in a model, which sees what came before', async () => {
    const asked: unknown[] = [];
    const host = (op: string, payload: unknown) => {
      asked.push([op, payload]);
      return 'answer';
    };
    expect(await prints('print "Bonn" |> think<string>("Translate")', { host })).toEqual(['answer']);
    expect(asked).toMatchObject([['ask', { prompt: 'Translate' }]]);
    expect(JSON.stringify(asked)).toContain('Bonn');
  });
});

describe('what fails', () => {
  test.each([
    ['print "a"\nprint 1 / 0', ['a', '! 2:7 DivisionByZero: nothing can be divided by zero']],
    ['try { print 1 / 0 } catch DivisionByZero (e) { print e.message }', ['nothing can be divided by zero']],
    ['try { print 1 / 0 } catch NoMatch (e) { print e } catch DivisionByZero (e) { print "here" }', ['here']],
    ['try { print 1 / 0 } catch NoMatch (e) { print e } catch (e) { print "any" }', ['any']],
    ['try { print 1 / 0 } catch NoMatch (e) { print e }', ['! 1:13 DivisionByZero: nothing can be divided by zero']],
    ['try { try { print 1 / 0 } catch NoMatch (e) { print e } } catch (e) { print "outer" }', ['outer']],
    ['try { print "a" } catch (e) { print e }\nprint "b"', ['a', 'b']],
    ['assert 1 == 1\nassert true && true\nassert false || true\nprint "fine"', ['fine']],
    ['assert 1 == 2', ['! 1:1 AssertionFailed: this does not hold: 1 == 2']],
    ['assert 1 + 1 > 2', ['! 1:1 AssertionFailed: this does not hold: 2 > 2']],
    ['print "a"\nassert false', ['a', '! 2:1 AssertionFailed: this does not hold']],
    ['assert true && false', ['! 1:1 AssertionFailed: this does not hold']],
    ['assert false || false', ['! 1:1 AssertionFailed: this does not hold']],
  ])('%j ends as %j', async (source, printed) => {
    expect(await prints(source)).toEqual(printed);
  });

  test('a demand in words is judged by a model', async () => {
    const source = 'assert.semantic("Go away", "It is polite")';
    const judge = (passes: boolean) => () => ({ passes, explanation: 'rude' });
    expect(await prints(source, { host: judge(true) })).toEqual([]);
    expect(await prints(source, { host: judge(false) })).toEqual([
      expect.stringMatching(/^! 1:1 AssertionFailed: .*rude/u),
    ]);
  });
});

describe('what a program is called with', () => {
  const SOURCE = 'param n: int = 2\nparam s: string?\nprint [n, s]';
  test.each([
    [{}, '[2,null]'],
    [{ n: 5, s: 'x' }, '[5,"x"]'],
    [{ n: 0 }, '[0,null]'],
  ])('%j goes to its parameters', async (args, printed) => {
    expect((await prints(SOURCE, { args })).map((each) => String(each).replaceAll(/\s/gu, ''))).toEqual([printed]);
  });
});

describe('one tool of a program', () => {
  const SOURCE = [
    ...['param rate: int = 2', 'let base = rate * 10', 'print "never"', 'let unused = 1 / 0'],
    ...['fn times(n: int): int { return n * base }', 'tool scaled(n: int): int { return times(n) }'],
    'tool said(n: int): string { print `it is ${n}` }',
  ].join('\n');
  const call = (name: string, args: Readonly<Record<string, unknown>>) =>
    runCompiled({ 'a.tl': SOURCE }, { entry: { kind: 'tool', name }, args });

  test('runs with what it needs, and nothing else', async () => {
    expect(await call('scaled', { n: 3 })).toMatchObject({ ok: 60, printed: [], failed: undefined });
  });

  test('is not called with the parameters of the program', async () => {
    expect(await call('scaled', { n: 3, rate: 100 })).toMatchObject({ ok: 60 });
  });

  test('gives what it prints, where it returns nothing', async () => {
    expect(await call('said', { n: 3 })).toMatchObject({ ok: 'it is 3' });
  });
});

test('a test runs behind all else', async () => {
  const source = 'let n = 1\nprint n\ntest "one" { print "first" }\ntest "two" mode: replay("a.json") { print n + 1 }';
  const run = (index: number) => runCompiled({ 'a.tl': source }, { entry: { kind: 'test', index } });
  expect((await run(0)).printed).toEqual(['1', 'first']);
  const { printed, compiled } = await run(1);
  expect(printed).toEqual(['1', '2']);
  expect(compiled.tests).toEqual([{ name: 'one' }, { name: 'two', replay: 'a.json' }]);
  expect((await run(2)).printed).toEqual(['1']);
});

describe('what is typed after other things', () => {
  const typed = (from: number): Entry => ({ kind: 'typed', from });

  test('runs alone, on the values that were there', async () => {
    const source = 'let n = 1\nparam p: int = 3\nfn f(): int { return n }\nlet m = f() + 1\nprint [n, m, p]';
    const found = await runCompiled({ 'a.tl': source }, { entry: typed(3), args: { n: 5, m: 100 } });
    expect(found.printed.map((each) => String(each).replaceAll(/\s/gu, ''))).toEqual(['[5,6,3]']);
    expect(found.ok).toEqual({ n: 5, p: 3, m: 6 });
  });

  test('is shown where it is an expression', async () => {
    const found = await runCompiled({ 'a.tl': 'fn f() { print "in" }\n1 + 1\n"x"\nnull\nf()' }, { entry: typed(0) });
    expect(found.printed).toEqual(['2', 'x', 'in']);
    expect(found.ok).toEqual({});
  });

  test('does nothing again', async () => {
    const source = 'print "old"\n1 + 1\nlet n = 2\nn = 3\nprint "new"';
    expect((await runCompiled({ 'a.tl': source }, { entry: typed(3), args: { n: 2 } })).printed).toEqual(['new']);
    const all = await runCompiled({ 'a.tl': source }, { entry: typed(5), args: { n: 3 } });
    expect(all).toMatchObject({ printed: [], ok: { n: 3 } });
  });

  test('fails at its place', async () => {
    const found = await runCompiled({ 'a.tl': 'let n = 0\nlet m = 1 / n' }, { entry: typed(1), args: { n: 0 } });
    expect(found.failed).toBe('2:9 DivisionByZero: nothing can be divided by zero');
    const shown = await runCompiled({ 'a.tl': 'let n = 0\n\n 1 / n' }, { entry: typed(1), args: { n: 0 } });
    expect(shown.failed).toBe('3:2 DivisionByZero: nothing can be divided by zero');
  });
});

test('what is imported is there, and nothing of it runs', async () => {
  const files = {
    'a.tl': 'import { double, t } from "./lib"\nprint double(t(2)) |> double',
    'lib.tl':
      'import { one } from "./base"\nprint "never"\nfn double(n: int): int { return n * 2 * one() }\ntool t(n: int): int { return n + 1 }',
    'base.tl': 'fn one(): int { return 1 }',
  };
  expect(await runCompiled(files)).toMatchObject({ printed: ['12'], failed: undefined });
});

describe('a program returns', () => {
  test.each([
    ['return 1', 1, { type: 'integer' }],
    ['if 1 > 2 { return "a" }', null, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['for i in 1..9 { if i > 3 { return i } }\nreturn 0', 4, { type: 'integer' }],
    ['let a = { n: 1, of: [1.5] }\nreturn a', { n: 1, of: [1.5] }, { type: 'object', required: ['n', 'of'] }],
    ['print 1\nreturn', null, undefined],
    ['print 1', null, undefined],
    ['return queryRAG("x")', null, undefined],
    ['return f()\nfn f(): int { return 2 }\ntest "t" { assert true }', 2, { type: 'integer' }],
  ])('%j', async (source, value, schema) => {
    const { ok, compiled } = await runCompiled({ 'a.tl': source });
    expect(ok).toEqual(value);
    if (schema) expect(compiled.result).toMatchObject(schema);
    else expect(compiled.result).toBeUndefined();
  });

  test('a type that contains itself', async () => {
    const source =
      'type Node { name: string children: Node[] }\nfn leaf(name: string): Node { return { name: name, children: [] } }\n' +
      'return { root: leaf("a"), other: leaf("b") }';
    const { compiled } = await runCompiled({ 'a.tl': source });
    expect(compiled.result).toMatchObject({
      properties: { root: { properties: { children: { items: { $ref: '#/$defs/Node' } } } } },
      $defs: { Node: { properties: { children: { items: { $ref: '#/$defs/Node' } } } } },
    });
  });

  test('and its tests run all the same', async () => {
    const source = 'let n = 1\nif n == 1 { return n }\nprint "never"\ntest "t" { print n assert n == 1 }';
    const entry = { kind: 'test', index: 0 } as const;
    expect(await prints(source, { entry })).toEqual(['1']);
    expect(await prints(`print 1\n${source}`, { entry })).toEqual(['1', '1']);
  });
});
