import { expect, test } from 'vitest';
import { faultOfFinal, inWords } from './final-value.ts';

const shown = (value: unknown) => inWords(JSON.stringify(value, null, 2));

test('what a search found is said in words, with its citations', () => {
  const passages = [{ text: 'The roof costs 7,900 EUR.', citation: '[bolt.md, line 2]', score: 0.8 }];
  expect(shown({ answer: 'It costs 7,900 EUR.', confidence: 0.3, passages })).toBe(
    'It costs 7,900 EUR.\n\n- The roof costs 7,900 EUR., [bolt.md, line 2]',
  );
  expect(shown({ answer: '', passages })).toBe('- The roof costs 7,900 EUR., [bolt.md, line 2]');
  expect(shown({ answer: 'Nobody knows.', passages: [] })).toBe('Nobody knows.');
});

test('a list of records is a line for each', () => {
  const jobs = [
    { id: 'job_1', text: 'call Ann', when: 'Tue 09:00', next: '2026-11-24T09:00:00.000Z', enabled: true },
    { id: 'job_2', text: 'call Bob', times: 3, done: false, confidence: 0.5 },
  ];
  expect(shown(jobs)).toBe('- call Ann, when: Tue 09:00\n- call Bob, times: 3, done: false');
});

test('a citation stands without its name, wherever it is', () => {
  expect(shown([{ citation: '[a.md]', text: 'Blue.' }])).toBe('- [a.md], text: Blue.');
});

test.each([
  ['one record', { n: 3 }],
  ['a list of numbers', [1, 2]],
  ['a list with one number', [{ n: 3 }, 4]],
  ['records within records', [{ id: 'a', inner: { x: 1 } }]],
  ['records with something of each that is none', [{ n: 3 }, { n: { x: 1 } }]],
  ['records with words and records', [{ text: 'a', inner: { x: 1 } }]],
  ['records with nothing to say', [{ id: 'a', score: 1 }]],
  ['an empty list', []],
  ['an empty object', {}],
  ['an answer without passages', { answer: 'It costs 7,900 EUR.', passages: 3 }],
  ['passages without an answer', { passages: [{ text: 'a' }] }],
  ['an answer that is none', { answer: 3, passages: [{ text: 'a' }] }],
  ['an answer and passages of nothing', { answer: '', passages: [] }],
  ['null in a list', [null]],
])('%s stays as it is', (_name, value) => {
  expect(shown(value)).toBe(JSON.stringify(value, null, 2));
});

test.each([
  ['JSON that a script wrote itself', '[{"a":1}]'],
  ['words', 'It is Friday.'],
  ['what only looks like JSON', '[\n  {\n    "a": 1\n  }'],
  ['JSON that is indented by one', JSON.stringify([{ a: 1 }], null, 1)],
  ['JSON behind an empty line', `\n${JSON.stringify([{ a: 1 }], null, 2)}`],
  ['JSON behind words', 'The jobs: [\n  {\n    "a": 1\n  }\n]'],
])('%s stays as well', (_name, text) => {
  expect(inWords(text)).toBe(text);
});

const fault = (text: string, made = true, request = '') => faultOfFinal(text, { made, request });

test.each(['', ' \n '])('an empty answer is none: %j', (text) => {
  expect([fault(text), fault(text, false, 'empty')]).toEqual(['it was empty', 'it was empty']);
});

test.each([
  ...['null', 'NULL', 'None', 'none.', 'undefined', 'NaN', 'nan!', '{}', '{ }', '[]', '[ ]', '"null"', "'undefined'"],
  ...['`NaN`', '[object Object]', '[object Promise]', 'Invalid Date'],
])('an answer that is nothing else is none: %s', (text) => {
  expect([fault(text), fault(` ${text}\n`, false)]).toEqual([`it held ${text}`, `it held ${text}`]);
});

test.each([
  ['The jobs: [object Object]', 'it held [object Object]'],
  ['It starts on Invalid Date.', 'it held Invalid Date'],
  ['```\nlog\n``` [object Map]', 'it held [object Map]'],
])('what a value leaves that went wrong is found anywhere: %s', (text, expected) => {
  expect([fault(text), fault(text, false)]).toEqual([expected, expected]);
});

test.each([
  ['Total: NaN', 'NaN', 'NaN'],
  ['The total is NaN.', 'NaN', 'NaN'],
  ['It costs $NaN', 'NaN', 'NaN'],
  ['It costs €  undefined', 'undefined', undefined],
  ['It costs € NaN', 'NaN', 'NaN'],
  ['NaN % are done', 'NaN', 'NaN %'],
  ['notes = undefined', 'undefined', 'undefined'],
  ['Das Ergebnis ist "NaN', undefined, 'NaN'],
  ['Total:\nNaN', 'NaN', 'NaN'],
  ['Sum`a`NaN', 'NaN', undefined],
  ['You have undefined notes', 'undefined', undefined],
  ['It rose by NaN', 'NaN', undefined],
  ['NaN is no number', 'NaN', undefined],
  ['A field that is `undefined` has no value', undefined, undefined],
  ['typeof undefined says so', undefined, undefined],
  ["It received undefined, 'NaN'", undefined, undefined],
  ['The behaviour is well-defined', undefined, undefined],
  ['Nancy is here', undefined, undefined],
  ['```js\nx = NaN\n```', undefined, undefined],
  ['Look:\n```js\nx = NaN', undefined, undefined],
  ['```\na\n``` The total is NaN.', 'NaN', 'NaN'],
  ['`a` The total is NaN.', 'NaN', 'NaN'],
])('%s', (text, made, said) => {
  const told = (word: string | undefined) => word && `it held ${word}`;
  expect([fault(text), fault(text, false)]).toEqual([told(made), told(said)]);
});

test('somebody who asks about such a value may read it', () => {
  expect(fault('The total is NaN.', true, 'Why does my sheet say nan?')).toBeUndefined();
  expect(fault('The total is NaN.', true, 'What is the total?')).toBe('it held NaN');
  expect(fault('`null`.', true, 'What is null in SQL?')).toBeUndefined();
  expect(fault('[object Object]', true, 'What does [object Object] mean?')).toBeUndefined();
  expect(fault('NaN % of it', false, 'What is NaN?')).toBeUndefined();
});

test('what has no letters is nothing to ask about', () => {
  expect(fault('{}', true, 'What is {}?')).toBeUndefined();
  expect(fault('[]', true, 'What?')).toBe('it held []');
});
