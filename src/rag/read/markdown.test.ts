import { expect, test } from 'vitest';
import { growth, repeated } from '../../testing/hostile-shapes.ts';
import { readMarkdown } from './markdown.ts';
import type { Block } from './parsed.ts';

/** Each block as `kind lines text`. */
function shown(source: string): string[] {
  return readMarkdown(source).blocks.map(
    (block) => `${block.kind} ${block.lines?.join('-')} ${JSON.stringify('text' in block ? block.text : block.header)}`,
  );
}

test.each<[name: string, source: string, expected: readonly string[]]>([
  ['headings of both forms', '# A *b*\n\nTwo\n---\nx', ['heading 1-1 "A b"', 'heading 3-4 "Two"', 'text 5-5 "x"']],
  [
    'a dash below a paragraph is no underline',
    'one\n-\n\none\ntwo\n---\n',
    ['text 1-2 "one\\n-"', 'text 4-6 "one\\ntwo\\n---"'],
  ],
  [
    'a list stays with its introduction',
    'Buy:\n- milk\n- eggs\n\nLater.',
    ['text 1-3 "Buy:\\n- milk\\n- eggs"', 'text 5-5 "Later."'],
  ],
  [
    'items with blank lines and nested ones are one list',
    '1. a\n\n   more\n   - b\n2. c\n',
    ['text 1-5 "1. a\\n\\n   more\\n   - b\\n2. c"'],
  ],
  [
    'code keeps its fence and is searched for no headings',
    'a\n```sh\n# no\n\nb\n```\nc',
    ['text 1-1 "a"', 'code 2-6 "```sh\\n# no\\n\\nb\\n```"', 'text 7-7 "c"'],
  ],
  ['an unclosed fence reaches to the end', '~~~\n# no\n', ['code 1-2 "~~~\\n# no"']],
  [
    'code in an item is no block of its own',
    '- a\n\n  ```\n  # no\n  ```\n# yes',
    ['text 1-5 "- a\\n\\n  ```\\n  # no\\n  ```"', 'heading 6-6 "yes"'],
  ],
  ['a heading in a comment is none', '<!--\n# no\n-->\n\n# yes', ['text 1-3 "<!--\\n# no\\n-->"', 'heading 5-5 "yes"']],
  ['a heading in a quote is none', '> # no\nlazy\n\n# yes', ['text 1-2 "> # no\\nlazy"', 'heading 4-4 "yes"']],
  ['front matter is left out and counts as lines', '---\ntitle: T\n---\n\n# A', ['heading 5-5 "A"']],
  ['a rule ends a paragraph and is no text', 'a\n***\nb', ['text 1-1 "a"', 'text 3-3 "b"']],
  ['Windows and old Mac line ends count once', '# A\r\n\r\nb\rc', ['heading 1-1 "A"', 'text 3-4 "b\\nc"']],
])('%s', (_name, source, expected) => {
  expect(shown(source)).toEqual(expected);
});

test('rows of a table have their own lines, also right below a paragraph', () => {
  const [text, table] = readMarkdown('Beds\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n').blocks;
  expect(text).toMatchObject({ kind: 'text', lines: [1, 1] });
  const rows = [
    { text: '| 1 | 2 |', line: 4, number: 1 },
    { text: '| 3 | 4 |', line: 5, number: 2 },
  ];
  expect(table).toEqual({ kind: 'table', header: '| a | b |', rows, lines: [2, 5] } satisfies Block);
});

test('the title is that of the front matter, else a heading at the beginning', () => {
  expect(readMarkdown('---\ntitle: "Garden"\n---\n# Other').title).toBe('Garden');
  expect(readMarkdown('# First\n\n# Second').title).toBe('First');
  expect(readMarkdown('text\n\n# First').title).toBeUndefined();
});

const MEGABYTE = 1_000_000;
const filled = (unit: string) => (chars: number) => repeated(unit, chars);

test.each([
  ['quotes in quotes', filled('>')],
  ['lazy lines in quotes', filled('> a\nb\n')],
  ['items in items', (chars: number) => `${repeated('- ', chars)}a`],
  ['lines below one item', (chars: number) => `- a\n${repeated('b\n', chars)}`],
  ['stars', (chars: number) => `${repeated('*', chars)}a`],
  ['brackets', filled('[')],
  ['a heading of brackets', (chars: number) => `# ${repeated('[a](', chars)}`],
  ['open tags', filled('<a\n\n')],
  ['tables', filled('a|b\n-|-\n')],
])('a megabyte of %s is read in time that grows with its length', (_name, textOf) => {
  expect(readMarkdown(textOf(MEGABYTE)).blocks.length).toBeGreaterThan(0);
  expect(growth(readMarkdown, textOf, MEGABYTE)).toBeLessThan(25);
});
