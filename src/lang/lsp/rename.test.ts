import { describe, expect, test } from 'vitest';
import { atCaret, type Files } from '../../testing/checked-programs.ts';
import { openPrograms } from '../../testing/open-programs.ts';
import { definitionAt, placesEverywhere } from './lookup.ts';
import { renaming } from './rename.ts';

/** The program with the caret is open; `others` are in the same folder on disk. */
function caretIn(marked: string, others: Files) {
  const { source, offset } = atCaret(marked);
  const world = openPrograms({ open: { 'main.tl': source }, disk: others });
  const found = definitionAt(world.module('main.tl'), offset);
  if (!found) throw new Error(`Nothing is declared at the caret of ${marked}`);
  return { ...world, found };
}

/** Every reference to the name at the caret, as `file line:column`. */
function placesOf(marked: string, others: Files = {}): string[] {
  const { files, found, nameOf } = caretIn(marked, others);
  const places = [...placesEverywhere(files, found)].map(([{ path }, list]) => {
    return list.map(({ start }) => `${nameOf(path)} ${start.line}:${start.column}`);
  });
  return places.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).flat();
}

/** The changed files after renaming, or why the name is refused. */
function renamed(marked: string, name: string, others: Files = {}): Files | string {
  const { files, found, nameOf } = caretIn(marked, others);
  const result = renaming(files, found, name);
  if (!result.ok) return result.why;
  const texts = [...result.edits].map(([{ path, source }, edits]) => {
    const pieces: string[] = [];
    let at = 0;
    for (const { location, text } of edits) {
      pieces.push(source.slice(at, location.start.offset), text);
      at = location.end.offset;
    }
    return [nameOf(path), [...pieces, source.slice(at)].join('')] as const;
  });
  return Object.fromEntries(texts);
}

const LIB = 'fn greet(who: string): string { return who }\ntype Mood { label: string }\ntool t(): int { return 1 }\n';
const OTHERS = {
  'lib.tl': LIB,
  'other.tl': 'import { greet } from "./lib"\nprint greet("a") + greet("b")',
  'same.tl': 'let greet = 1\nprint greet',
  'text.tl': 'print "greet"',
  'else.tl': 'import { greet } from "./away/lib"\nprint greet("x")',
  'wrong.tl': 'import { greet } from "./main"\nprint greet',
  'away/lib.tl': LIB,
};
const main = (...places: string[]) => places.map((each) => `main.tl ${each}`);

test.each([
  ['let ^a = 1\nprint a\na = 2\nfn f(a: int) { print a }', main('1:5', '2:7', '3:1')],
  ['fn f(^a: int) { print a }\nlet a = 1 print a', main('1:6', '1:22')],
  ['fn f() { g() }\nfn ^g() { f() }', main('1:10', '2:4')],
  ['type ^M { m: M? }\nlet m = think<M[]>("M")', main('1:6', '1:13', '2:15')],
  [
    'import { gr^eet, t } from "./lib"\nprint greet("x")',
    ['lib.tl 1:4', ...main('1:10', '2:7'), 'other.tl 1:10', 'other.tl 2:7', 'other.tl 2:20'],
  ],
  ['import { greet, ^t } from "./lib"\nprint t()', ['lib.tl 3:6', ...main('1:17', '2:7')]],
  ['import { Moo^d } from "./lib"\nprint think<Mood>("x")', ['lib.tl 2:6', ...main('1:10', '2:13')]],
  ['fn f() { fn ^greet(n: int): int { return n }\nprint greet(1) }', main('1:13', '2:7')],
  ['let ^greet = 1\nprint greet', main('1:5', '2:7')],
])('%j stands where it is declared and used, and nowhere else', (marked, places) => {
  expect(placesOf(marked, OTHERS)).toEqual(places);
});

describe('a new name', () => {
  test.each([
    ['let ^a = 1\nprint a', 'b', 'let b = 1\nprint b'],
    ['let ^a = 1\nprint a', 'a', 'let a = 1\nprint a'],
    ['let ^a = 1\nprint a', '_b2', 'let _b2 = 1\nprint _b2'],
    ['let ^a = 1\nlet r = { a }\nprint r.a', 'b', 'let b = 1\nlet r = { a: b }\nprint r.a'],
    ['let ^a = 1\nlet r = { a: a }\nprint r.a', 'longer', 'let longer = 1\nlet r = { a: longer }\nprint r.a'],
    [
      'print f(1)\nprint f(2)\nfn ^f(): int { return 1 }',
      'longer',
      'print longer(1)\nprint longer(2)\nfn longer(): int { return 1 }',
    ],
    ['let a = 1\nprint ^a + nope', 'b', 'let b = 1\nprint b + nope'],
    ['let ^a = 1\nprint a\nlet x =', 'b', 'let b = 1\nprint b\nlet x ='],
    ['import { ^x } from "./missing"\nprint x', 'y', 'import { y } from "./missing"\nprint y'],
  ])('%j becomes %s', (marked, name, expected) => {
    expect(renamed(marked, name)).toEqual({ 'main.tl': expected });
  });

  test('is written in every file that uses the old one', () => {
    expect(renamed('import { gr^eet } from "./lib"\nprint greet("x")', 'welcome', OTHERS)).toEqual({
      'main.tl': 'import { welcome } from "./lib"\nprint welcome("x")',
      'lib.tl': LIB.replace('greet', 'welcome'),
      'other.tl': OTHERS['other.tl'].replaceAll('greet', 'welcome'),
    });
    expect(renamed('import { ^Mood } from "./lib"\nprint think<Mood>("x")', 'Feeling', OTHERS)).toEqual({
      'main.tl': 'import { Feeling } from "./lib"\nprint think<Feeling>("x")',
      'lib.tl': LIB.replace('Mood', 'Feeling'),
    });
  });

  const WORD = 'A name has letters, digits and _, and no digit first.';
  const elsewhere = (name: string) => `${name} means something else where it would be used.`;
  test.each([
    ['let ^a = 1\nprint a', 'think', 'think is a reserved word.'],
    ['let ^a = 1\nprint a', '1b', WORD],
    ['let ^a = 1\nprint a', '', WORD],
    ['let ^a = 1\nprint a', 'b c', WORD],
    ['let ^a = 1\nprint a', 'für', WORD],
    ['let ^a = 1\nlet b = 2\nprint a + b', 'b', 'b cannot be used: `b` is declared in line 1 already.'],
    ['print nope\nlet ^a = 1\nlet b = 2\nprint a + b', 'b', 'b cannot be used: `b` is declared in line 2 already.'],
    [
      'import { gr^eet, t } from "./lib"\nprint greet("x")',
      't',
      't cannot be used: `t` is declared in line 1 already.',
    ],
    ['let ^a = 1\nfn f(b: int): int { return a + b }\nprint f(1)', 'b', elsewhere('b')],
    ['fn f(^a: int): int { return a + b }\nlet b = 1\nprint f(b)', 'b', elsewhere('b')],
    ['import { ^Mood } from "./lib"\nprint think<Mood>("x")', 'greet', elsewhere('greet')],
  ])('%j cannot become %j', (marked, name, why) => {
    expect(renamed(marked, name, OTHERS)).toBe(why);
  });
});
