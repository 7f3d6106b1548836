import { expect, test } from 'vitest';
import { newId } from './ids.ts';
import { canonicalJson, parseJson, sha256 } from './json.ts';
import { camelCase, editDistance, headAndTail, nearest, preview } from './text.ts';
import { addUsage, NO_USAGE } from './turn.ts';
import { lookAlikes } from './visible-characters.ts';

test('ids sort by time, carry their prefix and do not repeat', () => {
  const early = newId('turn', new Date(1_000_000_000_000));
  const late = newId('turn', new Date(1_000_000_000_001));
  expect(early < late).toBe(true);
  expect(early).toMatch(/^turn_[0-9a-z]{16}$/u);
  const many = new Set(Array.from({ length: 10_000 }, () => newId('x', new Date(0))));
  expect(many.size).toBe(10_000);
});

test('equal values give equal JSON whatever the order of their fields', () => {
  expect(canonicalJson({ b: 1, a: { d: [2, { z: 1, y: 2 }], c: undefined } })).toBe(
    '{"a":{"d":[2,{"y":2,"z":1}]},"b":1}',
  );
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  expect(canonicalJson(undefined)).toBe('null');
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  ['artifact.store', 'artifactStore'],
  ['query_rag', 'queryRag'],
  ['interpreter.run-code', 'interpreterRunCode'],
  ['plain', 'plain'],
])('%s is %s in a script', (id, name) => {
  expect(camelCase(id)).toBe(name);
});

test.each([
  ['', '', 0],
  ['kitten', 'sitting', 3],
  ['abc', '', 3],
])('the distance of %j and %j is %i', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test('a slip finds its word, a stranger finds none', () => {
  expect(nearest('shcedule', ['schedule', 'sources'])).toBe('schedule');
  expect(nearest('xyzzy', ['schedule', 'sources'])).toBeUndefined();
});

test('a long text keeps its head and tail and says what is missing', () => {
  const text = `start${'x'.repeat(1000)}end`;
  const cut = headAndTail(text, 100);
  expect(cut).toMatch(/^start[\s\S]*end$/u);
  expect(cut).toContain(`${text.length - 100} characters left out`);
  expect(headAndTail('short', 100)).toBe('short');
});

test('a preview is one line', () => {
  expect(preview('a\n b\t c')).toBe('a b c');
  expect(preview('x'.repeat(300), 10)).toBe(`${'x'.repeat(9)}…`);
});

test('an unknown price makes the sum unknown', () => {
  const known = { ...NO_USAGE, inputTokens: 1, costUsd: 0.5 };
  expect(addUsage(known, known)).toMatchObject({ inputTokens: 2, costUsd: 1 });
  expect(addUsage(known, { ...known, costUsd: undefined }).costUsd).toBeUndefined();
});

test('what is not JSON is undefined, and null is not', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('{"a": ')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test.each([
  ['p\u0430ypal.com', ['p\u0430ypal']],
  ['g\u03BF\u03BFgle.com', ['g\u03BF\u03BFgle']],
  ['\u041C\u043E\u0441\u043A\u0432\u0430 and \u0391\u03B8\u03AE\u03BD\u03B1', []],
])('%s has the look-alike words %j', (text, words) => {
  expect(lookAlikes(text)).toEqual(words);
});
