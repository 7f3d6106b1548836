import { expect, test } from 'vitest';
import { checkedFiles } from '../../testing/checked-programs.ts';
import { semanticTokens, TOKEN_LEGEND } from './tokens.ts';

const LIB = 'type Mood { label: string }\nfn greet(who: string): string { return who }\ntool t(): int { return 1 }\n';

/** Every semantic token as `text=type`: `!` for a declaration, `*` for a built-in. */
function colours(source: string, lib = LIB): string {
  const { data } = semanticTokens(checkedFiles({ 'a.tl': source, 'lib.tl': lib }, ['queryRAG']), new Set(['queryRAG']));
  const found: string[] = [];
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    [line, column] = down > 0 ? [line + down, right] : [line, column + right];
    const text = source.split('\n')[line]?.slice(column, column + length);
    found.push(`${text}=${TOKEN_LEGEND.tokenTypes[type]}${['', '!', '*'][modifiers]}`);
  }
  return found.join(' ');
}

test.each([
  ['let a = 1.5\nprint a', 'let=keyword a=variable! 1.5=number print=keyword a=variable'],
  [
    'type Mood { type: string let: Mood? }',
    'type=keyword Mood=type! type=property! string=type* let=property! Mood=type',
  ],
  [
    'type A { @range("0..1") a: Confident<int> }',
    'type=keyword A=type! range=decorator "0..1"=string a=property! Confident=type* int=type*',
  ],
  [
    'fn f(p: Mood): string { return p }',
    'fn=keyword f=function! p=parameter! Mood=type string=type* return=keyword p=parameter',
  ],
  [
    'tool t(a: int): int @description("x") { return a }\nt(1)',
    'tool=keyword t=function! a=parameter! int=type* int=type* description=decorator "x"=string return=keyword ' +
      'a=parameter t=function 1=number',
  ],
  ['param n: int = 2\nprint n', 'param=keyword n=parameter! int=type* 2=number print=keyword n=parameter'],
  [
    'let m = "a"\nprint m.trim().length',
    'let=keyword m=variable! "a"=string print=keyword m=variable trim=method length=property',
  ],
  ['let r = { a: 1, m }\nprint r.a', 'let=keyword r=variable! a=property 1=number print=keyword r=variable a=property'],
  [
    'let m = 1\nlet r = { m }\nprint r',
    'let=keyword m=variable! 1=number let=keyword r=variable! m=variable print=keyword r=variable',
  ],
  [
    'try { print 1 } catch Timeout (e) { print e.message } catch (e) { print e }',
    'try=keyword print=keyword 1=number catch=keyword Timeout=type* e=variable! print=keyword e=variable ' +
      'message=property catch=keyword e=variable! print=keyword e=variable',
  ],
  [
    'for i in 1..2 { print i }\nwhile true { break }',
    'for=keyword i=variable! in=keyword 1=number 2=number print=keyword i=variable while=keyword true=keyword ' +
      'break=keyword',
  ],
  [
    'print match { a: 1 } { { a: > 0 } => "x" _ => null }',
    'print=keyword match=keyword a=property 1=number a=property 0=number "x"=string null=keyword',
  ],
  [
    'print agent<string>("x") with tools: queryRAG guard { length: 1..2 }',
    'print=keyword agent=keyword string=type* "x"=string with=keyword tools=keyword queryRAG=function* ' +
      'guard=keyword length=property 1=number 2=number',
  ],
  ['print queryRAG("x").length', 'print=keyword queryRAG=function* "x"=string length=property'],
  [
    'import { Mood, greet, t, nothing } from "./lib"\nlet m = think<Mood>("x")\nprint greet(m.label)\nprint t()',
    'import=keyword Mood=type greet=function t=function nothing=type from=keyword "./lib"=string let=keyword ' +
      'm=variable! think=keyword Mood=type "x"=string print=keyword greet=function m=variable label=property ' +
      'print=keyword t=function',
  ],
  ['print `a ${1 + 2} b`', 'print=keyword `a ${=string 1=number 2=number } b`=string'],
  [
    '// one\nprint 1 /* two\nthree */ print 2\r\n// four',
    '// one=comment print=keyword 1=number /* two=comment three */=comment print=keyword 2=number // four=comment',
  ],
  ['print "a\n\nb"\r\nprint "c\r\nd"', 'print=keyword "a=string b"=string print=keyword "c=string d"=string'],
  [
    'print think<int>("x") with context: { a.type, b } max turns: 3 on_fail: retry(2) then fallback(1)',
    'print=keyword think=keyword int=type* "x"=string with=keyword context=keyword type=property max=keyword ' +
      'turns=keyword 3=number on_fail=keyword retry=keyword 2=number then=keyword fallback=keyword 1=number',
  ],
  ['print 1 +', 'print=keyword 1=number'],
  ['let let = 1\nx.print', 'let=keyword let=keyword 1=number print=property'],
  ['let a = 1\na = 2\nprint a', 'let=keyword a=variable! 1=number a=variable 2=number print=keyword a=variable'],
  [
    'let uncertain u = think<int>("x")\nprint u.unwrap()',
    'let=keyword uncertain=keyword u=variable! think=keyword int=type* "x"=string print=keyword u=variable ' +
      'unwrap=method',
  ],
  ['print [1..2].with', 'print=keyword 1=number 2=number with=property'],
  [
    'let r = { queryRAG: 1 }\nprint r.queryRAG + queryRAG(r)',
    'let=keyword r=variable! queryRAG=property 1=number print=keyword r=variable queryRAG=property ' +
      'queryRAG=function* r=variable',
  ],
  ['type Q { queryRAG: int }', 'type=keyword Q=type! queryRAG=property! int=type*'],
  ['nobody', ''],
  [
    'let x = 1\nlet y = { x, z: x }\nprint y',
    'let=keyword x=variable! 1=number let=keyword y=variable! x=variable z=property x=variable print=keyword ' +
      'y=variable',
  ],
  ['print 1 // \r\nprint 2', 'print=keyword 1=number //=comment print=keyword 2=number'],
  ['let with = 1\nprint with', 'let=keyword with=variable! 1=number print=keyword with=variable'],
  ['import { a } from "./no"\nprint a', 'import=keyword a=type from=keyword "./no"=string print=keyword a=variable'],
  [
    'test "x" mode: replay("y") { assert.semantic("a", "b") }',
    'test=keyword "x"=string mode=keyword "y"=string assert=keyword semantic=property "a"=string "b"=string',
  ],
  ['print f(1)', 'print=keyword 1=number'],
  ['fn queryRAG() { }\nqueryRAG()', 'fn=keyword queryRAG=function! queryRAG=function'],
  [
    'let x = [1]\nprint x[0].foo(1)',
    'let=keyword x=variable! 1=number print=keyword x=variable 0=number foo=method 1=number',
  ],
  ['print "aé😀" + "b"', 'print=keyword "aé😀"=string "b"=string'],
  [
    'type Mood { a: int }\nfn mood(mood: Mood): Mood { return mood }\nprint mood',
    'type=keyword Mood=type! a=property! int=type* fn=keyword mood=function! mood=parameter! Mood=type ' +
      'Mood=type return=keyword mood=parameter print=keyword mood=function',
  ],
])('%j is coloured by what its words mean', (source, expected) => {
  expect(colours(source)).toBe(expected);
});

test('an editor is told which kinds there are', () => {
  expect(TOKEN_LEGEND).toEqual({
    tokenTypes: [
      ...['keyword', 'type', 'function', 'method', 'variable', 'parameter', 'property', 'decorator'],
      ...['string', 'number', 'comment'],
    ],
    tokenModifiers: ['declaration', 'defaultLibrary'],
  });
});
