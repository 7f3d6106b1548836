import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { hasParts, newlines, textParts } from './text-parts.ts';

async function parts(name: string, content: string | Uint8Array, size: number) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  const found: (readonly [string, number | undefined])[] = [];
  for await (const { bytes, from } of textParts(path, size)) found.push([bytes.toString(), from]);
  return found;
}

test.each([
  ['a.txt', true],
  ['a.md', true],
  ['a.py', true],
  ['a.jsonl', true],
  ['notes', true],
  ['a.csv', false],
  ['a.json', false],
  ['a.html', false],
  ['a.pdf', false],
])('%s can be read in parts: %s', (name, expected) => expect(hasParts(name)).toBe(expected));

test('line ends are counted', () => {
  expect(['', 'a', 'a\n', '\na\n\n'].map((text) => newlines(Buffer.from(text)))).toEqual([0, 0, 1, 3]);
});

test.each<[string, string, string, number, readonly (readonly [string, number | undefined])[]]>([
  ['a file that fits is one part', 'a.txt', 'one\ntwo', 8, [['one\ntwo', undefined]]],
  ['an empty one is none', 'a.txt', '', 8, []],
  [
    'before a heading',
    'a.md',
    'aaaa\nbb\n# C\nd',
    12,
    [
      ['aaaa\nbb\n', undefined],
      ['# C\nd', 3],
    ],
  ],
  [
    'a heading is none in plain text',
    'a.txt',
    'aaaa\nbb\n#CCC\nd',
    12,
    [
      ['aaaa\nbb\n', undefined],
      ['#CCC\nd', 3],
    ],
  ],
  [
    'behind a paragraph',
    'a.txt',
    'aaaaaa\n\nb\nc\nd',
    12,
    [
      ['aaaaaa\n\n', undefined],
      ['b\nc\nd', 3],
    ],
  ],
  [
    'behind a line',
    'a.txt',
    'a\n\naaaa\nbbbbbb',
    12,
    [
      ['a\n\naaaa\n', undefined],
      ['bbbbbb', 4],
    ],
  ],
  [
    'behind a space',
    'a.txt',
    'a\naaaaaa bbbbbbbb',
    12,
    [
      ['a\naaaaaa ', undefined],
      ['bbbbbbbb', 2],
    ],
  ],
  [
    'anywhere in what is one word',
    'a.txt',
    'abcdefghijkl',
    8,
    [
      ['abcdefgh', undefined],
      ['ijkl', 1],
    ],
  ],
])('a text is cut %s', async (_where, name, text, size, expected) => {
  expect(await parts(name, text, size)).toEqual(expected);
});

test.each([8, 9, 10])('no character is cut in two by parts of %i bytes', async (size) => {
  const text = 'abcdeé€🙂éa€€🙂';
  const found = (await parts('a.txt', text, size)).map(([part]) => part);
  expect(found.join('')).toBe(text);
  expect(found.every((part) => Buffer.byteLength(part) <= size && part !== '')).toBe(true);
});

test('code that is cut is opened again in the next part, until it ends or a note begins', async () => {
  const code = '```sh\none two\nthree f\n```\nend of it\n';
  expect(await parts('a.md', code, 16)).toEqual([
    ['```sh\none two\n', undefined],
    ['```\nthree f\n```\n', 2],
    ['end of it\n', 5],
  ]);
  const note = '~~~\nopen open op\n## 2026-01-01 10:00\nnote note note\nmore of the note\n';
  expect((await parts('a.md', note, 30)).map(([part]) => part)).toEqual([
    '~~~\nopen open op\n',
    '## 2026-01-01 10:00\n',
    'note note note\nmore of the ',
    'note\n',
  ]);
  // Plain text has no code.
  expect((await parts('a.txt', code, 16)).map(([part]) => part).join('')).toBe(code);
});
