import { describe, expect, test } from 'vitest';
import { ANY, arrayOf, BOOL, FLOAT, INT, isAssignable, NULL, STRING, showType, type Type, unionOf } from './types.ts';

const record = (fields: Readonly<Record<string, Type>>, name?: string): Type => ({
  ...{ kind: 'record', fields: () => new Map(Object.entries(fields)) },
  ...(name !== undefined && { name }),
});
const fn = (tool: boolean): Type => ({ kind: 'function', tool, params: [], result: INT });

test.each([
  ['int', INT],
  ['any', ANY],
  ['int[]', arrayOf(INT)],
  ['int[][]', arrayOf(arrayOf(INT))],
  ['int?', unionOf([INT, NULL])],
  ['(int?)[]', arrayOf(unionOf([INT, NULL]))],
  ['int | string', unionOf([INT, STRING])],
  ['int | string | null', unionOf([INT, STRING, NULL])],
  ['null', unionOf([NULL, NULL])],
  ['(int | string)[]', arrayOf(unionOf([INT, STRING]))],
  ['Confident<int?>', { kind: 'confident', inner: unionOf([INT, NULL]) }],
  ['a tool', fn(true)],
  ['a function', fn(false)],
  ['Mood', record({ a: INT }, 'Mood')],
  ['{ a: int, b: string }', record({ a: INT, b: STRING })],
  ['{  }', record({})],
  ['{ a: int, b: int, c: int, d: int, e: int }', record({ a: INT, b: INT, c: INT, d: INT, e: INT })],
  ['{ a: int, b: int, c: int, d: int, e: int, ... }', record({ a: INT, b: INT, c: INT, d: INT, e: INT, f: INT })],
  ['{ a: { a: { a: { ... } } } }', record({ a: record({ a: record({ a: record({ a: INT }) }) }) })],
  [
    '{ a: { a: { a: { ... }[] } }? }',
    record({ a: unionOf([record({ a: record({ a: arrayOf(record({ a: INT })) }) }), NULL]) }),
  ],
] as const)('%s is written as in a program', (text, type) => {
  expect(showType(type as Type)).toBe(text);
});

describe('one of several types', () => {
  test.each([
    [[], 'any'],
    [[INT, INT], 'int'],
    [[INT, ANY], 'any'],
    [[unionOf([INT, STRING]), STRING, BOOL], 'int | string | bool'],
    [[INT, FLOAT], 'int | float'],
    [[record({ a: INT }, 'A'), record({ a: INT }, 'A')], 'A'],
    [[record({ a: INT }, 'A'), record({ a: INT }, 'B')], 'A | B'],
    [[record({ a: INT }), record({ a: INT })], '{ a: int } | { a: int }'],
    [[arrayOf(INT), arrayOf(INT), arrayOf(STRING)], 'int[] | string[]'],
    [[record({ a: INT }, 'A'), INT], 'A | int'],
  ] as const)('%# is written as a program would', (types, text) => {
    expect(showType(unionOf(types))).toBe(text);
  });
});

describe('what can be put', () => {
  const A = record({ a: INT, b: unionOf([STRING, NULL]) });
  test.each([
    [INT, FLOAT, true],
    [FLOAT, INT, false],
    [ANY, INT, true],
    [INT, ANY, true],
    [INT, unionOf([INT, NULL]), true],
    [unionOf([INT, NULL]), INT, false],
    [unionOf([INT, NULL]), unionOf([NULL, FLOAT]), true],
    [arrayOf(INT), arrayOf(FLOAT), true],
    [arrayOf(FLOAT), arrayOf(INT), false],
    [arrayOf(INT), INT, false],
    [{ kind: 'confident', inner: INT }, { kind: 'confident', inner: FLOAT }, true],
    [{ kind: 'confident', inner: INT }, INT, false],
    [record({ a: INT }), A, true],
    [record({ a: INT, b: STRING, c: BOOL }), A, true],
    [record({ b: STRING }), A, false],
    [record({ a: INT, b: INT }), A, false],
    [record({ a: STRING }), A, false],
    [INT, A, false],
    [STRING, STRING, true],
    [STRING, BOOL, false],
  ] as readonly (readonly [Type, Type, boolean])[])('%# where another is wanted', (from, to, ok) => {
    expect(isAssignable(from, to), `${showType(from)} to ${showType(to)}`).toBe(ok);
  });
});
