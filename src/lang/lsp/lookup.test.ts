import { expect, test } from 'vitest';
import { atCaret, checkedFiles } from '../../testing/checked-programs.ts';
import { showType } from '../check/types.ts';
import {
  definitionAt,
  describe,
  docOf,
  fieldAt,
  fieldDefinition,
  importedNameAt,
  membersBefore,
  nameAt,
  toolsFor,
} from './lookup.ts';

const LIB = [
  ...['/// How one feels.', 'type Mood { label: string score: float? }', '/// Greets.'],
  ...['fn greet(who: string): string { return who }', 'tool t(): int { return 1 }', ''],
].join('\n');
const IMPORT = 'import { Mood, greet, t } from "./lib"\n';

/** The name at the caret, where it is declared, and its doc comment. */
function foundAt(marked: string): readonly (string | undefined)[] {
  const { source, offset } = atCaret(marked);
  const module = checkedFiles({ 'a.tl': source, 'lib.tl': LIB });
  const use = nameAt(module, offset);
  const found = definitionAt(module, offset);
  const { start, end } = found?.location ?? {};
  return [
    use ? describe(use) : importedNameAt(module, offset)?.name,
    found && `${found.module.path.replace('/programs/', '')} ${start?.line}:${start?.column}-${end?.column}`,
    found && docOf(found),
  ];
}

test.each([
  ['let a = 1\nprint ^a', 'a: int', 'a.tl 1:5-6'],
  ['let a = 1\nprint a^', 'a: int', 'a.tl 1:5-6'],
  ['let ^a = 1', 'a: int', 'a.tl 1:5-6'],
  ['let a^ = 1', 'a: int', 'a.tl 1:5-6'],
  ['fn f(a: int, b: string[]?): int { return a }\nprint ^f(1)', 'fn f(a: int, b: string[]?): int', 'a.tl 1:4-5'],
  ['fn f() { print 1 }\n^f()', 'fn f(): any', 'a.tl 1:4-5'],
  ['tool ^t(a: int): string { return "x" }', 'tool t(a: int): string', 'a.tl 1:6-7'],
  ['type ^M { a: int, b: M[]? }', 'type M {\n  a: int\n  b: M[]?\n}', 'a.tl 1:6-7'],
  ['type M { a: int }\nlet ^m = think<M>("x")', 'm: M', 'a.tl 2:5-6'],
  ['type M { a: int }\nlet m = think<^M>("x")', 'type M {\n  a: int\n}', 'a.tl 1:6-7'],
  ['/// Says a.\nfn f(^a: int): int { return a }', 'a: int', 'a.tl 2:6-7'],
  ['/// How many.\nparam n: int = 1\nprint ^n', 'n: int', 'a.tl 2:7-8', 'How many.'],
  ['// Not for others.\nfn ^f() { }', 'fn f(): any', 'a.tl 2:4-5'],
  [
    `${IMPORT}print think<^Mood>("x")`,
    'type Mood {\n  label: string\n  score: float?\n}',
    'lib.tl 2:6-10',
    'How one feels.',
  ],
  [`${IMPORT}print ^greet("x")`, 'fn greet(who: string): string', 'lib.tl 4:4-9', 'Greets.'],
  [`${IMPORT}print ^t()`, 'tool t(): int', 'lib.tl 5:6-7'],
  ['import { ^Mood } from "./lib"', 'Mood', 'lib.tl 2:6-10', 'How one feels.'],
  ['import { Mood, gree^t } from "./lib"', 'greet', 'lib.tl 4:4-9', 'Greets.'],
  ['import { Mood, greet^ } from "./lib"', 'greet', 'lib.tl 4:4-9', 'Greets.'],
  ['import { t } from "./lib"\nimport { a } from "./missing"\nprint ^a', 'a: any', 'a.tl 2:10-11'],
  ['import { ^a } from "./missing"', 'a', 'a.tl 1:10-11'],
  ['import { nope } from "./lib"\nprint ^nope', 'nope: any', 'a.tl 1:10-14'],
] as const)('%j is a name that was declared', (marked, what, where, doc?: string) => {
  expect(foundAt(marked)).toEqual([what, where, doc]);
});

test.each(['let a = 1\nprint^ a', 'let a ^= 1', 'type M { ^a: int }', 'import { Mood, greet ^, t } from "./lib"', '^'])(
  'at %j stands no name',
  (marked) => {
    expect(foundAt(marked)).toEqual([undefined, undefined, undefined]);
  },
);

