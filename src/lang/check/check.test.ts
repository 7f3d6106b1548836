import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { type Checked, checkFile, checkSource } from './check.ts';

/** Check the first of these in-memory files. */
function checkFiles(files: Readonly<Record<string, string>>): Checked {
  const read = (path: string) => {
    const text = files[Object.keys(files).find((name) => resolve(name) === path) ?? ''];
    if (text === undefined) throw new AssistantError('file_not_found', 'No such file.', { hint: 'Check the path.' });
    return text;
  };
  return checkFile(Object.keys(files)[0] ?? '', { read, tools: ['webSearch'] });
}

/** The diagnostics of a source, as `LINE:COLUMN CODE message (hint)`. */
function found(source: string): string[] {
  const { main } = checkSource(source, 'a.tl', { read: () => '', tools: ['webSearch'] });
  return main.diagnostics.map(({ code, message, hint, location: { start } }) => {
    return `${start.line}:${start.column} ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}

/** Declarations put before each of the texts below, on one line. */
const GIVEN =
  'type Mood { label: string score: float note: string? tags: string[] } fn f(a: int, b: string?): int { return a } tool t(x: string): string { return x } let mood = think<Mood>("x") let uncertain maybe = think<Mood>("x") let n = 1 let s = "x" let list = [1, 2] print [mood.label, maybe.value.label, s] print n print list print f(1)\n';
const wrong = (source: string) => found(GIVEN + source).map((line) => line.replace(/^2:/u, ''));

describe('names', () => {
  test.each([
    ['print moood', '7 TL2001 there is nothing called `moood` (did you mean `mood`?)'],
    ['print process', '7 TL2001 there is nothing called `process` (programs reach the machine by tools only)'],
    ['print constructor', '7 TL2001 there is nothing called `constructor`'],
    [
      'print think<constructor>("x")',
      '13 TL2002 there is no type `constructor` (declare it: `type constructor { ... }`)',
    ],
    ['print think<Moood>("x")', '13 TL2002 there is no type `Moood` (did you mean `Mood`?)'],
    ['print think<number>("x")', '13 TL2002 there is no type `number` (write `float`)'],
    ['print agent<int>("x") with tools: tt', '35 TL2003 there is no tool `tt` (did you mean `t`?)'],
    ['print agent<int>("x") with tools: f', '35 TL2003 `f` is not a tool (declare it with `tool f(...)`)'],
    ['let n = 2', '5 TL2004 `n` is declared in line 1 already (leave out `let` to give it another value)'],
    ['fn f() { }', '4 TL2004 `f` is declared in line 1 already'],
    ['type Mood { }', '6 TL2004 the type `Mood` is there already'],
    ['type A { a: int a: int }', '17 TL2004 the field `a` is there already'],
    ['try { f(1) } catch Timout (e) { print e }', '20 TL2005 there is no error `Timout` (did you mean `Timeout`?)'],
    ['moodd = 1', '1 TL2001 there is no variable `moodd` (did you mean `mood`?)'],
    ['f = 1', '1 TL1012 `f` is a function, not a variable'],
    ['if n > 0 { let inner = 1 print inner } print inner', '46 TL2001 there is nothing called `inner`'],
  ])('%s', (source, expected) => expect(wrong(source)).toEqual([expected]));
});

describe('types', () => {
  test.each([
    ['let x: int = "abc" print x', '14 TL3001 expected int, found string'],
    ['let x: int = 1.5 print x', '14 TL3001 expected int, found float'],
    ['let x: string = mood.note print x', '17 TL3001 expected string, found string? (the value may be null)'],
    ['let x: int[] = ["a", 2] print x', '17 TL3001 expected int, found string'],
    ['n = "a"', '5 TL3001 expected int, found string'],
    ['fn g(): int { return "a" } g()', '22 TL3001 expected int, found string'],
    ['f()', '1 TL3002 1 to 2 arguments needed, 0 given (the parameters are (a: int, b: string?))'],
    ['print n |> f("a", 2)', '12 TL3002 1 to 2 arguments needed, 3 given (the parameters are (a: int, b: string?))'],
    ['print n |> f(2)', '14 TL3001 expected string?, found int'],
    ['f(1, "a", 2)', '1 TL3002 1 to 2 arguments needed, 3 given (the parameters are (a: int, b: string?))'],
    ['f("a")', '3 TL3001 expected int, found string'],
    ['t(n)', '3 TL3001 expected string, found int'],
    ['print mood.lable', '12 TL3003 Mood has no field `lable` (did you mean `label`?)'],
    [
      'print list.first',
      '12 TL3003 int[] has no field `first` (it has length, join, includes, indexOf, slice, concat)',
    ],
    [
      'print maybe.label',
      '13 TL3004 this value is uncertain (take the value out with `.unwrap()`, `.expect(0.8)` or `.or(other)`)',
    ],
    [
      'print maybe + "a"',
      '7 TL3004 this value is uncertain (take the value out with `.unwrap()`, `.expect(0.8)` or `.or(other)`)',
    ],
    ['n(1)', '1 TL3005 int is not a function'],
    ['print "1" == 1', '7 TL3006 `==` does not fit string and int (they are never equal)'],
    ['print "a" - 1', '7 TL3006 `-` does not fit string and int (it takes numbers)'],
    ['print "a" < 1', '7 TL3006 `<` does not fit string and int (it compares two numbers, or two texts)'],
    ['print "a" + mood', '7 TL3006 `+` does not fit string and Mood (take a field of the value, or use a template)'],
    ['print -s', '8 TL3006 `-` takes numbers, found string'],
    ['let x: Mood = { label: "a", tags: [] } print x', '15 TL3007 Mood also needs `score`'],
    [
      'let x: Mood = { label: "a", score: 1, tags: [], labl: 2 } print x',
      '49 TL3003 Mood has no field `labl` (did you mean `label`?)',
    ],
    ['print n[0]', '7 TL3008 int has no items'],
    ['print list["a"]', '12 TL3008 a list takes an int, found string'],
    ['for x in mood { print x }', '10 TL3008 Mood has no items (go through a list, or a range `1..5`)'],
    ['print think<string>(n)', '21 TL3001 expected string, found int'],
    ['print match mood { { scor: > 1 } => 1 _ => 2 }', '22 TL3003 Mood has no field `scor` (did you mean `score`?)'],
    ['print match mood { { label: 1 } => 1 _ => 2 }', '29 TL3006 the field is string, never int'],
  ])('%s', (source, expected) => expect(wrong(source)).toEqual([expected]));

  test.each([
    'let x: float = 1 print x',
    'let x: string? = null print x',
    'let x: (string | int)[] = ["a", 1] print x',
    'let x: Mood = { label: "a", score: 1, tags: [] } print x',
    'print mood.note == null',
    'print maybe.unwrap().label print maybe.expect(0.8).label print maybe.confidence > 0.5',
    'print "a" + 1 + true',
    'print s.length + list.length print s.toUpperCase().trim() print list.join(", ")',
    'print list[0] + 1 print { a: 1 }["a"]',
    'print match maybe { { confidence: >= 0.8 } => "a" _ => "b" }',
    'print match (n == 1) { true => 1 false => 2 }',
    'for i in 1..3 { print i + n }',
    'print n |> f("x") |> f',
    'print n |> f',
    'print s |> think<Mood>("x") |> f',
    'fn g(x: int): int { if x > 1 { return later } else { return g(x) } } let later = 1 print g(1)',
    'type Tree { children: Tree[] name: string } print think<Tree>("x").children[0].children[0].name',
    'print agent<string>("x") with tools: t, webSearch print webSearch("x")',
    'try { f(1) } catch (e) { print e.message }',
    'fn g() { let _kept = 1 } g()',
    'let x = reason<Mood> { goal: "g" steps: 1. "a" guard { score: 0..1 } } print x.label',
    'print map_think<Mood>(["a"], "b") concurrency: 2',
    'param city: string = "Bonn" print city',
    'while n < 3 { n = n + 1 if n == 2 { continue } break }',
  ])('%s is right', (source) => expect(wrong(source)).toEqual([]));
});

describe('clauses', () => {
  test.each([
    [
      'print think<string>("x") with tools: t',
      '38 TL2101 `with tools:` means nothing for `think` (its clauses are `with context:`, `without context:`, `guard`, `on_fail:`)',
    ],
    [
      'print think<string>("x") with context: { s } without context: { n }',
      '65 TL2102 the context does not have `n` (it has s)',
    ],
    [
      'print think<string>("x") guard { length: "a" }',
      '34 TL2103 `length` takes a range of numbers (write `length: 1..10`)',
    ],
    [
      'print think<string>("x") guard { passes: n }',
      '34 TL2103 `passes` takes a function (write `passes: my_function`)',
    ],
    ['print think<Mood>("x") guard { label: 1..2 }', '32 TL2103 the field is string, not a number'],
    ['print think<Mood>("x") guard { size: 1..2 }', '32 TL4009 Mood has no field `size`, so the guard always fails'],
    ['print think<string>("x") on_fail: retry(0)', '41 TL2104 `retry` is at least 1'],
    ['print agent<string>("x") max turns: -1', '37 TL2104 `max turns:` is at least 1'],
    ['print reduce_think<string>(["a"], "x") batch_size: 1', '52 TL2104 `batch_size:` is at least 2'],
    [
      'print batch<int>(list, f) on_error: contine',
      '37 TL2104 there is no way to go on called `contine` (did you mean `continue`?)',
    ],
    ['print batch<int>(list, n)', '24 TL3001 expected a function, found int'],
    [
      'print think<Mood>("x") on_fail: retry(2) then fallback({ label: 1, score: 1, tags: [] })',
      '65 TL3001 expected string, found int',
    ],
  ])('%s', (source, expected) => expect(wrong(source)).toEqual([expected]));
});

describe('what can hardly be meant', () => {
  test.each([
    ['print match n { 1 => 2 }', '7 TL4001 this match leaves values of int out (end with an arm `_ => ...`)'],
    ['fn g() { let x = 1 } g()', '14 TL4002 `x` is never used'],
    ['fn g(): int { return 1 print 2 } g()', '24 TL4003 this is never reached (remove it, or move it up)'],
    ['fn g(): int { if n > 1 { return 1 } } g()', '4 TL4004 `g` can end without returning int (end it with `return`)'],
    ['n == 1', '1 TL4005 nothing is done with this value (print it, or remove it)'],
    ['tool u(): string { let x = 1 f(x) }', '6 TL4006 `u` gives the model nothing (return the result)'],
    ['print match n { 1 => 2 1 => 3 _ => 4 }', '24 TL4007 this arm is never reached (remove it, or move it up)'],
    ['type A { @maxitems(1) a: int }', '11 TL4008 there is no annotation `maxitems` (did you mean `maxItems`?)'],
    ['if n > 1 { type A { } }', '12 TL2105 `type` stands at the top of a file'],
    ['test "t" { return }', '12 TL2105 `return` has nothing to end here'],
    ['print [1] + 2', '7 TL3006 `+` does not fit int[] and int (it adds numbers, and joins texts and lists)'],
    ['let both: string[] = ["a"] + [1]\nprint both', '22 TL3001 expected string[], found (string | int)[]'],
    ['break', '1 TL2105 this stands in a loop only'],
  ])('%s', (source, expected) => expect(wrong(source)).toEqual([expected]));

  test('a tool that only prints, and declares what it gives, may be run', () => {
    const { ok } = checkSource('tool t(): string { print "x" }\nprint agent<string>("x") with tools: t', 'a.tl', {
      read: () => '',
      tools: [],
    });
    expect(ok).toBe(true);
  });
});

describe('imports', () => {
  const codes = ({ modules }: Checked) =>
    modules.flatMap(({ diagnostics }) => diagnostics.map(({ code, file, message }) => `${file} ${code} ${message}`));

  test('types, functions and tools of other files are known with their types', () => {
    const people =
      'type Person { name: string friend: Person? }\nfn greet(p: Person): string { return p.name }\ntool ask(q: string): string { return q }\n';
    const main =
      'import { Person, greet, ask } from "./lib/people"\nlet p = think<Person>("x")\nprint greet(p)\nprint p.friend.nam\nprint greet(1)\nprint agent<int>("x") with tools: ask\n';
    const checked = checkFiles({ 'main.tl': main, 'lib/people.tl': people });
    expect(codes(checked)).toEqual([
      'main.tl TL3003 Person? has no field `nam`',
      'main.tl TL3001 expected Person, found int',
    ]);
    expect(checked.modules.map(({ file }) => file)).toEqual(['lib/people.tl', 'main.tl']);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['a missing file', { 'a.tl': 'import { x } from "./b"\nprint x' }, ['a.tl TL2006 b.tl cannot be read']],
    [
      'a missing name',
      { 'a.tl': 'import { greed } from "./b"\ngreed()', 'b.tl': 'fn greet() { }' },
      ['a.tl TL2007 b.tl has no `greed`'],
    ],
    [
      'itself',
      { 'a.tl': 'import { x } from "./a.tl"\nx()' },
      ['a.tl TL2008 these files import each other: a.tl -> a.tl'],
    ],
    [
      'a circle',
      {
        'a.tl': 'import { b } from "./b"\nfn a() { b() }',
        'b.tl': 'import { c } from "./c"\nfn b() { c() }',
        'c.tl': 'import { a } from "./a"\nfn c() { a() }',
      },
      ['c.tl TL2008 these files import each other: a.tl -> b.tl -> c.tl -> a.tl'],
    ],
    [
      'a file with errors',
      { 'a.tl': 'import { b } from "./b"\nb()', 'b.tl': 'fn b() { print }' },
      ['b.tl TL1001 expected an expression, found `}`', 'a.tl TL2007 b.tl has no `b`'],
    ],
  ])('%s', (_name, files, expected) => expect(codes(checkFiles(files))).toEqual(expected));

  test('a file that two others import is read once', () => {
    const checked = checkFiles({
      'a.tl': 'import { b } from "./b"\nimport { c } from "./c"\nb() c()',
      'b.tl': 'import { d } from "./d"\nfn b() { d() }',
      'c.tl': 'import { d } from "./d"\nfn c() { d() }',
      'd.tl': 'fn d() { }',
    });
    expect(checked.ok).toBe(true);
    expect(checked.modules.map(({ file }) => file)).toEqual(['d.tl', 'b.tl', 'c.tl', 'a.tl']);
  });
});
