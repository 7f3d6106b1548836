import { expect, test } from 'vitest';
import { capStream, decodeText, readCapped, watchStream } from './body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
async function* parts(...texts: string[]) {
  for (const text of texts) yield bytes(text);
}
/** A stream that says whether it was given up. */
function streamOf(...texts: string[]) {
  const cancelled: unknown[] = [];
  const left = texts.map(bytes);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { stream, cancelled };
}

test('a body is read whole up to its limit, and not past it', async () => {
  expect(Buffer.from(await readCapped(parts('ab', 'cd'), 4)).toString()).toBe('abcd');
  expect((await readCapped(null, 4)).byteLength).toBe(0);
  await expect(readCapped(parts('ab', 'cde'), 4)).rejects.toMatchObject({ code: 'egress_failed' });
});

test('a stream passes up to its limit; then it fails and its source is given up', async () => {
  expect(await new Response(capStream(streamOf('ab', 'cd').stream, 4)).text()).toBe('abcd');
  const { stream, cancelled } = streamOf('ab', 'cde', 'f');
  await expect(new Response(capStream(stream, 4)).text()).rejects.toMatchObject({ code: 'egress_failed' });
  expect(cancelled).toMatchObject([{ code: 'egress_failed' }]);
});

test('who stops reading a watched stream stops its source', async () => {
  const { stream, cancelled } = streamOf('ab', 'cd', 'ef', 'gh');
  const seen: number[] = [];
  const reader = watchStream(stream, (part) => void seen.push(part.byteLength)).getReader();
  await reader.read();
  await reader.cancel('enough');
  expect([seen, cancelled]).toEqual([[2], ['enough']]);
});

test.each([
  ['text/html; charset=iso-8859-1', 'café'],
  ['text/html;charset = "ISO-8859-1"', 'café'],
  ['text/html; charset=unheard-of', 'caf\ufffd'],
  ['text/html', 'caf\ufffd'],
])('%s', (contentType, text) => {
  expect(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), contentType)).toBe(text);
});
