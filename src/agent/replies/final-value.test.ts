import { expect, test } from 'vitest';
import { inWords } from './final-value.ts';

const shown = (value: unknown) => inWords(JSON.stringify(value, null, 2));

test('what a search found is said in words, with its citations', () => {
  const passages = [{ text: 'The roof costs 7,900 EUR.', citation: '[bolt.md, line 2]', score: 0.8 }];
  expect(shown({ answer: 'It costs 7,900 EUR.', confidence: 0.3, passages })).toBe(
    'It costs 7,900 EUR.\n\n- The roof costs 7,900 EUR., [bolt.md, line 2]',
  );
  expect(shown({ answer: '', passages })).toBe('- The roof costs 7,900 EUR., [bolt.md, line 2]');
});

test('a list of records is a line for each', () => {
  const jobs = [{ id: 'job_1', text: 'call Ann', when: 'Tue 09:00', next: '2026-11-24T09:00:00.000Z', enabled: true }];
  expect(shown(jobs)).toBe('- call Ann, when: Tue 09:00');
});

test.each([
  ['one record', { n: 3 }],
  ['a list of numbers', [1, 2]],
  ['records within records', [{ id: 'a', inner: { x: 1 } }]],
  ['an empty list', []],
])('%s stays as it is', (_name, value) => {
  expect(shown(value)).toBe(JSON.stringify(value, null, 2));
});

test('JSON that a script wrote itself stays as it is', () => {
  expect(inWords('[{"a":1}]')).toBe('[{"a":1}]');
});
