import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fitting, MAX_MATERIAL_CHARS } from '../face/file-material.ts';
import { readPiped } from './material.ts';

const never = new AbortController().signal;

test('a stream is read to its end, however slow it is once it has begun', async () => {
  const input = new PassThrough();
  input.write('first ');
  const reading = readPiped(input, never, 30);
  await sleep(60);
  input.end('and last\n');
  expect(await reading).toEqual({ text: 'first and last', silent: false });
});

test('a pipe that nobody writes to does not block', async () => {
  expect(await readPiped(new PassThrough(), never, 20)).toEqual({ text: undefined, silent: true });
});

test('an empty stream is no material', async () => {
  expect(await readPiped(Readable.from([]), never, 5000)).toEqual({ text: undefined, silent: false });
});

test('letters that are cut between two pieces stay whole', async () => {
  const [head, tail] = [Buffer.from('Grüße').subarray(0, 3), Buffer.from('Grüße').subarray(3)];
  expect((await readPiped(Readable.from([head, tail]), never)).text).toBe('Grüße');
});

test('what is not text is refused, with the way to hand it over', async () => {
  const binary = readPiped(Readable.from([Buffer.from([0x50, 0x4b, 3, 4, 0, 0])]), never);
  await expect(binary).rejects.toMatchObject({ code: 'bad_usage', hint: expect.stringContaining('--file') });
});

test('a stream without end is refused before it fills the memory', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'a');
  const endless = Readable.from(
    (async function* () {
      for (;;) yield piece;
    })(),
  );
  await expect(readPiped(endless, never)).rejects.toMatchObject({ code: 'bad_usage' });
});

test('whoever stops waits for nobody', async () => {
  const stop = new AbortController();
  const reading = readPiped(new PassThrough(), stop.signal, 60_000);
  stop.abort(new Error('cancelled'));
  await expect(reading).rejects.toThrow('cancelled');
});

test('a text that no model holds loses its middle', () => {
  const text = `begin ${'x'.repeat(MAX_MATERIAL_CHARS)} end`;
  const { text: shown } = fitting({ name: 'log.txt', text, untrusted: false });
  expect(shown).toMatch(/^begin x+\n… \d+ characters left out …\nx+ end$/u);
});
