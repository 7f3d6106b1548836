import { describe, expect, test } from 'vitest';
import { Chunker, chunk, countWords, searchableText } from './chunk.ts';
import type { Block, TableRow } from './parsed.ts';

const words = (count: number, name = 'w') => Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');
const text = (said: string, more: object = {}): Block => ({ kind: 'text', text: said, ...more });
const heading = (level: number, said: string, more: object = {}): Block => ({
  ...{ kind: 'heading', level, text: said },
  ...more,
});
const cut = (limit: number, ...blocks: readonly Block[]) => chunk({ blocks }, { words: limit });
const texts = (limit: number, ...blocks: readonly Block[]) => cut(limit, ...blocks).map((each) => each.text);

test.each([
  ['none', '', 0],
  ['words', ' one  two\nthree ', 3],
  ['a word of 40 characters', 'x'.repeat(40), 1],
  ['one of 41', 'x'.repeat(41), 2],
  ['two characters of a script without spaces', '船は', 1],
  ['three of them', '船は毎', 2],
])('counted is %s', (_what, said, count) => expect(countWords(said)).toBe(count));

test.each([
  ['Title', ['A', 'B'], 'Title\nA\nB\ntext'],
  ['A', ['A', 'B'], 'A\nB\ntext'],
  [null, ['A'], 'A\ntext'],
  ['', [], 'text'],
  ['text', [], 'text'],
  ['Title', ['text'], 'Title\ntext'],
])('searched of a chunk titled %j below %j is %j', (title, path, expected) => {
  expect(searchableText({ text: 'text', heading: path }, title)).toBe(expected);
});

