import { expect, test } from 'vitest';
import { changeDiff } from './change-diff.ts';

const read = async (path: string) => (path === 'plan.txt' ? 'one\ntwo\nthree\nfour\n' : undefined);

test.each([
  ['an edit', { path: 'x', old: 'a\nb', new: 'a\nc' }, ['      a', '    - b', '    + c']],
  ['a new file', { path: 'new.txt', content: 'hello\n' }, ['    + hello']],
  [
    'another text',
    { path: 'plan.txt', content: 'one\ntwo\n3\nfour\n' },
    ['      one', '      two', '    - three', '    + 3', '      four'],
  ],
  ['the same text', { path: 'plan.txt', content: 'one\ntwo\nthree\nfour\n' }, ['    (nothing changes)']],
  ['hidden characters', { path: 'new.txt', content: 'a\u202eb\u001b[2J' }, ['    + a<U+202E>b<U+001B>[2J']],
  ['no file', { text: 'hello' }, []],
])('%s', async (_name, input, lines) => {
  expect(await changeDiff(input, read)).toEqual(lines);
});

test('a long change is cut, and says so', async () => {
  const lines = await changeDiff({ path: 'new.txt', content: 'x\n'.repeat(100) }, read);
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toBe('    … 60 more lines');
});
