import { expect, test } from 'vitest';
import { checkedFiles } from '../../testing/checked-programs.ts';

/** The codes reported for a function body. */
const codesOf = (source: string) => checkedFiles({ 'a.tl': source }).diagnostics.map(({ code }) => code);

test.each([
  ['return 1', true],
  ['print 1', false],
  ['if c { return 1 } else { return 2 }', true],
  ['if c { return 1 }', false],
  ['if c { return 1 } else { print 1 }', false],
  ['if c { print 1 } else { return 1 }', false],
  ['if c { return 1 } else if c { return 2 } else { return 3 }', true],
  ['if c { return 1 } else if c { return 2 }', false],
  ['if c { return 1 } else if c { print 2 } else { return 3 }', false],
  ['try { return 1 } catch (e) { return 2 }', true],
  ['try { return 1 } catch NoMatch (e) { return 2 } catch (e) { print e }', false],
  ['try { print 1 } catch (e) { return 2 }', false],
  ['for i in 1..2 { return i }', false],
  ['while c { return 1 }', false],
])('a function of "%s" gives its result whichever way it goes: %s', (body, ok) => {
  expect(codesOf(`fn f(c: bool): int { ${body} }`)).toEqual(ok ? [] : ['TL4004']);
});

test.each([
  ['f(c)', false],
  ['print 1', true],
  ['if c { print 1 }', true],
  ['if c { f(c) } else { print 1 }', true],
  ['if c { f(c) } else if c { f(c) } else { print 1 }', true],
  ['if c { f(c) } else if c { print 1 }', true],
  ['if c { f(c) } else { f(c) }', false],
  ['for i in 1..2 { print i }', true],
  ['for i in 1..2 { f(c) }', false],
  ['while c { print 1 }', true],
  ['try { print 1 } catch (e) { f(c) }', true],
  ['try { f(c) } catch (e) { print e }', true],
  ['try { f(c) } catch (e) { f(c) }', false],
  ['fn g() { print 1 } g()', false],
])('a tool of "%s" has something for the model: %s', (body, ok) => {
  const source = `fn f(c: bool) { print c }\ntool t(c: bool): string { ${body} }`;
  expect(codesOf(source)).toEqual([ok ? 'TL4004' : 'TL4006']);
});

test.each([
  ['if c { return "a" }', 'TL4004'],
  ['f(c)', 'TL4006'],
])('a tool that returns on one way only has something for it as well: %s', (body, code) => {
  expect(codesOf(`fn f(c: bool) { print c }\ntool t(c: bool): string { ${body} }`)).toEqual([code]);
});

test.each([
  ['f()', true],
  ['f() + 1', true],
  ['1 + f()', true],
  ['1 + 2', false],
  ['-f()', true],
  ['-1', false],
  ['f().a', true],
  ['n.a', false],
  ['f()[0]', true],
  ['n[0]', false],
  ['1 |> f', true],
  ['match n { _ => 1 }', true],
  ['[1, f()]', true],
  ['[1, 2]', false],
  ['{ a: 1, b: f() }', true],
  ['{ a: 1 }', false],
  ['think<int>("x")', true],
  ['n', false],
  ['"text"', false],
])('%s does something: %s', (expression, ok) => {
  const source = `fn f() { print 1 }\nlet n = f()\nprint n\n${expression}`;
  expect(codesOf(source)).toEqual(ok ? [] : ['TL4005']);
});
