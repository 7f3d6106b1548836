import { expect, test } from 'vitest';
import { looseJson, readLoose } from './loose-json.ts';
import { withoutThinking } from './thinking.ts';

test.each([
  ['strict JSON', '{"a": [1, true, null]}', { a: [1, true, null] }],
  ['single quotes', "{'a': 'b'}", { a: 'b' }],
  ['keys without quotes', '{a: 1, b_c: "x"}', { a: 1, b_c: 'x' }],
  ['commas too many', '{"a": [1, 2,],}', { a: [1, 2] }],
  ["Python's words", '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
  ['comments', '{"a": 1, // one\n /* two */ "b": 2}', { a: 1, b: 2 }],
  ['a raw line break', '{"a": "x\ny"}', { a: 'x\ny' }],
  ['quotes inside', '{"a": "say "hi" now"}', { a: 'say "hi" now' }],
  ['smart quotes', '{“a”: “b”}', { a: 'b' }],
  ['a character by its number', "{'a': 'caf\\u00e9!'}", { a: 'café!' }],
  ['what only begins like one', "{'a': '\\u00g9'}", { a: '\\u00g9' }],
  ['a lone backslash', '{"a": "\\d+"}', { a: '\\d+' }],
])('%s is read', (_name, text, value) => {
  expect(looseJson(text)).toEqual(value);
});

test.each([
  '{"a": "b',
  '{"a": 1',
  '[1, 2',
  'hello',
  '{"a" 1}',
  '{"a": 1} x',
  '',
  `${'['.repeat(500)}${']'.repeat(500)}x`,
])('%j is not', (text) => {
  expect(looseJson(text)).toBeUndefined();
});

test.each([
  ['<think>a</think>b', 'b'],
  ['a</think>b', 'b'],
  ['<think>a', ''],
  ['b <think>c</think> d', 'b  d'],
  ['Use `<think>` tags.', 'Use `<think>` tags.'],
  ['Close it with `</think>`.', 'Close it with `</think>`.'],
  ['<reasoning>a</reasoning><thinking>b</thinking>c', 'c'],
])('%j without its thinking', (reply, rest) => {
  expect(withoutThinking(reply)).toBe(rest);
});

test.each([
  ['numbers of all kinds', '[+1, -2.5, .5, 3., 1e3, 2E-1]', [1, -2.5, 0.5, 3, 1000, 0.2]],
  ['all the words', '[true, TRUE, FALSE, NULL, undefined,]', [true, true, false, null, null]],
  ['escapes', "['\\n\\t\\r\\b\\f\\\\\\/']", ['\n\t\r\b\f\\/']],
  ['an escaped quote', "{'a': 'it\\'s'}", { a: "it's" }],
  ['an apostrophe', "{'a': 'it's', 'b': [1]}", { a: "it's", b: [1] }],
  ['other quotes, each with its end', '{‘a’: `b “c”`}', { a: 'b “c”' }],
  ['words and marks in keys', '{$a.b-c: 1, größe: 2,}', { '$a.b-c': 1, größe: 2 }],
  ['nothing inside', '{ a: {}, b: [], /* none */ }', { a: {}, b: [] }],
  ['blanks and lines everywhere', ' { a :\n[ 1 ,\t2 ] , } \n', { a: [1, 2] }],
  ['a text alone', "'a'", 'a'],
  ['64 levels', `${'['.repeat(64)}1,${']'.repeat(64)}`, nested(64)],
])('%s: read', (_name, text, value) => {
  expect(looseJson(text)).toEqual(value);
});

test.each([
  "{'a': 1 'b': 2}",
  '[1 2]',
  '[1; 2]',
  '{,}',
  '{a: maybe}',
  "{'a': 'b\\",
  '{1: 2}',
  '{a}',
  `${'['.repeat(65)}1,${']'.repeat(65)}`,
])('%s: not read', (text) => expect(looseJson(text)).toBeUndefined());

test('a value is read where it begins, and its end is told', () => {
  const text = 'call({a: [1,]}) later';
  expect(readLoose(text, 5)).toEqual({ value: { a: [1] }, end: 14 });
  expect(readLoose(text, 4)).toBeUndefined();
  expect(readLoose('', 0)).toBeUndefined();
});

test.each([
  ['<think>a <reasoning>b</reasoning> c</think>d', 'd'],
  ['a <think>b</think> c <think>d</think> e', 'a  c  e'],
  ['<think>a</thought>b</think>c', 'c'],
  ['<THINK>a</think>b', 'b'],
  ['  <think>a', ''],
  ['b <think>a', 'b <think>a'],
  ['<think>a</think> b </think> c', ' b </think> c'],
  ['1 < 2', '1 < 2'],
])('%j, thought aloud, is %j', (reply, rest) => {
  expect(withoutThinking(reply)).toBe(rest);
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}
