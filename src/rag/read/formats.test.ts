import { describe, expect, test } from 'vitest';
import { readCode } from './code.ts';
import { readCsv, readJson, readJsonl } from './csv-json.ts';
import { readIcs } from './ics.ts';
import { isFromOutside, kindOf } from './kinds.ts';
import { readEml, readMbox } from './mail.ts';
import { Unreadable } from './parsed.ts';
import { decode, read } from './read.ts';
import { readText } from './text.ts';

const text = (said: string, lines: readonly [number, number]) => ({ kind: 'text', text: said, lines });
const heading = (said: string, lines: readonly [number, number]) => ({ kind: 'heading', level: 1, text: said, lines });

describe('a calendar', () => {
  const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
  const said = (...lines: readonly string[]) =>
    readIcs(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')).blocks.map((block) =>
      'text' in block ? block.text : '',
    );

  test.each([
    ['a day', ['DTSTART:20261224'], 'X on Thursday 24 December 2026.'],
    ['a single day', ['DTSTART:20261224', 'DTEND:20261225'], 'X on Thursday 24 December 2026.'],
    [
      'days, of which the one behind the last is named',
      ['DTSTART:20261224', 'DTEND:20261227'],
      'X on Thursday 24 December 2026 until Saturday 26 December 2026.',
    ],
    ['a time', ['DTSTART:20261224T090500'], 'X on Thursday 24 December 2026 at 09:05.'],
    ['a time in UTC', ['DTSTART:20261224T090500Z'], 'X on Thursday 24 December 2026 at 09:05 UTC.'],
    [
      'a time in a zone',
      ['DTSTART;VALUE=DATE-TIME;TZID="Europe/Oslo";X=1:20261224T090500'],
      'X on Thursday 24 December 2026 at 09:05 (Europe/Oslo).',
    ],
    [
      'until later that day',
      ['DTSTART:20261224T090500', 'DTEND:20261224T101000'],
      'X on Thursday 24 December 2026 at 09:05 until 10:10.',
    ],
    [
      'until another day',
      ['DTSTART:20261224T230000', 'DTEND:20261225T010000'],
      'X on Thursday 24 December 2026 at 23:00 until Friday 25 December 2026 at 01:00.',
    ],
    ['an end that is none', ['DTSTART:20261224', 'DTEND:soon'], 'X on Thursday 24 December 2026.'],
    ['an end without a beginning', ['DTEND:20261224'], 'X.'],
    ['a task', ['DUE:20261224'], 'X on Thursday 24 December 2026.'],
    ['a beginning that is none, with an end', ['DTSTART:soon', 'DTEND:20261224'], 'X on soon.'],
    ['a place', ['LOCATION: Pier\\; 7 '], 'X, at Pier; 7.'],
    ['a rule', ['RRULE:FREQ=WEEKLY;BYDAY=TU,WE'], 'X.\nRepeats: freq weekly, byday tu,we.'],
    ['words', ['DESCRIPTION: a\\,b\\nc\\Nd\\\\ '], 'X.\na,b\nc\nd\\'],
    ['small letters', ['location:Pier'], 'X, at Pier.'],
    ['a line that goes on, twice', ['LOCATION:Pi', ' er', '\t 7'], 'X, at Pier 7.'],
    ['a colon in a parameter', ['LOCATION;ALTREP="http://a:1/b";L=en:Pier'], 'X, at Pier.'],
    ['what is no property', ['nonsense', '7:x', 'LOCATION:Pier'], 'X, at Pier.'],
  ])('says %s', (_what, lines, expected) => {
    expect(said(...event('SUMMARY:X', ...lines))).toEqual([expected]);
  });

  test('events, tasks and notes are told apart by their lines; what is not ended is left out', () => {
    const lines = [
      ...['\uFEFFBEGIN:VCALENDAR', 'SUMMARY:none', 'begin:vtodo ', 'SUMMARY:Paint', 'end:vtodo'],
      ...['BEGIN:VJOURNAL', 'SUMMARY:', 'END:VJOURNAL', 'END:VEVENT', 'BEGIN:VEVENT', 'SUMMARY:never'],
    ];
    for (const end of ['\n', '\r', '\r\n'])
      expect(readIcs(lines.join(end))).toEqual({
        blocks: [text('Paint.', [3, 5]), text('Event without a title.', [6, 8])],
      });
  });

  test('an alarm says nothing of its event, and what comes after it does', () => {
    const alarm = ['BEGIN:VALARM', 'SUMMARY:Beep', 'END:VALARM'];
    expect(said(...event(...alarm, 'SUMMARY:X', ' yz', ...alarm, 'LOCATION:Pier'))).toEqual(['Xyz, at Pier.']);
  });

  test('other text is no calendar', () => {
    expect(readIcs('\n \nBEGIN:VCALENDAR\n')).toEqual({ blocks: [] });
    for (const source of ['', 'x\nBEGIN:VCALENDAR', ' BEGIN:VCALENDAR'])
      expect(() => readIcs(source)).toThrow(new Unreadable('not a calendar'));
  });
});

