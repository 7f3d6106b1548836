import { expect, test } from 'vitest';
import { sentencesOf } from './sentences.ts';

test('the date of a German sentence does not end it', () => {
  const text = 'Die Heizung wurde am 12. März 2026 gewartet. Der Druck ist 1,5 bar.';
  expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual([
    'Die Heizung wurde am 12. März 2026 gewartet.',
    'Der Druck ist 1,5 bar.',
  ]);
});

test('a table that was read from cells is told row by row', () => {
  const rows = sentencesOf('name | phone | role\nTom Lie | +47 900 33 444 | plumber');
  expect(rows).toEqual([
    {
      text: 'Tom Lie: +47 900 33 444; plumber',
      shown: 'Tom Lie: phone +47 900 33 444; role plumber',
      header: 'name: phone; role',
    },
  ]);
});

test('a title, an initial or a short form ends no sentence', () => {
  const sentences = (text: string) => sentencesOf(text).map((sentence) => sentence.text);
  expect(sentences('The landlord is Mrs. Aoife Walsh. Call her.')).toEqual([
    'The landlord is Mrs. Aoife Walsh.',
    'Call her.',
  ]);
  expect(sentences('Ask Dr. J. R. Lee, e.g. by mail. See No. 7.')).toEqual([
    'Ask Dr. J. R. Lee, e.g. by mail.',
    'See No. 7.',
  ]);
  expect(sentences('I said no. It was late.')).toEqual(['I said no.', 'It was late.']);
});
