import { expect, test } from 'vitest';
import { StreamedAnswer } from './streamed-answer.ts';

/** Everything that is sent of these tokens and this answer, piece by piece. */
function sent(tokens: readonly string[], answer: string): string[] {
  const text = new StreamedAnswer();
  return [...tokens.map((token) => text.token(token)), text.end(answer)];
}

test('whole words are sent, and the last one with the end', () => {
  expect(sent([' All', ' is w', 'ell'], 'All is well')).toEqual(['', 'All is ', '', 'well']);
});

test.each(['[x](https://a.example)', '![x](https://a.example)', '<img src=x>', 'https://a.example', 'www.a.example'])(
  'from %s on everything waits for the whole answer',
  (link) => {
    const told = sent(['Look ', 'at ', ...link, ' now ', 'and then'], 'Look at (a link) now and then');
    expect(told.slice(0, -1).join('')).toBe('Look at ');
    expect(told.at(-1)).toBe('(a link) now and then');
  },
);

test('words that turn out to be no part of the answer are a paragraph of their own', () => {
  const text = new StreamedAnswer();
  const pieces = [text.token('I look it up. ')];
  text.restart();
  pieces.push(text.token('It is '), text.end('It is blue.'));
  expect(pieces.join('')).toBe('I look it up. \n\nIt is blue.');
  expect(sent(['It is re', 'd. '], 'It is blue.').join('')).toBe('It is red. \n\nIt is blue.');
});