describe('mail', () => {
  const mail = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'));
  const at = (place: string, subject: string, ...texts: readonly string[]) => [
    { kind: 'heading', level: 1, text: subject, place },
    ...texts.map((said) => ({ kind: 'text', text: said, place })),
  ];

  test('a message is its subject, who wrote to whom and when, its paragraphs and what is attached', async () => {
    const message = mail(
      ...['From: Ada <ada@example.org>', 'To: Bo <bo@example.org>, cy@example.org', 'Subject:  Pier '],
      ...[
        'Date: Tue, 24 Nov 2026 10:00:00 +0000',
        'Message-ID: <m1@x>',
        'Content-Type: multipart/mixed; boundary=b',
        '',
      ],
      ...[
        '--b',
        'Content-Type: text/plain',
        '',
        'Yes.',
        ' ',
        'At noon: ',
        'Then home.',
        'On Monday Bo wrote:',
        '> when?',
      ],
      ...['> really?', 'End', '--b', 'Content-Type: text/csv; name=a.csv'],
      ...['Content-Disposition: attachment; filename=a.csv', '', '1,2', '--b', 'Content-Type: image/png'],
      ...[
        'Content-Disposition: attachment; filename=b.png',
        '',
        'x',
        '--b',
        'Content-Type: image/png',
        '',
        'y',
        '--b--',
      ],
    );
    const head = 'From: Ada <ada@example.org>\nTo: Bo <bo@example.org>, cy@example.org\nDate: 2026-11-24T10:00:00.000Z';
    expect(await readEml(message)).toEqual({
      title: 'Pier',
      blocks: at('message <m1@x>', 'Pier', head, 'Yes.', 'At noon: \nThen home.\nEnd', 'Attached: a.csv, b.png'),
    });
  });

  test('a message without a subject and with a page for a text is read, too', async () => {
    const message = mail(
      'From: ada@example.org',
      'Content-Type: text/html',
      '',
      '<p>One</p><table><tr><td>x</table><p>Two',
    );
    expect(await readEml(message)).toEqual({
      title: 'No subject',
      blocks: at('message 1', 'No subject', 'From: ada@example.org', 'One', 'Two'),
    });
    expect(await readEml(mail('Subject:', '', ' ', ''))).toEqual({
      title: 'No subject',
      blocks: at('message 1', 'No subject'),
    });
  });

  test('the messages of a mailbox are counted, with their own lines that begin with From', async () => {
    const box = [
      'From ada Tue Nov 24\nSubject: One\n\n>From the pier.\n>>From far.\nFrome\n\n',
      'From bo\nSubject: Two\nMessage-ID: <m2@x>\n\nNo\n',
    ].join('');
    expect(await readMbox(Buffer.from(box))).toEqual({
      blocks: [...at('message 1', 'One', 'From the pier.\nFrome'), ...at('message <m2@x>', 'Two', 'No')],
    });
    await expect(readMbox(Buffer.from(' From x\n'))).rejects.toThrow(new Unreadable('not a mailbox'));
  });
});

