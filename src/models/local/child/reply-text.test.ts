import { expect, test } from 'vitest';
import { ReplyText } from './reply-text.ts';

/** What is shown after each piece, and what remains at the end. */
function shown(pieces: readonly string[], reply: ReplyText) {
  const texts = pieces.map((piece) => reply.add(piece).text);
  return { texts, rest: reply.rest(), call: reply.call, ended: reply.ended };
}

const marker = '<tool_call>';

test('words are shown as they come, and what may be a marker waits', () => {
  expect(shown(['I ', 'say <', 'b>'], new ReplyText({ marker, stops: [] }))).toEqual({
    ...{ texts: ['I ', 'say ', '<b>'], rest: '', call: undefined, ended: false },
  });
});

test('what looked like a marker to the end is shown at the end', () => {
  expect(shown(['a <tool'], new ReplyText({ marker, stops: [] }))).toMatchObject({ texts: ['a '], rest: '<tool' });
});

test('a marker in pieces begins a call, and what stands behind it is counted', () => {
  const reply = new ReplyText({ marker, stops: [] });
  expect(reply.add('Yes. <tool')).toEqual({ text: 'Yes. ', beyondMarker: 0 });
  expect(reply.add('_call>{"a')).toEqual({ text: '', beyondMarker: 3 });
  reply.add('\n{}');
  expect(reply.call).toBe('<tool_call>\n{}');
});

test('a brace begins a call only at the beginning', () => {
  const brace = '{"name": "';
  expect(shown(['See {"name": "x"}'], new ReplyText({ marker: brace, stops: [] })).call).toBeUndefined();
  expect(shown([' {"name": "x'], new ReplyText({ marker: brace, stops: [] })).call).toBe(brace);
});

test('the first stop sequence ends the reply', () => {
  expect(shown(['one ST', 'OP two END'], new ReplyText({ marker, stops: ['END', 'STOP'] }))).toMatchObject({
    ...{ texts: ['one ', ''], rest: '', ended: true },
  });
});
