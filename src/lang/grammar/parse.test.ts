import { describe, expect, test } from 'vitest';
import type { AnyNode } from './children.ts';
import { parse } from './parse.ts';

/** A program as nested lists of types and plain values: what the tables below compare. */
function shape(source: string): string {
  const { program, diagnostics } = parse(source);
  expect(diagnostics, source).toEqual([]);
  return [...program.imports, ...program.statements].map(brief).join(' ');
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(brief).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { type, location: _, ...fields } = value as AnyNode & Record<string, unknown>;
  if (type === 'Name' || type === 'IdentifierExpression' || type === 'NamedType') return String(fields.name);
  if (type === 'NumberLiteral') return String(fields.raw);
  if (type === 'StringLiteral') return JSON.stringify(fields.value);
  const parts = Object.entries(fields).map(([name, each]) => `${name}:${brief(each)}`);
  return `${type ?? ''}{${parts.join(' ')}}`;
}

const expression = (source: string) => shape(`print ${source}`).replace(/^PrintStatement\{value:(.*)\}$/su, '$1');

/** Parenthesised by structure. */
function grouped(source: string): string {
  const group = (node: Record<string, unknown>): string => {
    if (node.type === 'BinaryExpression')
      return `(${group(node.left as never)}${node.operator}${group(node.right as never)})`;
    if (node.type === 'UnaryExpression') return `(${node.operator}${group(node.operand as never)})`;
    if (node.type === 'RangeExpression') return `(${group(node.start as never)}..${group(node.end as never)})`;
    return brief(node);
  };
  const { program, diagnostics } = parse(`print ${source}`);
  expect(diagnostics, source).toEqual([]);
  expect(program.statements).toHaveLength(1);
  return group((program.statements[0] as never as { value: Record<string, unknown> }).value);
}

describe('operators', () => {
  test.each([
    ['a + b * c', '(a+(b*c))'],
    ['a * b + c', '((a*b)+c)'],
    ['a - b - c', '((a-b)-c)'],
    ['a || b && c == d', '(a||(b&&(c==d)))'],
    ['a == b > c + d * -e', '(a==(b>(c+(d*(-e)))))'],
    ['!a && !b', '((!a)&&(!b))'],
    ['a % 2 == 0', '((a%2)==0)'],
    ['1..5', '(1..5)'],
    ['-1..1', '((-1)..1)'],
    ['(a + b) * c', '((a+b)*c)'],
    ['a\n  + b\n  && c', '((a+b)&&c)'],
    ['a -\n  b', '(a-b)'],
    ['a / b // c', '(a/b)'],
    ['a /* b */ + c', '(a+c)'],
  ])('%s', (source, expected) => expect(grouped(source)).toBe(expected));

  test('a line that begins with - is a statement of its own', () => {
    expect(shape('let a = b\n-c')).toBe(
      'LetDeclaration{name:a uncertain:false value:b} ExpressionStatement{expression:UnaryExpression{operator:"-" operand:c}}',
    );
  });

  test('nothing stands between a value and its parentheses or brackets', () => {
    expect(parse('print a (b)').program.statements).toHaveLength(2);
    expect(parse('print a\n[b]').program.statements).toHaveLength(2);
    expect(expression('a(b)[c].d')).toBe(
      'MemberExpression{object:IndexExpression{object:FunctionCallExpression{callee:a args:[b]} index:c} property:d}',
    );
  });
});

