import { describe, expect, test } from 'vitest';
import { estimateTokens, excludeFromContext, truncateContext } from './context.ts';
import { ThinkError } from './errors.ts';

test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  [{ a: 1 }, 2],
  [undefined, 0],
])('%j has about %i tokens', (value, tokens) => {
  expect(estimateTokens(value)).toBe(tokens);
});

describe('left out of a context', () => {
  const user = { name: 'Ann', ssn: '1', home: { city: 'Oslo', zip: '2' } };
  test.each([
    ['a key', { user, n: 1 }, ['user'], { n: 1 }],
    ['a field', { user, n: 1 }, ['user.ssn'], { user: { name: 'Ann', home: user.home }, n: 1 }],
    ['a field below', { user }, ['user.home.zip'], { user: { ...user, home: { city: 'Oslo' } } }],
    ['several', { user, n: 1 }, ['user.home', 'n'], { user: { name: 'Ann', ssn: '1' } }],
    ['a key that is a path', { 'user.ssn': '1', 'user.name': 'Ann' }, ['user.ssn'], { 'user.name': 'Ann' }],
    [
      'what stands below such a key',
      { 'user.home': { zip: '2', city: 'Oslo' } },
      ['user.home.zip'],
      { 'user.home': { city: 'Oslo' } },
    ],
    ['all keys below', { 'user.ssn': '1', users: 2 }, ['user'], { users: 2 }],
    [
      'a field of every item',
      { all: [{ a: 1, b: 2 }, 3, { b: 4 }, { a: 5 }] },
      ['all.a'],
      { all: [{ b: 2 }, 3, { b: 4 }, {}] },
    ],
    ['nothing', { user }, [], { user }],
  ])('%s', (_, context, paths, expected) => {
    expect(excludeFromContext(context, paths)).toEqual(expected);
  });

  test.each(['usr', 'user.nope', 'use', 'user.name.first', 'list.nope', 'user.'])(
    '%s is refused, since it is not there',
    (path) => {
      expect(() => excludeFromContext({ user, list: [{ a: 1 }, 2] }, [path])).toThrow(
        new ThinkError(`The context has no ${path}, so it cannot be left out.`),
      );
    },
  );

  test('nothing where nobody says', () => {
    const context = { user };
    expect(excludeFromContext(context)).toBe(context);
  });
});

describe('a context that is too long', () => {
  test('loses the ends of its largest entries', () => {
    const context = { small: 'abcd', large: 'x'.repeat(400), list: ['y'.repeat(80)] };
    expect(truncateContext(context, 61)).toEqual({
      context: { small: 'abcd', large: `${'x'.repeat(136)} … (cut)`, list: ['y'.repeat(80)] },
      cut: ['large'],
    });
    expect(truncateContext(context, 21)).toEqual({
      context: { small: 'abcd', large: `${'x'.repeat(20)} … (cut)`, list: `["${'y'.repeat(18)} … (cut)` },
      cut: ['large', 'list'],
    });
  });

  test('is cut to nothing at the least', () => {
    expect(truncateContext({ a: 'x'.repeat(100) }, 1)).toEqual({ context: { a: ' … (cut)' }, cut: ['a'] });
  });

  test('is one of more than 100,000 tokens; what fits stays as it is', () => {
    const fits = { a: 'x'.repeat(400_000) };
    expect(truncateContext(fits)).toEqual({ context: fits, cut: [] });
    expect(truncateContext({ a: 'x'.repeat(400_001) }).cut).toEqual(['a']);
  });
});
