import { expect, test } from 'vitest';
import { codeBlocks } from './code-blocks.ts';

const blocksOf = (text: string) => codeBlocks(text).map(({ start, end }) => text.slice(start, end));

test.each([
  ['a fence', 'a\n```js\nb\n```\nc', ['```js\nb\n```']],
  ['two, the last one at the end of the text', '```\na\n```\n~~~\nb\n~~~', ['```\na\n```', '~~~\nb\n~~~']],
  ['a longer end', '```\na\n`````', ['```\na\n`````']],
  ['a shorter end, which is none', '````\na\n```\nb\n````', ['````\na\n```\nb\n````']],
  ['marks of the other kind, which are no end', '```\n~~~\n```', ['```\n~~~\n```']],
  ['an end with words behind it, which is none', '```\n``` js\n```', ['```\n``` js\n```']],
  ['an end with blanks behind it', '```\na\n``` \t\nb', ['```\na\n``` \t']],
  ['three blanks before it', '   ```\n   a\n   ```', ['   ```\n   a\n   ```']],
  ['empty lines inside', '  ```\n\n  a\n  ```', ['  ```\n\n  a\n  ```']],
])('%s', (_what, text, blocks) => expect(blocksOf(text)).toEqual(blocks));

test.each([
  ['never closed', '```\na'],
  ['indented by four blanks', '    ```\n    a\n    ```'],
  ['with its mark among its words, as in a line of text', '``` a`b\n```'],
  ['of two marks', '``\na\n``'],
  ['closed by the end of a list item', '  ```\na\n  x'],
  ['nothing', ''],
])('no block: %s', (_what, text) => expect(blocksOf(text)).toEqual([]));

test('a line that ends the list item may open the next block', () => {
  expect(blocksOf('  ```\n~~~\na\n~~~')).toEqual(['~~~\na\n~~~']);
});
