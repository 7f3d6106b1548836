import { expect, test } from 'vitest';
import { sentEvents } from './sent-events.ts';

/** An answer that comes in these pieces. */
function answer(...pieces: readonly string[]): Response {
  return new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()));
}

test('events are read wherever the stream is cut, and what is said to keep it open is none', async () => {
  const text = 'event: turn\ndata: {"a":"ü"}\nid: 7\n\n: alive\n\ndata: one\ndata: two\n\ndata: cut off';
  const whole = [
    { id: '7', data: '{"a":"ü"}' },
    { id: '', data: 'one\ntwo' },
  ];
  for (let at = 0; at <= text.length; at += 1)
    expect(await Array.fromAsync(sentEvents(answer(text.slice(0, at), text.slice(at))))).toEqual(whole);
});
