import { describe, expect, test } from 'vitest';
import { GuardFailed } from './errors.ts';
import { evaluateGuards, type GuardRule, type Judge } from './guards.ts';

/** What the first rule that does not hold says; undefined when all hold. */
async function refusal(value: unknown, rules: GuardRule | readonly GuardRule[], judge?: Judge): Promise<unknown> {
  try {
    await evaluateGuards(value, [rules].flat(), judge);
    return undefined;
  } catch (error) {
    if (!(error instanceof GuardFailed)) throw error;
    return error.message;
  }
}

describe('a length', () => {
  test.each([
    ['a', false],
    ['ab', true],
    ['abcd', true],
    ['abcde', false],
    [[1], true],
    [{ a: 1 }, false],
    [12, true],
    [true, true],
    [undefined, false],
  ])('of %j is within 2 and 4: %s', async (value, ok) => {
    const forms: GuardRule[] = [
      { name: 'length', constraint: 2, rangeEnd: 4 },
      { name: 'length', constraint: { start: 2, end: 4 } },
      { name: 'length', constraint: [2, 4] },
    ];
    const found = await Promise.all(forms.map((rule) => refusal(value, rule)));
    expect(found.map((each) => each === undefined)).toEqual([ok, ok, ok]);
  });

  test('says what was wanted, and how long it is', async () => {
    expect(await refusal('abc', { name: 'length', constraint: 4, rangeEnd: 9 })).toBe(
      'The guard length failed: wanted 4..9, got 3.',
    );
    expect(await refusal('abc', { name: 'length', constraint: 4 })).toBe(
      'The guard length failed: wanted 4..Infinity, got 3.',
    );
    expect(await refusal('abc', { name: 'length', constraint: 3 })).toBeUndefined();
  });
});

test.each([
  ['a field in its range', { score: 5 }, undefined],
  ['at its least', { score: 1 }, undefined],
  ['below it', { score: 0 }, 'The guard score failed: wanted 1..9, got 0.'],
  ['above it', { score: 10 }, 'The guard score failed: wanted 1..9, got 10.'],
  ['no number', { score: '5' }, 'The guard score failed: wanted 1..9, got "5".'],
  ['no such field', { other: 5 }, 'The guard score failed: wanted 1..9, got null.'],
  ['no record', 5, 'The guard score failed: wanted 1..9, got null.'],
])('%s', async (_, value, expected) => {
  expect(await refusal(value, { name: 'score', constraint: 1, rangeEnd: 9 })).toBe(expected);
});

test.each([
  ['The Fox', ['dog', 'fox'], 'The guard contains_none failed: wanted none of dog, fox, got "fox".'],
  ['The Fox', 'FOX', 'The guard contains_none failed: wanted none of FOX, got "FOX".'],
  [{ a: ['fox'] }, ['fox'], 'The guard contains_none failed: wanted none of fox, got "fox".'],
  [123, [2], 'The guard contains_none failed: wanted none of 2, got "2".'],
  ['The Fox', ['dog'], undefined],
  ['The Fox', [], undefined],
  [undefined, ['fox'], undefined],
])('%j has none of %j', async (value, constraint, expected) => {
  expect(await refusal(value, { name: 'contains_none', constraint })).toBe(expected);
});

describe('a function', () => {
  test.each([
    [true, true],
    [undefined, true],
    [null, true],
    [1, true],
    ['yes', true],
    [false, false],
    [0, false],
    ['', false],
  ])('that says %j lets the answer pass: %s', async (verdict, ok) => {
    const isFine = async () => verdict;
    const expected = ok ? undefined : 'The guard passes failed: wanted a yes of isFine, got "x".';
    expect(await refusal('x', { name: 'passes', constraint: isFine })).toBe(expected);
  });

  test('sees the answer, and may have no name', async () => {
    const seen: unknown[] = [];
    const rule = {
      name: 'passes',
      constraint: (
        () => (value: unknown) =>
          !seen.push(value)
      )(),
    };
    expect(await refusal({ a: 1 }, rule)).toBe('The guard passes failed: wanted a yes of the function, got {"a":1}.');
    expect(seen).toEqual([{ a: 1 }]);
  });

  test('must be one', async () => {
    await expect(refusal('x', { name: 'passes', constraint: 'f' })).rejects.toThrow(
      new TypeError('guard passes: needs a function'),
    );
  });
});

describe('a demand in words', () => {
  const judge: Judge = async (value, criteria) => ({ passes: value === criteria, explanation: 'too long' });

  test('is judged by a model', async () => {
    expect(await refusal('polite', { name: 'semantic', constraint: 'polite' }, judge)).toBeUndefined();
    expect(await refusal('rude', { name: 'semantic', constraint: 'polite' }, judge)).toBe(
      'The guard semantic failed: wanted polite (too long), got "rude".',
    );
  });

  test('needs one', async () => {
    await expect(refusal('x', { name: 'semantic', constraint: 'polite' })).rejects.toThrow(
      new TypeError('guard semantic: needs a model'),
    );
  });
});

test('the first that does not hold is the one that is told, with all that belongs to it', async () => {
  const rules = [
    { name: 'length', constraint: 1 },
    { name: 'contains_none', constraint: 'b' },
    { name: 'length', constraint: 100 },
  ];
  await expect(evaluateGuards('abc', rules)).rejects.toMatchObject({
    name: 'GuardFailed',
    guardName: 'contains_none',
    guardValue: 'b',
    constraint: 'none of b',
  });
});