describe('paragraphs', () => {
  test('are joined up to the limit, and begin a chunk beyond it', () => {
    expect(texts(20, text(words(10)), text(words(10)))).toEqual([`${words(10)}\n\n${words(10)}`]);
    expect(texts(19, text(words(10)), text(words(10)))).toEqual([words(10), words(10)]);
  });

  test('of at most a quarter of the limit do not end a text alone', () => {
    expect(texts(20, text(words(20)), text(words(5)))).toEqual([`${words(20)}\n\n${words(5)}`]);
    expect(texts(20, text(words(20)), text(words(6)))).toEqual([words(20), words(6)]);
    expect(texts(20, text(words(5)))).toEqual([words(5)]);
  });

  test('of one page stay apart from those of the next', () => {
    expect(cut(50, text('one', { page: 1 }), text('two', { page: 1 }), text('three', { page: 2 }))).toEqual([
      { text: 'one\n\ntwo', heading: [], pages: [1, 1] },
      { text: 'three', heading: [], pages: [2, 2] },
    ]);
  });

  test.each([
    ['one place', ['slide 1', 'slide 1'], 'slide 1'],
    ['places by their numbers', ['row 4', 'row 12'], 'row 4-12'],
    ['places of two kinds', ['A, row 9', 'B, row 12'], 'A, row 9 to B, row 12'],
    ['places without numbers', ['name', 'sensors'], 'name to sensors'],
    ['a number and none', ['item 1', 'item'], 'item 1 to item'],
  ])('are cited by %s', (_what, places, place) => {
    expect(cut(50, ...places.map((each) => text('x', { place: each })))).toEqual([
      { text: places.map(() => 'x').join('\n\n'), heading: [], place },
    ]);
  });

  test('too long are cut by lines, each with its own', () => {
    const lines = [words(6, 'a'), words(6, 'b'), words(6, 'c')];
    expect(cut(12, text(lines.join('\n'), { lines: [3, 5] }))).toEqual([
      { text: `${lines[0]}\n${lines[1]}`, heading: [], lines: [3, 4] },
      { text: lines[2], heading: [], lines: [5, 5] },
    ]);
    // If the lines of the markup do not match the text, the whole page is cited.
    expect(cut(12, text(lines.join('\n'), { lines: [3, 7] })).map((each) => each.lines)).toEqual([
      [3, 7],
      [3, 7],
    ]);
    expect(cut(12, text(lines.join('\n'), { page: 2 })).map((each) => each.pages)).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  test('of one line are cut by sentences, with the space between them', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${words(6, name)}.`) as [string, string, string];
    expect(texts(12, text(`${a}  ${b} ${c}`))).toEqual([`${a} ${b}`, c]);
    expect(texts(7, text(`${a} ${b}\n${c}`))).toEqual([a, b, c]);
    expect(texts(6, text('一二三四五六。七八九十。'))).toEqual(['一二三四五六。七八九十。']);
    expect(texts(4, text('一二三四五六。七八九十一二。'))).toEqual(['一二三四五六。', '七八九十一二。']);
  });

  test('of one sentence are cut by words, and words by characters', () => {
    expect(texts(4, text(words(10)))).toEqual(['w0 w1 w2 w3', 'w4 w5 w6 w7', 'w8 w9']);
    expect(texts(4, text(words(8)))).toEqual(['w0 w1 w2 w3', 'w4 w5 w6 w7']);
    expect(texts(2, text(`a ${'x'.repeat(100)} b`))).toEqual([
      `a ${'x'.repeat(40)}`,
      `${'x'.repeat(40)}${'x'.repeat(20)}`,
      'b',
    ]);
    expect(texts(2, text(`${'x'.repeat(40)} ${'y'.repeat(40)} z`))).toEqual([
      `${'x'.repeat(40)} ${'y'.repeat(40)}`,
      'z',
    ]);
  });

  test('code is cut as they are', () => {
    expect(texts(4, { kind: 'code', text: 'a b c\nd e f' })).toEqual(['a b c', 'd e f']);
  });
});

describe('headings', () => {
  test('stand above what follows, until one of their level or a higher one', () => {
    const found = cut(
      50,
      ...[text('first'), heading(1, 'A'), text('a'), heading(3, 'B'), text('b'), heading(2, 'C'), text('c')],
      ...[heading(1, 'D'), text('d')],
    );
    expect(found.map((each) => [each.text, each.heading.join('/')])).toEqual([
      ['first', ''],
      ['a', 'A'],
      ['b', 'A/B'],
      ['c', 'A/C'],
      ['d', 'D'],
    ]);
  });

  test('with nothing below them but headings of their level are found by themselves', () => {
    const lines = (at: number) => ({ lines: [at, at] });
    expect(cut(50, heading(1, 'A', lines(1)), heading(2, 'B', lines(2)), heading(2, 'C', lines(3)), text('c'))).toEqual(
      [
        { text: 'B', heading: ['A', 'B'], lines: [2, 2] },
        { text: 'c', heading: ['A', 'C'] },
      ],
    );
    expect(cut(50, heading(2, 'B', lines(1)), heading(1, 'A', lines(2)))).toEqual([
      { text: 'B', heading: ['B'], lines: [1, 1] },
      { text: 'A', heading: ['A'], lines: [2, 2] },
    ]);
    expect(texts(50, heading(1, 'A'), heading(2, 'B'), text('b'))).toEqual(['b']);
  });
});

describe('tables', () => {
  const table = (header: string, rows: readonly TableRow[], more: object = {}): Block => ({
    ...{ kind: 'table', header, rows },
    ...more,
  });
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ text: `a${at} b${at}`, line: at + 5, number: at + 2 }));

  test('repeat their header in each chunk, which has its rows', () => {
    expect(cut(6, table('A B', rows(5), { place: 'Beds, row ' }))).toEqual([
      { text: 'A B\na0 b0\na1 b1', heading: [], lines: [5, 6], place: 'Beds, row 2-3' },
      { text: 'A B\na2 b2\na3 b3', heading: [], lines: [7, 8], place: 'Beds, row 4-5' },
      { text: 'A B\na4 b4', heading: [], lines: [9, 9], place: 'Beds, row 6' },
    ]);
  });

  test('without a header, lines or places have none', () => {
    const bare = rows(3).map(({ text: said, number }) => ({ text: said, number }));
    expect(cut(4, table('', bare))).toEqual([
      { text: 'a0 b0\na1 b1', heading: [] },
      { text: 'a2 b2', heading: [] },
    ]);
  });

  test('of a header only are that', () => {
    const [page, place] = [3, 'Beds'];
    expect(cut(50, text('before', { page }), table('A B', [], { lines: [4, 4], page, place }))).toEqual([
      { text: 'before\n\nA B', heading: [], lines: [4, 4], pages: [3, 3], place: 'Beds' },
    ]);
  });

  test('go on in the chunk of the text before them where there is room', () => {
    expect(texts(6, text('x y'), table('A', rows(2)))).toEqual(['x y\n\nA\na0 b0', 'A\na1 b1']);
    expect(texts(6, text(words(6)), table('A', rows(1)))).toEqual([words(6), 'A\na0 b0']);
    expect(texts(20, text(words(20)), table('A', rows(1)))).toEqual([words(20), 'A\na0 b0']);
  });
});

test('a document that arrives in parts is cut as one that is there as a whole', () => {
  const blocks = [
    ...[heading(1, 'A'), ...Array.from({ length: 9 }, (_, at) => text(words(4, `p${at}`)))],
    ...[heading(2, 'B'), ...Array.from({ length: 5 }, (_, at) => text(words(4, `q${at}`)))],
  ];
  const chunker = new Chunker({ words: 8 });
  const taken = blocks.map((block) => {
    chunker.add([block]);
    return chunker.take();
  });
  const all = [...taken.flat(), ...chunker.end()];
  expect(all).toEqual(cut(8, ...blocks));
  // Finished chunks are available early; the last two groups wait for what follows.
  expect(taken.map((chunks) => chunks.length)).toEqual([0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 2, 0, 0, 0, 0, 1]);
});

test('a later part stands below the headings that were open before it', () => {
  const chunker = new Chunker({ words: 8 }, [
    { level: 1, text: 'A' },
    { level: 2, text: 'B' },
  ]);
  chunker.add([text('b'), heading(2, 'C'), text('c')]);
  expect(chunker.end().map((each) => each.heading)).toEqual([
    ['A', 'B'],
    ['A', 'C'],
  ]);
});
