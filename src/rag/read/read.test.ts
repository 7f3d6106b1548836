import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { citation } from '../citation.ts';
import { type Chunk, chunk } from './chunk.ts';
import { read } from './read.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

async function chunksOf(file: string, words = 200): Promise<Chunk[]> {
  return chunk(await read(readFileSync(join(FIXTURES, file)), file), { words });
}

/** The passage that holds the text, its headings and how it is cited. */
const PASSAGES: readonly (readonly [file: string, holds: string, heading: readonly string[], citation: string])[] = [
  ['garden.md', 'Slugs ate the lettuce.', ['Garden diary'], '[garden.md, Garden diary, line 6]'],
  ['garden.md', '| April | Plant potatoes |', ['Garden diary', 'Compost'], '[garden.md, Compost, lines 10-20]'],
  ['letter.txt', 'noise like a kettle', ['To the landlord'], '[letter.txt, To the landlord, lines 3-6]'],
  ['page.html', 'Feed the starter\ntwice a day.', ['Sourdough'], '[page.html, Sourdough, lines 7-8]'],
  ['page.html', 'Flour | Grams\nRye | 200', ['Sourdough', 'Baking'], '[page.html, Baking, lines 10-13]'],
  ['warranty.pdf', 'free within thirty days', [], '[warranty.pdf, p. 2]'],
  ['handbook.docx', 'Tool | Shelf\nChisel | B2', ['Workshop handbook', 'Glue'], '[handbook.docx, Glue]'],
  ['launch.pptx', 'north pier', ['Launch day'], '[launch.pptx, Launch day, slide 1]'],
  ['launch.pptx', 'Mention the harbour fee', ['Budget'], '[launch.pptx, Budget, slide 2]'],
  ['garden.xlsx', 'Plant | Sown | Beds\nLeek | 2024-03-15 | 3', ['Beds 2024'], '[garden.xlsx, Beds 2024, row 2-3]'],
  ['sailing.odt', 'Knot | Use\nBowline | Mooring', ['Sailing notes', 'Knots'], '[sailing.odt, Knots]'],
  ['island.epub', 'once in nine seconds', ['The lighthouse'], '[island.epub, The lighthouse, chapter 2]'],
  ['people.csv', 'name | city | born\nAda | London | 1815', [], '[people.csv, lines 2-4]'],
  ['config.json', 'sensors.tags: roof, north', [], '[config.json, name to sensors, item 2]'],
  ['events.jsonl', 'event: stop', [], '[events.jsonl, lines 1-2]'],
  [
    'drawings.eml',
    'seven to two – please',
    ['Engine drawings ✓'],
    '[drawings.eml, Engine drawings ✓, message <m1@example.org>]',
  ],
  ['inbox.mbox', 'Soup at noon.\nFrom the kitchen.', ['Lunch'], '[inbox.mbox, Lunch, message <l1@example.org>]'],
  ['clock.py', 'def strike(hour):', ['class Clock:'], '[clock.py, class Clock:, lines 1-11]'],
];

test.each(PASSAGES)('%s: %j is read, placed and cited', async (file, holds, heading, expected) => {
  const found = (await chunksOf(file)).find(({ text }) => text.includes(holds));
  expect(found?.heading).toEqual(heading);
  expect(found && citation({ file, ...found })).toBe(expected);
});

test.each([
  ['page.html', /alert|Home About|color: red/u],
  ['drawings.eml', /what is the ratio/u],
  ['garden.md', /title:/u],
])('%s: what is no content is left out', async (file, noise) => {
  for (const { text } of await chunksOf(file)) expect(text).not.toMatch(noise);
});

describe('a file that cannot be read says why', () => {
  test.each([
    ['locked.pdf', 'encrypted: save a copy without its password'],
    ['garden.md', 'broken PDF', 'x.pdf'],
    ['garden.md', 'broken or encrypted archive', 'x.docx'],
    ['garden.xlsx', 'not a text document', 'x.docx'],
    ['garden.md', 'broken JSON', 'x.json'],
    ['garden.xlsx', 'binary file', 'x.txt'],
    ['garden.md', 'not a mailbox', 'x.mbox'],
  ])('%s as it is or as another kind: %s', async (file, why, path = file) => {
    await expect(read(readFileSync(join(FIXTURES, file)), path)).rejects.toMatchObject({
      name: 'Unreadable',
      message: why,
    });
  });

  test('an office file behind a password', async () => {
    const bytes = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
    await expect(read(bytes, 'x.docx')).rejects.toThrow('encrypted, or of an older format');
  });
});

test.each(['x.md', 'x.txt', 'x.html', 'x.json', 'x.csv', 'x.eml', 'x.pdf', 'x.docx'])(
  'an empty %s has no passages',
  async (path) => {
    expect(chunk(await read(new Uint8Array(0), path), { words: 200 })).toEqual([]);
  },
);

test('text in older encodings is read', async () => {
  const latin = Buffer.from('caf\u00e9 cr\u00e8me', 'latin1');
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('café crème', 'utf16le')]);
  for (const bytes of [latin, utf16]) {
    const [only] = chunk(await read(bytes, 'x.txt'), { words: 200 });
    expect(only?.text).toBe('café crème');
  }
});

test('the events of a calendar are read as sentences', async () => {
  const source = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Dentist\\, Dr. Berg',
    'DTSTART;TZID=Europe/Oslo:20261124T140000',
    'DTEND;TZID=Europe/Oslo:20261124T143000',
    'LOCATION:Main',
    '  Street 5',
    'DESCRIPTION:bring the card\\nand the form',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'SUMMARY:Holiday',
    'DTSTART;VALUE=DATE:20261224',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const { blocks } = await read(Buffer.from(source), 'mine.ics');
  expect(blocks).toMatchObject([
    {
      text: [
        'Dentist, Dr. Berg on Tuesday 24 November 2026 at 14:00 (Europe/Oslo) until 14:30, at Main Street 5.',
        'bring the card\nand the form',
      ].join('\n'),
      lines: [2, 9],
    },
    { text: 'Holiday on Thursday 24 December 2026.' },
  ]);
});

test('an alarm and an impossible date in a calendar leave its other words as they are', async () => {
  const alarm = ['BEGIN:VALARM', 'DESCRIPTION:This is an event reminder', 'END:VALARM'];
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...alarm, ...lines, 'END:VEVENT'];
  const source = [
    'BEGIN:VCALENDAR',
    ...event('SUMMARY:Dentist', 'DTSTART:20261399T140000', 'DESCRIPTION:bring the card'),
    ...event('SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20261224'),
    'END:VCALENDAR',
  ].join('\r\n');
  const { blocks } = await read(Buffer.from(source), 'mine.ics');
  expect(blocks).toMatchObject([
    { text: 'Dentist on 20261399T140000.\nbring the card' },
    { text: 'Holiday on Thursday 24 December 2026.' },
  ]);
});