describe('a table', () => {
  test.each([
    ['commas', 'a,b;c\n1,2;3\n'],
    ['semicolons', 'a;b,c;d\n1;2,3;4\n'],
    ['tabs', 'a\tb,c\td\n1\t2,3\t4\n'],
    ['bars', 'a|b,c|d\n1|2,3|4\n'],
  ])('of %s', (_what, source) => {
    const sign = /[,;\t|]/u.exec(source)?.[0] ?? '';
    const [head = '', row = ''] = source.split('\n').map((line) => line.split(sign).join(' | '));
    const rows = [{ text: row, line: 2, number: 2 }];
    expect(readCsv(source)).toEqual({ blocks: [{ kind: 'table', header: head, rows, lines: [1, 2] }] });
  });

  test('cells may be quoted and have several lines, rows may be shorter; the lines are those of the file', () => {
    const source = '\uFEFFname,note\n"Ada"," two\n  lines "\n\nBo\nCy,a "b" c,more';
    const row = (said: string, line: number, number: number) => ({ text: said, line, number });
    expect(readCsv(source)).toEqual({
      blocks: [
        {
          ...{ kind: 'table', header: 'name | note', lines: [1, 6] },
          rows: [row('Ada | two lines', 3, 2), row('Bo', 5, 3), row('Cy | a "b" c | more', 6, 4)],
        },
      ],
    });
    expect(readCsv('only,this')).toMatchObject({ blocks: [{ header: 'only | this', rows: [], lines: [1, 1] }] });
    expect(readCsv('\n\n')).toEqual({ blocks: [] });
  });

  test('one that is never ended is broken', () => {
    expect(() => readCsv('a,b\n"c')).toThrow(new Unreadable('broken table'));
  });
});

describe('data', () => {
  const block = (said: string, place?: string) => ({ kind: 'text', text: said, ...(place && { place }) });

  test.each([
    [
      'an object',
      { name: 'hut', empty: '', none: null, on: false, deep: { a: 1, list: [1, 'x'] } },
      [
        block('name: hut', 'name'),
        block('', 'empty'),
        block('', 'none'),
        block('on: false', 'on'),
        block('deep.a: 1\ndeep.list: 1, x', 'deep'),
      ],
    ],
    [
      'its lists',
      { tags: ['a', { b: [{ c: 1 }, [2, 3]] }] },
      [block('tags: a', 'tags, item 1'), block('tags.b[1].c: 1\ntags.b[2]: 2, 3', 'tags, item 2')],
    ],
    [
      'a list',
      [{ a: 1 }, 'two', null, ['x', 'y'], [{ b: 3 }]],
      [
        block('a: 1', 'item 1'),
        block('two', 'item 2'),
        block('', 'item 3'),
        block('x, y', 'item 4'),
        block('[1].b: 3', 'item 5'),
      ],
    ],
    ['a value', 7, [block('7')]],
  ])('%s is read with the path of each value', (_what, value, blocks) => {
    expect(readJson(`\uFEFF${JSON.stringify(value)}`)).toEqual({ blocks });
  });

  test('records are read line by line; lines that are none are counted', () => {
    expect(readJsonl('{"a":1}\r\n\n{"b":[1,2]}\nx\n[3,4]\n{"c":{}}\n{')).toEqual({
      blocks: [text('a: 1', [1, 1]), text('b: 1, 2', [3, 3]), text('3, 4', [5, 5]), text('', [6, 6])],
      note: '2 lines are not JSON',
    });
    expect(readJsonl('{"a":1}')).toEqual({ blocks: [text('a: 1', [1, 1])] });
    expect(readJsonl(' \n')).toEqual({ blocks: [] });
    expect(() => readJsonl('x\ny')).toThrow(new Unreadable('no line of it is JSON'));
    expect(() => readJson('{')).toThrow(new Unreadable('broken JSON'));
  });
});

test('code is cut at its definitions, each piece below the first one it has', async () => {
  const filler = (n: number) => `  x${n} = 1\n`.repeat(110);
  const source = `import os\n${filler(1)}\ndef strike(hour):\n${filler(2)}\nclass Clock(Base):\n${filler(3)}`;
  const { title, blocks } = await readCode(source, 'src/clock.py');
  expect(title).toBe('clock.py');
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([
    heading('lines 1-111', [1, 1]),
    heading('def strike', [113, 113]),
    heading('class Clock', [225, 225]),
  ]);
  expect(blocks.filter(({ kind }) => kind === 'code').map(({ lines }) => lines)).toEqual([
    [1, 111],
    [113, 223],
    [225, 335],
  ]);
  const later = await readCode('x = 1\n', 'a.PY', 40);
  expect(later.blocks[0]).toEqual(heading('lines 40-40', [1, 1]));
  expect((await readCode('echo 1\n', 'a.sh')).blocks).toEqual([
    heading('lines 1-1', [1, 1]),
    { kind: 'code', text: 'echo 1', lines: [1, 1] },
  ]);
});

