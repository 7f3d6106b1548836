import { expect, test } from 'vitest';
import { checkedFiles } from '../../testing/checked-programs.ts';

const GIVEN = [
  'type Q { b: string? n: int }',
  'type P { a: string? q: Q? }',
  'fn made(): P? { return null }',
  'let p: P? = made()',
  'let many = [1, 2]',
  'print p print many',
  '',
].join('\n');
/** The messages about values that may be null in a program that follows these declarations. */
const maybe = (source: string) =>
  checkedFiles({ 'a.tl': GIVEN + source }).diagnostics.map(({ code, hint }) => `${code} ${hint}`);

test.each([
  'print p.a',
  'print made().a',
  'if p == null { print p.a }',
  'if p != null { print 1 } print p.a',
  'if p != null || many.length > 1 { print p.a }',
  'if p == null && many.length > 1 { return null } print p.a',
  'if p != null { p = made() print p.a }',
  'if p != null { for i in many { print p.a p = made() print i } }',
  'if p != null { if many.length > 1 { p = made() } print p.a }',
  'if p != null { try { p = made() } catch (e) { print e } print p.a }',
  'if p == null { return null } fn later(): string? { return p.a } print later()',
  'if p != null { let p = made() print p.a }',
  'print match p { null => p.a _ => "x" }',
  'while p != null { p = made() } print p.a',
])('what may be null has no field: %s', (source) => {
  expect(maybe(source)).toEqual([expect.stringContaining('TL3009')]);
});

test.each([
  'if p != null { print p.a }',
  'if p { print p.a }',
  'if null != p && p.a == "x" { print p.n }',
  'if p == null || p.a == "x" { print 1 }',
  'if !(p == null) { print p.a }',
  'if p == null { print 1 } else { print p.a }',
  'if p == null { print 1 } else if p.a == "x" { print p.a.length }',
  'if p == null { return null } print p.a',
  'for i in many { if p == null { continue } print p.a print i }',
  'if p != null && p.q != null && p.q.b != null { print p.q.b.length }',
  'while p != null { print p.a p = made() }',
  'p = { a: "x", q: null } print p.a',
  'let own: P? = { a: "x", q: null } print own.a',
  'assert p != null print p.a',
  'print match p { null => "none" _ => p.a }',
  'if p != null { if many.length > 1 { print 1 } print p.a }',
])('what has been asked for is there: %s', (source) => {
  expect(maybe(source).filter((line) => !line.startsWith('TL3003'))).toEqual([]);
});

test('the hint says what to ask', () => {
  expect(maybe('print p.a')).toEqual(['TL3009 ask first: `if p != null`']);
  expect(maybe('print made().a')).toEqual(['TL3009 give it a name, and ask `if name != null`']);
});
