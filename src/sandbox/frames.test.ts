import { expect, test } from 'vitest';
import { encodeFrame, FrameReader } from './frames.ts';

const MESSAGES = ['[1,"a"]', '{}', JSON.stringify('ö\u2028'.repeat(50)), '[]'];

test.each([1, 2, 3, 5, 64, 10_000])('frames are put together from pieces of %i bytes', (size) => {
  const bytes = Buffer.concat(MESSAGES.map(encodeFrame));
  const reader = new FrameReader(1000);
  const seen: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) seen.push(...reader.read(bytes.subarray(at, at + size)));
  expect(seen).toEqual(MESSAGES.map((text) => JSON.parse(text) as unknown));
});

test('a frame over the limit is refused as soon as its length is known', () => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(1001);
  expect(() => [...new FrameReader(1000).read(header)]).toThrow(new RangeError('a frame of 1001 bytes'));
});

test('a frame may be as long as the limit', () => {
  const text = JSON.stringify('x'.repeat(998));
  expect([...new FrameReader(1000).read(encodeFrame(text))]).toEqual(['x'.repeat(998)]);
});

test('what is no JSON is refused', () => {
  expect(() => [...new FrameReader(1000).read(encodeFrame('{"a":'))]).toThrow(SyntaxError);
});
