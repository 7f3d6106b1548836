import { describe, expect, test } from 'vitest';
import { type Key, KeyDecoder } from './keys.ts';

function decoded(...chunks: string[]): Key[] {
  const decoder = new KeyDecoder();
  decoder.feed('');
  return [...chunks.flatMap((chunk) => decoder.feed(chunk)), ...decoder.flush()];
}

const key = (name: string): Key => ({ kind: 'key', name });
const text = (typed: string): Key => ({ kind: 'text', text: typed });
const paste = (pasted: string): Key => ({ kind: 'paste', text: pasted });

/** What terminals send, and the keys that were pressed. */
const SEQUENCES: readonly (readonly [string, readonly Key[]])[] = [
  ['a', [text('a')]],
  ['grüße 你好 👩‍💻', [text('grüße 你好 👩‍💻')]],
  ['\r', [key('enter')]],
  ['\n', [key('C-j')]],
  ['\t', [key('tab')]],
  ['\u007f', [key('backspace')]],
  ['\u0001', [key('C-a')]],
  ['\u001f', [key('C-_')]],
  ['\u001b[A', [key('up')]],
  ['\u001bOB', [key('down')]],
  ['\u001b[1;5C', [key('C-right')]],
  ['\u001b[1;3D', [key('M-left')]],
  ['\u001b[1;6A', [key('C-S-up')]],
  ['\u001b[3~', [key('delete')]],
  ['\u001b[5;5~', [key('C-pageup')]],
  ['\u001b[Z', [key('S-tab')]],
  ['\u001bb', [key('M-b')]],
  ['\u001b\r', [key('M-enter')]],
  ['\u001b\u007f', [key('M-backspace')]],
  ['\u001b\u001b[A', [key('M-up')]],
  ['\u001b[13;2u', [key('S-enter')]],
  ['\u001b[27;2;13~', [key('S-enter')]],
  ['\u001b[106;5u', [key('C-j')]],
  ['\u001b[97;1:3u', []],
  ['\u001b[97;1u', [text('a')]],
  ['\u001b[?62;22c', []],
  ['\u001b]11;rgb:0000/0000/0000\u0007', []],
  ['\u001bP1$r0m\u001b\\', []],
  ['\u001b[<0;10;20M', []],
  ['\u001b[I', []],
  ['\u001b[12;40R', [{ kind: 'cursor', row: 12, column: 40 }]],
  ['\u001b[200~one\r\ntwo\rthree\u001b[31m\u001b[201~x', [paste('one\ntwo\nthree[31m'), text('x')]],
];

describe('keys', () => {
  test.each(SEQUENCES)('%j', (bytes, keys) => {
    expect(decoded(bytes)).toEqual(keys);
  });

  test.each(SEQUENCES.filter(([, keys]) => keys.every(({ kind }) => kind !== 'text')))(
    '%j, split at every byte, is the same',
    (bytes, keys) => {
      expect(decoded(...bytes)).toEqual(keys);
    },
  );

  test('a lone Esc is the key when nothing follows', () => {
    const decoder = new KeyDecoder();
    expect([decoder.feed('\u001b'), decoder.waiting, decoder.flush()]).toEqual([[], true, [key('escape')]]);
  });

  test('a paste of a megabyte is one event, also when it comes in pieces', () => {
    const long = 'some words of a letter\n'.repeat(45_000);
    const bytes = `\u001b[200~${long}\u001b[201~`;
    const pieces = bytes.match(/[\s\S]{1,65536}/gu) ?? [];
    const keys = decoded(...pieces);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toEqual(paste(long.slice(0, 1_000_000)));
  });

  test('without bracketed paste, a long read with lines in it was pasted', () => {
    const decoder = new KeyDecoder(false);
    decoder.feed('');
    expect(decoder.feed('the first line\rthe second')).toEqual([paste('the first line\nthe second')]);
  });

  test('lines that were typed ahead and are read at once are lines', () => {
    expect(decoded('the first line\rthe second')).toEqual([text('the first line'), key('enter'), text('the second')]);
  });

  test('what was typed before the terminal was ours has line feeds for Enter', () => {
    expect(new KeyDecoder().feed('what is 2 + 3?\n')).toEqual([text('what is 2 + 3?'), key('enter')]);
  });
});
