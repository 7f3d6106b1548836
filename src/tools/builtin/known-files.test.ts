import { expect, test } from 'vitest';
import { testTurn } from '../../testing/agent.ts';
import { KnownFiles } from './known-files.ts';

const turn = testTurn('change it');
const HINT = 'Call read_file for it first and keep what must stay, or change a part of it with edit_file.';
const UNREAD = 'it exists and you have not read it since the program started';
const CHANGED = 'it was changed since you read it';

/** Why `a.md` with the text `old` may not become `new`; undefined: it may. */
function why(
  known: KnownFiles,
  { by = turn, path = 'a.md', before = 'old', content = 'new' } = {},
): string | undefined {
  try {
    known.mayReplace({ turn: by, path, content }, before);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'path_refused', hint: HINT });
    const { message } = error as Error;
    expect(message).toMatch(new RegExp(`^${path} was not written: .*\\. ${HINT}$`, 'u'));
    return message.slice(`${path} was not written: `.length, -` ${HINT}`.length - 1);
  }
}

test('a file is replaced only by who has read it as it is', () => {
  const known = new KnownFiles();
  expect(why(known)).toBe(UNREAD);
  known.saw(turn, 'a.md', 'older');
  expect(why(known)).toBe(CHANGED);
  known.saw(turn, 'a.md', 'old');
  expect(why(known)).toBeUndefined();
  expect(why(known, { path: './x/../a.md' })).toBeUndefined();
  expect(why(known, { path: 'b.md' })).toBe(UNREAD);
  expect(why(known, { by: testTurn('x', { conversationId: 'conv_2' }) })).toBe(UNREAD);
  expect(why(known, { by: testTurn('x', { project: 'garden' }) })).toBe(UNREAD);
});

test.each([
  ['that is empty', { before: ' \n' }],
  ['that stays as it is', { content: 'old' }],
])('a file %s may be written by anybody', (_, about) => {
  expect(why(new KnownFiles(), about)).toBeUndefined();
});

test('what the person dictated word for word is written without a look, that alone', () => {
  const by = testTurn('write milk and eggs to shop.txt');
  const said = { by, path: 'shop.txt', content: 'milk and eggs\n' };
  expect(why(new KnownFiles(), said)).toBeUndefined();
  expect(why(new KnownFiles(), { ...said, content: 'milk' })).toBe(UNREAD);
  expect(why(new KnownFiles(), { ...said, path: 'other.txt' })).toBe(UNREAD);
});

test('who changed a part of what they knew knows the whole, nobody else', () => {
  const known = new KnownFiles();
  known.edited(turn, 'a.md', { before: 'older', after: 'old' });
  expect(why(known)).toBe(UNREAD);
  known.saw(turn, 'a.md', 'older');
  known.edited(turn, 'a.md', { before: 'other', after: 'old' });
  expect(why(known)).toBe(CHANGED);
  known.edited(turn, 'a.md', { before: 'older', after: 'old' });
  expect(why(known)).toBeUndefined();
});

test('a file that was moved is known under its new name, if it was known', () => {
  const known = new KnownFiles();
  known.moved(turn, { from: 'b.md', to: 'a.md' });
  expect(why(known)).toBe(UNREAD);
  known.saw(turn, 'b.md', 'old');
  known.moved(turn, { from: 'b.md', to: 'a.md' });
  expect(why(known)).toBeUndefined();
});

test('two thousand files are remembered; the one looked at longest ago is forgotten first', () => {
  const known = new KnownFiles();
  known.saw(turn, 'a.md', 'old');
  known.saw(turn, 'b.md', 'old');
  for (let nth = 0; nth < 1998; nth++) known.saw(turn, `${nth}.md`, 'x');
  expect([why(known), why(known, { path: 'b.md' })]).toEqual([undefined, undefined]);
  // Looked at again, the other one is the oldest.
  known.saw(turn, 'a.md', 'old');
  known.saw(turn, 'one-more.md', 'x');
  expect([why(known), why(known, { path: 'b.md' })]).toEqual([undefined, UNREAD]);
});
