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

const prose = (text: string) => ({ text, shown: text, header: '', isFragment: false });

test.each([
  ['nothing', '', []],
  ['spaces and lines', ' one\n  two \t three. ', ['one two three.']],
  [
    'emphasis',
    'A **bold claim** and __another__, 2 * 3 ** 4, a**b c**d, **x** y',
    ['A bold claim and another, 2 * 3 ** 4, ab cd, x y'],
  ],
  ['emphasis that is none', 'On ** a ** and snake__case_x.', ['On ** a ** and snake__case_x.']],
  ['marks of a list', '- one\n* two\n+ three\n10. ten\n 2)  second', ['one', 'two', 'three', 'ten', 'second']],
  ['what is no mark of a list', '-5 degrees', ['-5 degrees']],
  ['several signs', 'Really?! "Yes." (No.) Well…', ['Really?!', '"Yes."', '(No.)', 'Well…']],
])('%s in a passage', (_what, passage, expected) => {
  expect(sentencesOf(passage)).toEqual(expected.map(prose));
});

test('of code each line is read by itself, without its fences', () => {
  const code = ['Run this. Then wait.', '```sh', 'ask "Who?" Now.', '', '  say it', '```', 'It ends. Bye.'];
  const texts = ['Run this.', 'Then wait.', 'ask "Who?" Now.', 'say it', 'It ends.', 'Bye.'];
  expect(sentencesOf(code.join('\n'))).toEqual(texts.map(prose));
  expect(sentencesOf('~~~\n| a | b |\n~~~')).toEqual([prose('| a | b |')]);
});

test('tables in Markdown are read row by row, of two columns without the names', () => {
  const row = (text: string, shown: string, header: string) => ({ text, shown, header, isFragment: false });
  const table = ['Fees are due. Pay now.', ' | Line | Fare | ', '|:---|---|', '| A \\| B |  2 |', '| C | |', '| | 5 |'];
  expect(sentencesOf(table.join('\n'))).toEqual([
    ...['Fees are due.', 'Pay now.'].map(prose),
    row('A \\| B: 2', 'A \\| B: 2', 'Line: Fare'),
    row('C', 'C', 'Line: Fare'),
    row('5', '5', 'Line: Fare'),
  ]);
  expect(sentencesOf('| what | **fare** | zone |\n| sea | | 3 |\n| 4 | 5 |')).toEqual([
    row('sea: 3', 'sea: zone 3', 'what: fare; zone'),
    row('4: 5', '4: 5', 'what: fare; zone'),
  ]);
});

test.each([
  ['a number among the names', 'a | b1 | c\nx | y | z', 'x: y; z'],
  ['a column without a name', '| a | | c |\n| x | y | z |', 'x: y; z'],
  ['names for all of them', 'a | b | c\nx | y | z', 'x: b y; c z'],
])('%s', (_what, table, shown) => {
  expect(sentencesOf(table)).toMatchObject([{ text: 'x: y; z', shown }]);
});

test('a header alone is read, and a bar alone is no table', () => {
  expect(sentencesOf('| a | b |')).toEqual([prose('a: b')]);
  expect(sentencesOf('|\n')).toEqual([prose('|')]);
  expect(sentencesOf('|a')).toEqual([prose('|a')]);
  expect(sentencesOf('a|')).toEqual([prose('a|')]);
});

test('a line that is no sentence stands above those below it only among sentences', () => {
  const under = (text: string, header: string, isFragment = false) => ({ text, shown: text, header, isFragment });
  expect(sentencesOf('One line\n\nAnother')).toEqual([prose('One line'), prose('Another')]);
  expect(sentencesOf('**Account** \n\n- item\n\nRate: 3\n\nIt falls. \n\n**Odd** : no')).toEqual([
    under('Account', '', true),
    ...['item', 'Rate: 3', 'It falls.'].map((text) => under(text, 'Account')),
    under('Odd : no', 'Odd'),
  ]);
});

test('the steps of a numbered list are sentences, with a full stop or without', () => {
  const steps = ['Switch off the power', 'Remove the cover. Wait.', 'Clean it'];
  const list = steps.map((step, at) => `${at + 9}. ${step}`).join('\n');
  expect(sentencesOf(list)).toEqual(['Switch off the power', 'Remove the cover.', 'Wait.', 'Clean it'].map(prose));
});