describe('words', () => {
  test.each([
    ['"a\\n\\t\\"\\q"', '"a\\n\\t\\"q"'],
    ['\'a "b" \nc\'', '"a \\"b\\" \\nc"'],
    ['12', '12'],
    ['1.50', '1.50'],
    ['`a ${b} c`', 'TemplateLiteral{texts:["a " " c"] expressions:[b]}'],
    ['`\\${a} $5 \\``', 'TemplateLiteral{texts:["${a} $5 `"] expressions:[]}'],
    ['`${`${a}`}`', 'TemplateLiteral{texts:["" ""] expressions:[TemplateLiteral{texts:["" ""] expressions:[a]}]}'],
    ['[1, 2,]', 'ArrayLiteral{elements:[1 2]}'],
    [
      '{ type: 1, "a b": 2, c, }',
      'ObjectLiteral{properties:[ObjectProperty{key:type value:1 shorthand:false} ObjectProperty{key:a b value:2 shorthand:false} ObjectProperty{key:c value:c shorthand:true}]}',
    ],
    ['a.from.test', 'MemberExpression{object:MemberExpression{object:a property:from} property:test}'],
  ])('%s', (source, expected) => expect(expression(source)).toBe(expected));

  test.each(
    'reason with without context guard on_fail uncertain goal steps max turns mode for while in param break on fail tools retry'.split(
      ' ',
    ),
  )('%s is free to be a name', (word) => {
    const { diagnostics, program } = parse(`let ${word} = 1\nprint ${word}\n${word} = 2\nprint f(${word}.${word})`);
    expect(diagnostics).toEqual([]);
    expect(program.statements).toHaveLength(4);
  });

  test.each(
    'type fn let print think infer match try catch if else true false null Confident string int float bool test assert import from tool agent batch map_think reduce_think return'.split(
      ' ',
    ),
  )('%s is reserved, but may name a field', (word) => {
    expect(parse(`let ${word} = 1`).diagnostics[0]?.code).toBe('TL1010');
    expect(parse(`type A { ${word}: string }\nprint a.${word}\nprint { ${word}: 1 }`).diagnostics).toEqual([]);
  });
});

describe('types', () => {
  const type = (source: string) => shape(`let a: ${source} = b`).replace(/^.*typeExpression:(.*) value:b\}$/u, '$1');
  test.each([
    ['A', 'A'],
    ['string', 'PrimitiveType{name:"string"}'],
    ['strings', 'strings'],
    ['A[]', 'ArrayType{element:A}'],
    ['A?[]', 'ArrayType{element:OptionalType{inner:A}}'],
    ['A[][]?', 'OptionalType{inner:ArrayType{element:ArrayType{element:A}}}'],
    ['A | B[]', 'UnionType{types:[A ArrayType{element:B}]}'],
    ['(A | B)[]', 'ArrayType{element:UnionType{types:[A B]}}'],
    ['Confident<A?>', 'ConfidentType{inner:OptionalType{inner:A}}'],
  ])('%s', (source, expected) => expect(type(source)).toBe(expected));
});

