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
      isFragment: false,
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

test('a line among sentences that is none is a header of those below it', () => {
  const letter = 'Severn Savings\n\nYour account 0417\n\nThe rate will fall. No need to act.\n\n- one item\n- Fee: £3';
  expect(sentencesOf(letter).map(({ text, header, isFragment }) => [text, isFragment || header])).toEqual([
    ['Severn Savings', true],
    ['Your account 0417', true],
    ['The rate will fall.', 'Your account 0417'],
    ['No need to act.', 'Your account 0417'],
    ['one item', 'Your account 0417'],
    ['Fee: £3', 'Your account 0417'],
  ]);
  expect(sentencesOf('the car is on level 4').map(({ isFragment }) => isFragment)).toEqual([false]);
});

test('what stands in bold in front of a paragraph is about all of it', () => {
  const lease =
    '**Heating.** The boiler is inspected yearly. Report faults to us.\n\n**Rent:** It is due on the first.';
  expect(sentencesOf(lease).map(({ header }) => header)).toEqual(['Heating.', 'Heating.', 'Rent:']);
});
