import { expect, test } from 'vitest';
import { entriesOf, entryAt, minusEntry, plusEntry, withoutEntry } from './journal.ts';

const JOURNAL = [
  '# Boat\n\nKept since May.\n\n',
  '## 2026-05-01 08:00\n\nScrubbed the deck.\n\n',
  '## 2026-05-02 09:30 \t\n\n Two\n\n## Not a day\n\nparts \n\n',
  '## 2026-05-03 10:15\n',
];

test('a journal is read note by note, oldest first; what stands before the first is none', () => {
  expect(entriesOf(JOURNAL.join(''))).toEqual([
    { at: '2026-05-01 08:00', text: 'Scrubbed the deck.' },
    { at: '2026-05-02 09:30', text: 'Two\n\n## Not a day\n\nparts' },
    { at: '2026-05-03 10:15', text: '' },
  ]);
  expect(entriesOf('')).toEqual([]);
  expect(entriesOf('# Boat\n\n### 2026-05-01 08:00\n\n## 2026-05-01 08:00 sharp\n')).toEqual([]);
});

test.each([
  [0, '# Boat\n\nKept since May.\n\n## 2026-05-02 09:30\n\n Two\n\n## Not a day\n\nparts \n\n## 2026-05-03 10:15\n'],
  [1, '# Boat\n\nKept since May.\n\n## 2026-05-01 08:00\n\nScrubbed the deck.\n\n## 2026-05-03 10:15\n'],
  [
    2,
    '# Boat\n\nKept since May.\n\n## 2026-05-01 08:00\n\nScrubbed the deck.\n\n## 2026-05-02 09:30' +
      '\n\n Two\n\n## Not a day\n\nparts\n',
  ],
])('without its note %i a journal keeps all else, also what stands before the first', (index, expected) => {
  expect(withoutEntry(JOURNAL.join(''), index)).toBe(expected);
});

const [first, second] = ['## 2026-05-01 08:00\n\nTea é\n', '## 2026-05-02 08:00\n\nRum\n'] as const;

test.each([
  ['', first, first],
  [first, second, `${first}\n${second}`],
])('to %j is added %j, behind a blank line', (journal, entry, expected) => {
  const grown = plusEntry(Buffer.from(journal), entry);
  expect(grown.toString()).toBe(expected);
  expect(minusEntry(grown, entry).toString()).toBe(journal);
});

test.each([
  ['the last one', `${first}\n${second}`, second, first],
  ['the first one', `${first}\n${second}`, first, second],
  ['the one between', `${first}\n${second}\n${first}`, second, `${first}\n${first}`],
  ['the last of equal ones', `${first}\n${second}\n${first}`, first, `${first}\n${second}`],
  ['the only one', first, first, ''],
  ['none, the same words begin a longer one', `${first}More.\n`, first, `${first}More.\n`],
  ['none, it stands within a line', `> ${first}\n${second}`, first, `> ${first}\n${second}`],
  ['an earlier one, the last is longer', `${first}\n${first}More.\n`, first, `${first}More.\n`],
  ['none, it is not there', first, second, first],
])('taken out of a journal: %s', (_which, journal, entry, expected) => {
  expect(minusEntry(Buffer.from(journal), entry).toString()).toBe(expected);
});

test('a note is found by its bytes, whatever the encoding of the others', () => {
  const other = Buffer.from([0x23, 0xe9, 0x0a, 0x0a]);
  expect(entryAt(Buffer.concat([other, Buffer.from(first)]), first)).toBe(4);
  expect(minusEntry(Buffer.concat([other, Buffer.from(first)]), first)).toEqual(other.subarray(0, 3));
});