describe('bytes', () => {
  test.each([
    ['UTF-8', Buffer.from('Tür'), 'Tür'],
    ['UTF-16, low byte first', Buffer.from('\ufeffTür', 'utf16le'), 'Tür'],
    ['UTF-16, high byte first', Buffer.from('\ufeffTür', 'utf16le').swap16(), 'Tür'],
    ['Windows', Buffer.from([0x54, 0xfc, 0x72, 0x20, 0x80]), 'Tür €'],
    ['one byte of a mark', Buffer.from([0xff]), 'ÿ'],
    ['the other byte of a mark', Buffer.from([0xfe, 0x61]), 'þa'],
    ['a mark turned round within', Buffer.from([0x61, 0xfe]), 'aþ'],
    ['a control character in a hundred', Buffer.from(`${'é'.repeat(99)}\u0001`, 'latin1'), `${'é'.repeat(99)}\u0001`],
    ['a zero behind what is looked at', Buffer.from(`${'a'.repeat(8192)}\0`), `${'a'.repeat(8192)}\0`],
  ])('of text: %s', (_what, bytes, expected) => expect(decode(bytes)).toBe(expected));

  test.each([
    ['a zero', Buffer.from('a\0b')],
    ['a zero at the end of what is looked at', Buffer.from(`${'a'.repeat(8191)}\0`)],
    ['two control characters in a hundred', Buffer.from(`${'é'.repeat(98)}\u0001\u001f`, 'latin1')],
    ['many of them behind a long text', Buffer.from(`${'é'.repeat(8000)}${'\u0002'.repeat(192)}aaaa`, 'latin1')],
  ])('of no text: %s', (_what, bytes) => {
    expect(() => decode(bytes)).toThrow(new Unreadable('binary file', 'unsupported'));
  });
});

test.each([
  ['a.MD', 'markdown', false],
  ['a.tar.gz', undefined, false],
  ['notes', undefined, false],
  ['a.htm', 'html', true],
  ['a.eml', 'eml', true],
  ['a.mbox', 'mbox', true],
  ['a.py', 'code', false],
])('%s is %s, from outside: %s', (path, kind, isOutside) => {
  expect([kindOf(path), isFromOutside(path)]).toEqual([kind, isOutside]);
});

describe('plain text', () => {
  test('is paragraphs with their lines; a short first line by itself is the title', () => {
    expect(readText('\uFEFF To all \r\n\r\none\rtwo\n \n\nthree')).toEqual({
      title: 'To all',
      blocks: [heading('To all', [1, 1]), text('one\ntwo', [3, 4]), text('three', [7, 7])],
    });
  });

  test.each([
    ['a line alone', 'To all\n\n \n'],
    ['a line right above others', 'To all\nmore\n\nend'],
    ['no line', '\n\nend'],
    ['a line that is too long', `${'x'.repeat(121)}\n\nend`],
  ])('%s is no title', (_what, source) => expect(readText(source).title).toBeUndefined());

  test('a line of 120 characters is a title, in a later part of a file none is', () => {
    const source = `${'x'.repeat(120)}\n\nend`;
    expect(readText(source).title).toHaveLength(120);
    expect(readText(source, 'a.txt', 7)).toEqual({
      title: undefined,
      blocks: [text('x'.repeat(120), [1, 1]), text('end', [3, 3])],
    });
  });
});

test('a later part of a file is read with the lines of the whole', async () => {
  expect((await read(Buffer.from('one\n\ntwo'), 'a.txt', 11)).blocks).toEqual([
    text('one', [11, 11]),
    text('two', [13, 13]),
  ]);
  const table = '| a |\n|---|\n| 1 |\n';
  expect((await read(Buffer.from(table), 'a.md', 11)).blocks).toEqual([
    { kind: 'table', header: '| a |', rows: [{ text: '| 1 |', line: 13, number: 1 }], lines: [11, 13] },
  ]);
  expect((await read(Buffer.from(table), 'a.md', 1)).blocks).toMatchObject([{ lines: [1, 3] }]);
  expect((await read(Buffer.from('x = 1'), 'a.py', 11)).blocks).toMatchObject([
    { text: 'lines 11-11', lines: [11, 11] },
    { lines: [11, 11] },
  ]);
  expect(await read(Buffer.from(''), 'a.txt', 11)).toEqual({ blocks: [] });
});
