import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { AssistantError, messageOf } from './errors.ts';
import { newId } from './ids.ts';
import { canonicalJson, isDeeperThan, isRecord, parseJson, sha256 } from './json.ts';
import { once } from './once.ts';
import { camelCase, editDistance, headAndTail, nearest, preview } from './text.ts';
import { addUsage, NO_USAGE } from './turn.ts';
import { version } from './version.ts';
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
  const known = { inputTokens: 1, outputTokens: 20, cachedTokens: 300, calls: 4000, costUsd: 0.5 };
  expect(addUsage(known, known)).toEqual({
    inputTokens: 2,
    outputTokens: 40,
    cachedTokens: 600,
    calls: 8000,
    costUsd: 1,
  });
  expect(addUsage(NO_USAGE, known)).toEqual(known);
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

test('the machine’s clock goes on', () => {
  expect(Math.abs(systemClock.now().getTime() - Date.now())).toBeLessThan(1000);
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
  expect(before).toBeGreaterThan(0);
});

test('what is loaded once is kept, and a failure is not', async () => {
  let tries = 0;
  const load = once(async () => {
    if (++tries === 1) throw new Error('not yet');
    return tries;
  });
  await expect(load()).rejects.toThrow('not yet');
  expect([await load(), await load(), tries]).toEqual([2, 2, 2]);
});

test('an error that the person can act on has its code, hint and cause, and is clear unless it says so', () => {
  const cause = new Error('inside');
  const error = new AssistantError('bad_time', 'no', { hint: 'Say when.', cause });
  expect(error).toMatchObject({ name: 'AssistantError', message: 'no', code: 'bad_time', hint: 'Say when.', cause });
  expect(error.unclear).toBe(false);
  const other = new AssistantError('bad_time', 'no', { hint: '', unclear: true });
  expect([other.unclear, 'cause' in other]).toEqual([true, false]);
});

test('anything thrown has a message', () => {
  expect([new Error('a'), 'b', 3, undefined].map(messageOf)).toEqual(['a', 'b', '3', 'undefined']);
});

test('the version is that of the package', () => {
  expect(version()).toMatch(/^\d+\.\d+\.\d+/u);
});

test('a value is too deep from one level more on, and when it holds itself', () => {
  const deep = (levels: number): unknown =>
    levels === 0 ? 'x' : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) };
  expect([isDeeperThan(deep(3), 3), isDeeperThan(deep(4), 3)]).toEqual([false, true]);
  expect([isDeeperThan(deep(100)), isDeeperThan(deep(101))]).toEqual([false, true]);
  expect([isDeeperThan('x', 0), isDeeperThan(null, 0), isDeeperThan({}, 0)]).toEqual([false, false, true]);
  const endless: unknown[] = [];
  endless.push(endless);
  expect(isDeeperThan(endless)).toBe(true);
});

test('an object is a record, and a list, null or text is none', () => {
  expect([{}, { a: 1 }, [], null, 'a', 1, undefined].map(isRecord)).toEqual([true, true, ...Array(5).fill(false)]);
});