describe('clauses', () => {
  const clauses = (source: string) => expression(`think<A>("p") ${source}`).replace(/^.*?clauses:\{(.*)\}\}$/su, '$1');
  test.each([
    [
      'with context: { a, b.c, }',
      'context:ContextBlock{entries:[ContextEntry{key:"a" path:a} ContextEntry{key:"b.c" path:MemberExpression{object:b property:c}}]}',
    ],
    ['with context: a.b', 'context:ContextBlock{entries:[] value:MemberExpression{object:a property:b}}'],
    [
      'with context: { a: 1 }',
      'context:ContextBlock{entries:[] value:ObjectLiteral{properties:[ObjectProperty{key:a value:1 shorthand:false}]}}',
    ],
    [
      'guard { length: 5..20 x: 0 .. 1 }',
      'guard:GuardClause{rules:[GuardRule{name:length value:5 rangeEnd:20} GuardRule{name:x value:0 rangeEnd:1}]}',
    ],
    [
      'guard passes(f) guard length(1..2)',
      'guard:GuardClause{rules:[GuardRule{name:passes value:f} GuardRule{name:length value:1 rangeEnd:2}]}',
    ],
    ['on_fail: retry(3)', 'onFail:OnFailClause{attempts:3}'],
    ['on_fail: retry(3) then fallback(x)', 'onFail:OnFailClause{attempts:3 fallback:x}'],
    ['on fail retry 2 with fallback { x }', 'onFail:OnFailClause{attempts:2 fallback:x}'],
    [
      'on_fail: retry(1)\n  guard { passes: f }\n  without context: { a.b }\n  with context: { a }',
      'onFail:OnFailClause{attempts:1} guard:GuardClause{rules:[GuardRule{name:passes value:f}]} without:ContextBlock{entries:[ContextEntry{key:"a.b" path:MemberExpression{object:a property:b}}]} context:ContextBlock{entries:[ContextEntry{key:"a" path:a}]}',
    ],
  ])('%s', (source, expected) => expect(clauses(source)).toBe(expected));

  test('belong to every form that asks a model', () => {
    const forms = [
      'agent<A>("p")\n with tools: a, b\n max turns: 5',
      'batch<A>(xs, f) concurrency: 3 cost_budget: 0.5 on_error: fail_fast',
      'map_think<A>(xs, "p") concurrency: n',
      'reduce_think<A>(xs, "p") batch_size: 3 with context: { a }',
      'infer<A>(x, "hint") with context: { a }',
      'reason<A> { goal: "g" steps: 1. "a" 2. "b" with context: { a } on_fail: retry(2) }',
    ];
    for (const form of forms) expect(parse(`print ${form}`).program.statements, form).toHaveLength(1);
  });
});

describe('statements', () => {
  test.each([
    ['let a=1 let b=2', 2],
    ['import { A, f, } from "./x"\nimport { B } from "y.tl"\nprint A', 3],
    ['fn f(a: int, b: A?,): int { return a }\nfn g() { }', 2],
    ['return\nx', 2],
    ['tool t(): string @description("d") { return "x" }', 1],
    ['tool t(@description("a") x: int): A { print 1 }', 1],
    ['if a { } else if b { } else { }', 1],
    ['for x in 1..3 { continue } while a { break }', 2],
    ['try { } catch Timeout (e) { } catch (e) { }', 1],
    ['test "a" replay("x.json") { }\ntest mode: replay("x") "b" { }\ntest "c" mode: snapshot("x") { }', 3],
    ['assert a == b assert.semantic(a, "b")', 2],
    ['param a: int = 3\nparam b: string', 2],
    ['match a { 1 => b "x" => c, { d: > 1, e: 2 } => f _ => g }', 1],
    ['a |> think<A>("x")\n  |> f\n|> g', 1],
  ])('%s', (source, count) => {
    const { program, diagnostics } = parse(source);
    expect(diagnostics).toEqual([]);
    expect(program.imports.length + program.statements.length).toBe(count);
  });

  test('of several declarations on a line, a doc comment belongs to the first', () => {
    const { program } = parse('/// One.\ntype A { b: int c: int } type D {\n/// Two.\ne: int f: int }');
    const docs = program.statements.flatMap((node) =>
      node.type === 'TypeDeclaration' ? [node.doc, ...node.fields.map(({ doc }) => doc)] : [],
    );
    expect(docs).toEqual(['One.', undefined, undefined, undefined, 'Two.', undefined]);
  });

  test('a doc comment belongs to the declaration below it', () => {
    const { program } = parse(
      '/// One.\n/// Two.\nfn f() { }\n/** Three.\n * Four. */\ntype A {\n  /// Five.\n  a: int\n}\n// no\nfn g() {}',
    );
    expect(program.statements.map((each) => 'doc' in each && each.doc)).toEqual(['One.\nTwo.', 'Three.\nFour.', false]);
    expect(brief(program.statements[1])).toContain('doc:"Five."');
  });

  test('every node knows where it stands', () => {
    const { program } = parse('let a = 1\n\n  print a.b // end\n');
    expect(program.statements[1]?.location).toEqual({
      start: { offset: 13, line: 3, column: 3 },
      end: { offset: 22, line: 3, column: 12 },
    });
  });
});
