import { expect, test } from 'vitest';
import type { Hit } from '../../rag/types.ts';
import { asksForAge, eldestIn, recordFrom } from './record.ts';

const PEOPLE = [
  'name | phone | birthday | note',
  'Anna Berg | 0171 2223 | 1984-03-02 | sister of Tom Reed',
  'Tom Reed | 0171 9981 | 1979-11-30 | met through Anna',
  'Tom Hale |  | 12.05.2001 | plays chess',
].join('\n');

function hitOf(text: string): Hit {
  return { chunkId: 7, documentId: 'a', file: 'a.csv', heading: [], text, score: 1, citation: '[a.csv]' };
}
const ask = (question: string, text = PEOPLE, before?: string) =>
  recordFrom(question, [hitOf(text)], { today: '2026-11-24', history: before === undefined ? [] : [before] })?.answer;

test.each([
  ["what is Anna's phone number?", 'Anna Berg: phone 0171 2223 [a.csv]'],
  ["what's Tom Reed's phone number?", 'Tom Reed: phone 0171 9981 [a.csv]'],
  ["what is Tom's phone number?", 'Tom Reed: phone 0171 9981 [a.csv]\nTom Hale: phone - [a.csv]'],
  ['how old is Anna?', 'Anna Berg: 42 (birthday 1984-03-02) [a.csv]'],
  ['Wie alt ist Tom Reed?', 'Tom Reed: 46 (birthday 1979-11-30) [a.csv]'],
  ['who is Anna?', 'Anna Berg: phone 0171 2223; birthday 1984-03-02; note sister of Tom Reed [a.csv]'],
  ['how old is Anna now?', 'Anna Berg: 42 (birthday 1984-03-02) [a.csv]'],
  ['the phone number of Anna', 'Anna Berg: phone 0171 2223 [a.csv]'],
  ['how old is Tom Hale?', 'Tom Hale: 25 (birthday 12.05.2001) [a.csv]'],
  [
    "how many days until Tom Reed's birthday?",
    'Tom Reed: birthday 1979-11-30; next on Monday 30 November 2026, in 6 days [a.csv]',
  ],
  ["when is Anna's birthday?", 'Anna Berg: birthday 1984-03-02; next on Tuesday 2 March 2027 [a.csv]'],
  ['wann hat Anna Geburtstag?', 'Anna Berg: birthday 1984-03-02; als Nächstes am Dienstag, 2. März 2027 [a.csv]'],
])('%s: %s', (question, answer) => expect(ask(question)).toBe(answer));

test.each([
  "what is Bob's phone number?",
  'who plays chess?',
  'who is the sister of Anna?',
  'what about Anna?',
  'phone',
])('%s: of no row alone', (question) => expect(ask(question)).toBeUndefined());

test('a day of birth may name its month', () => {
  const born = 'name | birthday\nKarl Weiss | 21 January 1965';
  expect(ask('how old is Karl?', born)).toBe('Karl Weiss: 61 (birthday 21 January 1965) [a.csv]');
  expect(ask('wie alt ist Karl?', 'name | birthday\nKarl Weiss | ?')).toBe('Karl Weiss: birthday ? [a.csv]');
});

test("what no column says of somebody is not answered from another's row", () => {
  expect(recordFrom('where does Anna live?', [hitOf(PEOPLE)], {})).toEqual({ answer: undefined, chunks: new Set([7]) });
  expect(ask('who was met through Anna?')).toBeUndefined();
  expect(recordFrom('who met Anna?', [hitOf(PEOPLE)], {})).toBeUndefined();
});

test.each([
  "when is Anna's sister's birthday?",
  'wann hat Annas Schwester Geburtstag?',
  "the phone of Anna's boss",
  'what is the phone of the boss of Anna?',
])('%s: no row is about them', (question) =>
  expect(recordFrom(question, [hitOf(PEOPLE)], { today: '2026-11-24' })).toEqual({
    answer: undefined,
    chunks: new Set([7]),
  }),
);

test.each([
  ["what is Jonas's phone number?"],
  ["what's bob's phone number?"],
  ['phone number of bob'],
  ['Wie ist die Telefonnummer von Bob?'],
  ['how old is Bob?'],
  ['when does Karin have her birthday?'],
  ['what did Karin meet through?'],
  ['and his birthday?', "what is Jonas's phone number?"],
  ['and Jonas?', "what is Tom's phone number?"],
])('%s: nobody whom a row is about', (question, ...history) => {
  const text = `${PEOPLE}\nEva Lind | 0171 5 | 1990-01-01 | plays tennis with Jonas and Bob, a plumber`;
  const found = recordFrom(question, [hitOf(text)], { today: '2026-11-24', history });
  expect(found).toEqual({ answer: undefined, chunks: new Set([7]) });
});

test.each([
  "what is the plumber's phone number?",
  'who plays tennis with Jonas?',
  'phone number of a plumber',
  'which phone numbers are there?',
])('%s: another row may say it', (question) => {
  const text = `${PEOPLE}\nEva Lind | 0171 5 | 1990-01-01 | plays tennis with Jonas, a plumber`;
  expect(recordFrom(question, [hitOf(text)], { today: '2026-11-24' })).toBeUndefined();
});

test('a column whose names repeat says of no row what it is about', () => {
  const visits = 'name | date\nAnna | 2026-01-02\nAnna | 2026-02-03';
  expect(ask('what date for Anna?', visits)).toBeUndefined();
});

test('"and Anna?" asks for what was asked before', () => {
  expect(ask('und Anna?', PEOPLE, 'wie alt ist Tom Reed?')).toBe('Anna Berg: 42 (birthday 1984-03-02) [a.csv]');
  expect(ask('and Anna?', PEOPLE, "what is Tom's phone number?")).toBe('Anna Berg: phone 0171 2223 [a.csv]');
});

test('"and his birthday?" is about whom the questions before named, not about a row that mentions them', () => {
  const before = ["what is Tom Reed's phone number?", 'and his birthday?'];
  const then = (question: string) =>
    recordFrom(question, [hitOf(PEOPLE)], { today: '2026-11-24', history: before })?.answer;
  expect(then('and his birthday?')).toContain('Tom Reed: birthday 1979-11-30');
  expect(then('how old is he?')).toBe('Tom Reed: 46 (birthday 1979-11-30) [a.csv]');
  expect(then('when is the next bank holiday?')).toBeUndefined();
});

test('the oldest and the youngest of a table of people', () => {
  expect(eldestIn(PEOPLE, 'who is the oldest?', '2026-11-24')).toBe('Tom Reed: 46 (birthday 1979-11-30)');
  expect(eldestIn(PEOPLE, 'wer ist die Jüngste?', '2026-11-24')).toBe('Tom Hale: 25 (birthday 12.05.2001)');
  expect(eldestIn(PEOPLE, 'wer ist am ältesten?', '2026-11-24')).toBe('Tom Reed: 46 (birthday 1979-11-30)');
  expect([asksForAge('who is the oldest?'), asksForAge('which is the oldest house?')]).toEqual([true, false]);
});
