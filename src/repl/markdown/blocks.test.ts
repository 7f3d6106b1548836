import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { lexed, splitBlocks } from './blocks.ts';

const BLOCKS = [
  'A paragraph.\nWith two lines.',
  '# Heading',
  '- one\n- two\n\n  more of two',
  '```js\nconst a = 1;\n\nconst b = 2;\n```',
  '| a | b |\n|--|--|\n| 1 | 2 |',
  '> quoted\n> words',
  '1. first\n2. second',
  '***',
];

test.each([1, 2, 3, 5, 17])('in pieces of %i characters, the blocks are those of the whole text', (size) => {
  const text = [...BLOCKS, ...BLOCKS.toReversed()].join('\n\n');
  const seen: string[] = [];
  let source = '';
  for (let at = 0; at < text.length; at += size) {
    const { finished, rest } = splitBlocks(lexer, source + text.slice(at, at + size));
    seen.push(...finished.map(({ raw }) => raw));
    source = rest;
  }
  seen.push(...lexed(lexer, source).map(({ raw }) => raw));
  const blocks = (raws: readonly string[]) => raws.map((raw) => raw.trim()).filter(Boolean);
  expect(blocks(seen)).toEqual(blocks(lexer(text).map(({ raw }) => raw)));
});
