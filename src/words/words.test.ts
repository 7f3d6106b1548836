import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.ts';
import { MONTHS, month, monthName } from './months.ts';
import { GERMAN_HALVES, NUMBER_WORDS, numberWord, wordsToDigits } from './numbers.ts';
import { fold, oneOf, readNames } from './spelling.ts';
import { STOP_WORDS } from './stop-words.ts';
import { anyTimeUnit, timeUnit } from './units.ts';
import { anyWeekday, shortWeekday, WEEKDAYS, weekdayName } from './weekdays.ts';

const takes = (source: string, word: string) => new RegExp(`^${source}$`, 'iu').test(word);

test.each(rowsOf<readonly [words: string, digits: string]>(import.meta.dirname, 'digits'))(
  '%s is %s',
  (words, digits) => expect(wordsToDigits(words)).toBe(digits),
);

test('number words have the values that they are read with', () => {
  const english = ['zero', 'one', 'twelve', 'thirteen', 'nineteen', 'twenty', 'thirty', 'ninety', 'hundred'];
  expect(english.map((word) => NUMBER_WORDS.en.get(word))).toEqual([0, 1, 12, 13, 19, 20, 30, 90, undefined]);
  expect([...NUMBER_WORDS.en.values()]).toEqual([...Array(20).keys(), 20, 30, 40, 50, 60, 70, 80, 90]);
  expect([...NUMBER_WORDS.de.values()].toSorted((a, b) => a - b)).toEqual([...Array(100).keys()]);
  expect(['einundzwanzig', 'neunundneunzig'].map((word) => NUMBER_WORDS.de.get(word))).toEqual([21, 99]);
  expect(['anderthalb', 'eineinhalb', 'zehneinhalb'].map((word) => GERMAN_HALVES.get(word))).toEqual([1.5, 1.5, 10.5]);
});

test('a pattern takes the numbers of its range and no others', () => {
  const taken = ['eins', 'zwei', 'zwölf', 'dreizehn'].filter((word) => takes(numberWord('de', 2, 12), word));
  expect(taken).toEqual(['zwei', 'zwölf']);
});

test('of two words that begin alike the longer one is taken', () => {
  expect(new RegExp(oneOf(['six', 'sixteen'], ['mon']), 'u').exec('sixteen')?.[0]).toBe('sixteen');
});

test('days and months have a name to show, and all their spellings', () => {
  expect(readNames('Samstag Sonnabend: Sa;\n  Mai')).toEqual([
    { name: 'Samstag', names: ['samstag', 'sonnabend'], short: ['sa'] },
    { name: 'Mai', names: ['mai'], short: [] },
  ]);
  expect([WEEKDAYS.en, WEEKDAYS.de, MONTHS.en, MONTHS.de].map(({ length }) => length)).toEqual([7, 7, 12, 12]);
  expect([weekdayName(0), weekdayName(6, 'de'), weekdayName(7), shortWeekday(4)]).toEqual([
    ...['Sunday', 'Samstag', '', 'Thu'],
  ]);
  expect([monthName(0), monthName(2, 'de'), monthName(12)]).toEqual(['January', 'März', '']);
  expect(MONTHS.de[2]?.names).toEqual(['maerz']);
});

test.each([
  [anyWeekday, ['Monday', 'mondays', 'mittwochs', 'Samstag'], ['mon', 'mo', 'montagen']],
  [month('en'), ['May', 'december'], ['Mai', 'Dezember', 'dec']],
  [month('en', 'de'), ['May', 'Mai', 'März'], ['mar']],
  [timeUnit, ['second', 'fortnights', 'Tagen', 'Jahre'], ['s', 'min', 'h', 'quarter', 'weekend']],
  [anyTimeUnit, ['second', 'hrs', 'min', 'std', 'h'], ['quarter', 'werktag']],
])('%s takes its words and no others', (source, words, others) => {
  expect(words.filter((word) => !takes(source, word))).toEqual([]);
  expect(others.filter((word) => takes(source, word))).toEqual([]);
});

test('words are compared in one spelling', () => {
  expect(fold('ÄÖÜß Fuß ’s')).toBe("aeoeuess fuss 's");
});

test('question words are stop words, too', () => {
  expect(['what', 'whose', 'the', 'boat'].map((word) => STOP_WORDS.en.has(word))).toEqual([true, true, true, false]);
  expect(['womit', 'der', 'boot'].map((word) => STOP_WORDS.de.has(word))).toEqual([true, true, false]);
});
