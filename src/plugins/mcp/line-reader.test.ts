import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineReader, MAX_LINE_BYTES } from './line-reader.ts';

const TOO_LONG = 'too long';

/** A clock that only tests move. */
let nowMs = 1000;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs));
afterEach(() => vi.restoreAllMocks());

/** A stream that the test feeds by hand, and what has been read from it. */
function open(each: (line: string, reader: LineReader) => void = () => {}) {
  const held: string[] = [];
  const stream = Object.assign(new EventEmitter(), {
    pause: () => void held.push('pause'),
    resume: () => void held.push('resume'),
  });
  const lines: string[] = [];
  const reader: LineReader = new LineReader(stream as unknown as NodeJS.ReadableStream, {
    line(line) {
      lines.push(line.toString('utf8'));
      each(line.toString('utf8'), reader);
    },
    tooLong: () => lines.push(TOO_LONG),
  });
  return { reader, lines, held, arrive: (part: string) => stream.emit('data', Buffer.from(part, 'latin1')) };
}

/** Lines with consecutive numbers from this one on. */
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `${from + index}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

test.each<[what: string, parts: readonly string[], lines: readonly string[]]>([
  ['lines of one part', ['one\ntwo\n'], ['one', 'two']],
  ['a line in three parts', ['o', 'n', 'e\n'], ['one']],
  ['the end of one and the beginning of another', ['one\ntw', 'o\nthree\n'], ['one', 'two', 'three']],
  ['a character in two parts', ['\xc3', '\xa9\n'], ['é']],
  ['empty lines are none', ['\n\none\n\n', '\n'], ['one']],
  ['what has no end yet waits', ['one\ntwo'], ['one']],
  ['an end of its own', ['one', '\n', 'two', '\n'], ['one', 'two']],
  ['a carriage return is part of a line', ['one\r\n'], ['one\r']],
])('%s', (_what, parts, lines) => {
  const { arrive, lines: read, held } = open();
  for (const part of parts) arrive(part);
  expect(read).toEqual(lines);
  expect(held).toEqual([]);
});

test('twenty lines are handed on at a time, and the stream waits until all of them are', async () => {
  const { arrive, lines, held } = open();
  arrive(text(numbered(45)));
  expect(lines).toEqual(numbered(20));
  expect(held).toEqual(['pause']);
  arrive(text(numbered(5, 46)));
  expect(lines).toHaveLength(20);
  await turn();
  expect(lines).toEqual(numbered(40));
  expect(held).toEqual(['pause', 'pause']);
  await turn();
  expect(lines).toEqual(numbered(50));
  expect(held).toEqual(['pause', 'pause', 'resume']);
  arrive(text(numbered(19, 51)));
  expect(lines).toEqual(numbered(69));
  expect(held).toHaveLength(3);
});

test('twenty lines of many parts are as many as of one', async () => {
  const { arrive, lines, held } = open();
  arrive(text(numbered(20)));
  for (const line of numbered(30, 21)) arrive(text([line]));
  expect(lines).toHaveLength(20);
  await turn();
  expect(lines).toHaveLength(40);
  await turn();
  expect(lines).toEqual(numbered(50));
  expect(held).toEqual(['pause', 'pause', 'resume']);
});

test.each([
  ['4 ms', 4, 3],
  ['5 ms', 5, 2],
  ['9 ms', 9, 1],
])('lines that take %s each get eight milliseconds before others get their turn', async (_what, lineMs, atOnce) => {
  const { arrive, lines } = open(() => {
    nowMs += lineMs;
  });
  arrive(text(numbered(6)));
  expect(lines).toHaveLength(atOnce);
  await turn();
  expect(lines).toHaveLength(2 * atOnce);
});

test('a line may have four million bytes', () => {
  const { arrive, lines } = open();
  const half = 'x'.repeat(MAX_LINE_BYTES / 2);
  arrive(half);
  arrive(`${half}\nsecond\n`);
  expect(lines.map(({ length }) => length)).toEqual([4_000_000, 6]);
});

test.each([
  ['in one part', ['x'.repeat(MAX_LINE_BYTES + 1)]],
  ['in two parts', ['x'.repeat(MAX_LINE_BYTES), 'x']],
  ['with its end and another line', [`${'x'.repeat(MAX_LINE_BYTES + 1)}\nnext\n`]],
  ['with its end in another part', ['x'.repeat(MAX_LINE_BYTES), 'x\nnext\n']],
])('one byte more is too long, %s, and nothing is read after it', async (_what, parts) => {
  const { arrive, lines } = open();
  arrive('first\n');
  for (const part of [...parts, 'x\nlater\n']) arrive(part);
  await turn();
  expect(lines).toEqual(['first', TOO_LONG]);
});

test('lines of four million bytes each are none that is too long', () => {
  const { arrive, lines } = open();
  const line = `${'x'.repeat(MAX_LINE_BYTES)}\n`;
  arrive(line);
  arrive(line);
  expect(lines.map(({ length }) => length)).toEqual([MAX_LINE_BYTES, MAX_LINE_BYTES]);
});

test('after it was stopped nothing is handed on, whatever has arrived or does', async () => {
  const { arrive, lines, held } = open((line, reader) => {
    if (line === '2') reader.stop();
  });
  arrive(`${text(numbered(9))}${'x'.repeat(MAX_LINE_BYTES + 1)}`);
  arrive(text(numbered(3, 10)));
  await turn();
  expect(lines).toEqual(['1', '2']);
  expect(held).toEqual([]);
});

test('stopped while the stream waits, it lets go of what has arrived', async () => {
  const { arrive, lines, reader } = open();
  arrive(text(numbered(30)));
  reader.stop();
  await turn();
  expect(lines).toEqual(numbered(20));
});
