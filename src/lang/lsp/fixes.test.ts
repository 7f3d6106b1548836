import { expect, test } from 'vitest';
import { checkSource } from '../check/check.ts';

const LIB = 'fn greet(n: int): string { return "x" + n }';
const check = (source: string) =>
  checkSource(source, 'a.tl', { read: () => LIB, tools: ['queryRAG'] }).main.diagnostics;

/** A source, its diagnostic code, and the source after the fix. */
const FIXES = [
  ['type M { a: string }\nlet uncertain m = think<M>("x")\nprint m.a', 'TL3004', 'print m.unwrap().a'],
  ['let uncertain n = think<int>("x")\nprint n + 1', 'TL3004', 'print n.unwrap() + 1'],
  ['let n = 1\nprint match n { 1 => "a" }', 'TL4001', 'print match n { 1 => "a" _ => null }'],
  ['let n = 1\nprint match n { 1 => "a", 1 => "b", _ => "c" }', 'TL4007', 'print match n { 1 => "a",  _ => "c" }'],
  ['fn f(): int { return 1 print 2 print 3 }\nprint f()', 'TL4003', 'fn f(): int { return 1  }'],
  ['fn f() { let x = 1 }\nf()', 'TL4002', 'fn f() { let _x = 1 }'],
  ['let n = 1\nn == 2', 'TL4005', 'print n == 2'],
  ['import { gret } from "./lib"\nprint gret(1)', 'TL2007', 'import { greet } from "./lib"'],
  ['let price = 1\nprint pirce', 'TL2001', 'print price'],
  ['print agent<string>("x") with tools: queryRGA', 'TL2003', 'with tools: queryRAG'],
  ['type M { a: number }\nprint think<M>("x").a', 'TL2002', 'a: float'],
  ['let n = 1;\nprint n', 'TL1001', 'let n = 1\n'],
  ['let n = 1\n}\nprint n', 'TL1013', 'let n = 1\n\nprint n'],
] as const;

test.each(FIXES)('%j is put right (%s)', (source, code, fixed) => {
  const problem = check(source).find((each) => each.code === code);
  const { start, end } = problem?.fix?.location ?? {};
  expect(problem?.fix?.title).toMatch(/^[A-Z]/u);
  const text = source.slice(0, start?.offset) + problem?.fix?.text + source.slice(end?.offset);
  expect(text).toContain(fixed);
  expect(check(text).filter((each) => each.code === code)).toEqual([]);
});

test('nothing is offered where it could not be written', () => {
  const source = 'type M { n: int }\nlet uncertain m = think<M>("x")\nprint match m { { n: 1 } => 2, _ => 3 }';
  const problem = check(source).find(({ code }) => code === 'TL3004');
  expect(problem).toBeDefined();
  expect(problem?.fix).toBeUndefined();
});