const TYPES = 'type P {\n  /// How old.\n  age: int\n  @description("Where from")\n  home: string?\n  next: P?\n}\n';

test.each([
  ['let p = think<P>("x") print p.^age', 'age: int', 'a.tl 3:3', 'How old.'],
  ['let p = think<P>("x") print p.ag^e', 'age: int', 'a.tl 3:3', 'How old.'],
  ['let p = think<P>("x") if p.next != null { print p.next.^home }', 'home: string?', 'a.tl 5:3', 'Where from'],
  ['let p: P = { ^age: 1 } print p', 'age: int', 'a.tl 3:3', 'How old.'],
  ['let p = think<P>("x") print match p { { ^age: > 3 } => 1 _ => 2 }', 'age: int', 'a.tl 3:3', 'How old.'],
  ['import { Mood } from "./lib"\nlet m = think<Mood>("x") print m.^score', 'score: float?', 'lib.tl 2:27', undefined],
  ['let a = { age: 1 } print a.^age', undefined, undefined, undefined],
  ['let p = think<P>("x") print ^p.age', undefined, undefined, undefined],
])('the field in %j is declared', (marked, what, where, doc) => {
  const { source, offset } = atCaret(marked.startsWith('import') ? marked : TYPES + marked);
  const module = checkedFiles({ 'a.tl': source, 'lib.tl': LIB });
  const field = fieldAt(module, offset);
  const found = field && fieldDefinition(module, field);
  const { line, column } = found?.location.start ?? {};
  const place = found && `${found.module.path.replace('/programs/', '')} ${line}:${column}`;
  expect([field && describe(field), place, found?.doc]).toEqual([what, where, doc]);
});

test.each([
  ['print agent<int>("x") with tools: ^', ['price', 't', 'queryRAG']],
  ['print agent<int>("x")\n  with tools: price, que^', ['t', 'queryRAG']],
  ['print agent<int>("x") with tools: price, t,\n  ^ max turns: 3', ['queryRAG']],
  ['print agent<int>("x") with context: { ^', undefined],
  ['let tools = 1 print ^tools', undefined],
])('at %j the tools that can stand there', (marked, tools) => {
  const own = 'import { t } from "./lib"\ntool price(a: int): int { return a }\nfn f() { print t() }\n';
  const { source, offset } = atCaret(own + marked);
  const module = checkedFiles({ 'a.tl': source, 'lib.tl': LIB }, ['queryRAG']);
  expect(toolsFor(module, offset, ['queryRAG'])?.toSorted()).toEqual(tools?.toSorted());
});

const TEXT = [
  ...['length: int', 'toUpperCase: a function', 'toLowerCase: a function', 'trim: a function', 'slice: a function'],
  ...['replace: a function', 'replaceAll: a function', 'repeat: a function', 'toString: a function'],
  ...['includes: a function', 'startsWith: a function', 'endsWith: a function', 'indexOf: a function'],
  'split: a function',
];

test.each([
  ['print a.', ['b: int', 'c: { d: string }']],
  ['a.c', ['b: int', 'c: { d: string }']],
  ['f(a.c.', ['d: string']],
  ['1 + a.c.', ['d: string']],
  ['print a.c.d.le', TEXT],
  ['a.b.', ['toFixed: a function', 'toString: a function']],
  ['m.', ['n: int', ...TEXT]],
  ['a.nope.', []],
  ['a.b.c.d.', []],
  ['nope.', []],
  ['aa.', []],
  ['xa.', []],
  ['.a.', []],
  ['(a).', []],
  ['a .', []],
  ['"a".', []],
])('before the dot of %j: %j', (before, members) => {
  const source = 'fn f(m: M | string) { print m }\ntype M { n: int }\nlet a = { b: 1, c: { d: "x" } }\nprint a\n';
  const found = membersBefore(checkedFiles({ 'a.tl': source }), before);
  expect([...found].map(([name, type]) => `${name}: ${showType(type)}`)).toEqual(members);
});

test('a name that has become another thing has the fields of the last', () => {
  const module = checkedFiles({ 'a.tl': 'fn f(a: string) { print a }\nfn g() { let a = { b: 1 } print a }\n' });
  expect([...membersBefore(module, 'a.').keys()]).toEqual(['b']);
});
