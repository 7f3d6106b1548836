import { expect, test } from 'vitest';
import { replaceOnce } from './replace-once.ts';

const TEXT = 'one\ntwo\nthree two\n';

test.each([
  ['one', '1', '1\ntwo\nthree two\n', 'line 1'],
  ['three two', '3', 'one\ntwo\n3\n', 'line 3'],
  ['one', 'a\nb\nc', 'a\nb\nc\ntwo\nthree two\n', 'lines 1-3'],
  ['three ', '', 'one\ntwo\ntwo\n', 'line 3'],
  ['two\nthree', 'x\n', 'one\nx\n two\n', 'lines 2-3'],
])('%j becomes %j', (old, by, text, where) => {
  expect(replaceOnce(TEXT, old, by)).toEqual({ ok: true, text, where });
});

test.each([
  ['two', 'the text occurs 2 times (lines 2, 3); add what stands before or after it.'],
  ['one', 'old and new are the same.'],
  ['zero', 'the text does not occur in it.'],
  ['\n \n', 'the text does not occur in it.'],
  ['  ONE  ', 'the text does not occur in it; line 1 reads "one".'],
  ['Three  Two\nfour', 'the text does not occur in it; line 3 reads "three two".'],
  ['\nHREE', 'the text does not occur in it; line 3 reads "three two".'],
])('%j is not replaced, and why is said', (old, problem) => {
  expect(replaceOnce(TEXT, old, 'one')).toEqual({ ok: false, problem });
});

test('five of many places are named, those that overlap as well', () => {
  const problem = (text: string, old: string) => {
    const replaced = replaceOnce(text, old, 'x');
    return replaced.ok ? '' : replaced.problem.slice(0, replaced.problem.indexOf(';'));
  };
  expect(problem('a\n'.repeat(5), 'a')).toBe('the text occurs 5 times (lines 1, 2, 3, 4, 5)');
  expect(problem('a\n'.repeat(6), 'a')).toBe('the text occurs 6 times (lines 1, 2, 3, 4, 5 and more)');
  expect(problem('aaa', 'aa')).toBe('the text occurs 2 times (lines 1, 1)');
});

test('the line that is nearest is shown as it is, up to 300 characters', () => {
  const long = `Deep ${'x'.repeat(400)}`;
  expect(replaceOnce(`deep water\n\n${long}`, 'DEEP X', '')).toEqual({
    ok: false,
    problem: `the text does not occur in it; line 3 reads ${JSON.stringify(long.slice(0, 300))}.`,
  });
});

test('line ends of another system stay as they are', () => {
  const text = 'one\r\ntwo\r\nthree\r\n';
  expect(replaceOnce(text, 'one\ntwo', '1\n2\n3')).toEqual({
    ...{ ok: true, text: '1\r\n2\r\n3\r\nthree\r\n', where: 'lines 1-3' },
  });
  expect(replaceOnce(text, 'four\nfive', 'x')).toEqual({ ok: false, problem: 'the text does not occur in it.' });
  expect(replaceOnce('one\ntwo', 'one\r\ntwo', 'x')).toMatchObject({ ok: false });
});
