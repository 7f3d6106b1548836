import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { LONGEST_SOURCE, parse } from './parse.ts';

/** The errors of a source as `LINE:COLUMN CODE message`. */
function errors(source: string): string[] {
  return parse(source).diagnostics.map(({ code, message, location: { start } }) => {
    return `${start.line}:${start.column} ${code} ${message}`;
  });
}

describe('what is wrong is said in words', () => {
  test.each([
    ['let = 5', '1:5 TL1001 expected a name, found `=`'],
    ['let x 5', '1:7 TL1001 expected `:`, found `5`'],
    ['let x = ', '1:8 TL1001 expected an expression, found the end of the file'],
    ['print )', '1:7 TL1001 expected an expression, found `)`'],
    ['if a = 2 { }', '1:6 TL1001 expected `{`, found `=`'],
    ['type A { x: , }', '1:13 TL1001 expected a type, found `,`'],
    ['print a;', '1:8 TL1001 expected a statement, found `;`'],
    ['fn f(a) { }', '1:7 TL1001 expected `:`, found `)`'],
    ['tool t() { }', '1:10 TL1001 expected `:`, found `{`'],
    ['print think<A>("x") with context { a }', '1:33 TL1001 expected `:` behind the name of the clause'],
    ['let type = 1', '1:5 TL1010 `type` is a reserved word and cannot be a name'],
    ['print 1 }', '1:9 TL1013 nothing is open that `}` could close'],
    ['print "abc', '1:7 TL1002 this text never ends'],
    ['print `a ${b', '1:11 TL1004 `{` is never closed'],
    ['print `a ${b} c', '1:13 TL1002 this text never ends'],
    ['print 1 /* abc', '1:9 TL1003 this comment never ends'],
    ['fn f() {\n print 1\n', '1:8 TL1004 `{` is never closed'],
    ['print 1\nimport { a } from "b"', '2:1 TL1009 imports stand at the top of the file'],
    ['print agent<A>("x") max turns: 1 max turns: 2', '1:34 TL1011 the clause `max turns:` is given twice'],
    ['a.b = 1', '1:1 TL1012 only a variable can be given a value'],
    ['with tools: a, b', '1:11 TL1001 expected a statement, found `:`'],
  ])('%s', (source, expected) => expect(errors(source)).toEqual([expected]));

  test.each([
    ['print a;', 'a statement ends with its line: leave the semicolon out'],
    ['if a = 2 { }', 'to compare, write `==`'],
    ['let r = { a = 1 }', 'write `name: value`'],
    ['print a ? 1 : 2', 'there is no `? :` here: use `match` or `if`'],
    ['let f = x => x', 'a function has a name here: `fn name(x: int): int { return x }`'],
    ['let type = 1', 'choose another name, such as `my_type`'],
    ['print 1 }', 'remove it'],
    ['print f {', 'close it with `}`'],
    ['print "abc', 'end it with "'],
    ['let = 1', undefined],
    ['let x {', undefined],
    ['let a constructor', undefined],
  ])('%s is told what to do, where that is known', (source, hint) => {
    expect(parse(source).diagnostics.map((each) => each.hint)).toEqual([hint]);
  });

  test('the first errors of a file are all reported, those inside blocks included', () => {
    const source =
      'let = 1\nfn f(): int {\n  print )\n  if a { let x 2 } else { print x }\n  return 1\n}\ntype A { a: ! }\nprint f()';
    expect(errors(source)).toEqual([
      '1:5 TL1001 expected a name, found `=`',
      '3:9 TL1001 expected an expression, found `)`',
      '4:16 TL1001 expected `:`, found `2`',
      '7:13 TL1001 expected a type, found `!`',
    ]);
    expect(parse(source).program.statements.map(({ type }) => type)).toContain('PrintStatement');
  });

  test('an error in a record type is no error of the fields below it', () => {
    expect(errors('type A {\n  a: ,\n  type: string\n  test: int\n}\nprint 1')).toHaveLength(1);
  });

  test('shows the line with carets, and what to do', () => {
    const source = 'let ok = 1\nprint\tfoo(1, ; 2)\n';
    const [found] = parse(source, { file: 'brief.tl' }).diagnostics;
    expect(found && renderDiagnostic(found, source)).toBe(
      [
        'brief.tl:2:14: error TL1001: expected an expression or `)`, found `;`',
        '  2 | print foo(1, ; 2)',
        '    |              ^',
        '  hint: a statement ends with its line: leave the semicolon out',
      ].join('\n'),
    );
  });
});

describe('hostile texts are refused by name', () => {
  const deep = (open: string, close: string, times: number) => `print ${open.repeat(times)}1${close.repeat(times)}`;
  test.each([
    ['parentheses', deep('(', ')', 1_000), 'TL1005'],
    ['lists', deep('[', ']', 100_000), 'TL1005'],
    ['blocks', 'if a {'.repeat(1_000) + '}'.repeat(1_000), 'TL1005'],
    ['open brackets', '{['.repeat(50_000), 'TL1005'],
    ['operators', `print ${'!'.repeat(50_000)}1`, 'TL1005'],
    ['sums', `print ${'1+'.repeat(50_000)}1`, 'TL1005'],
    ['types', `let x: ${'Confident<'.repeat(5_000)}int${'>'.repeat(5_000)} = 1`, 'TL1005'],
    ['list types', `let x: int${'[]'.repeat(5_000)} = 1`, 'TL1005'],
    ['alternatives', `if a { }${' else if b { }'.repeat(20_000)}`, 'TL1005'],
    ['members', `print a${'.b'.repeat(20_000)}`, 'TL1005'],
    ['ten megabytes', 'print 1\n'.repeat(1_310_720), 'TL1006'],
    ['one character too many', ' '.repeat(LONGEST_SOURCE + 1), 'TL1006'],
    ['NUL', 'print "a\0"', 'TL1007'],
    ['half a character', 'print "\ud800"', 'TL1008'],
    ['open texts', '"'.repeat(100_001), 'TL1002'],
    ['backslashes', `print "${'\\'.repeat(100_000)}`, 'TL1002'],
    ['templates in templates', '`${'.repeat(5_000), 'TL1005'],
  ])('%s', (_name, source, code) => {
    expect(parse(source).diagnostics[0]?.code).toBe(code);
  });

  test.each([
    ['parentheses', deep('(', ')', 150)],
    ['calls of records of lists', deep('f({ a: [', '] })', 60)],
    ['blocks', 'if a {'.repeat(150) + '}'.repeat(150)],
    ['templates', deep('`${', '}`', 150)],
    ['clauses', `print ${'think<A>("x") guard { passes: '.repeat(60)}f${'}'.repeat(60)}`],
    ['a largest text', `print "${'x'.repeat(LONGEST_SOURCE - 20)}"`],
  ])('%s within the limits are read', (_name, source) => {
    expect(parse(source).diagnostics).toEqual([]);
  });

  test('errors inside many clauses and blocks do not take exponential time', () => {
    expect(errors(`${'while a { '.repeat(80)}print ) ${'}'.repeat(80)}`).length).toBeGreaterThan(0);
    expect(errors(`${'think<A>("x") guard { passes: '.repeat(80)})${'}'.repeat(80)}`).length).toBeGreaterThan(0);
    expect(errors(`${'if a { think<A>("x") guard { passes: b '.repeat(40)})`).length).toBeGreaterThan(0);
  });
});
