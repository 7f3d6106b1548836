import { expect, test } from 'vitest';
import { looseJson } from './loose-json.ts';
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
