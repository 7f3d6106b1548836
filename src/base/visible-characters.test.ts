import { describe, expect, test } from 'vitest';
import { lookAlikes, punycode, visible, visibleLine } from './visible-characters.ts';

describe('words that mix alphabets are found', () => {
  test.each([
    ['p\u0430ypal', 'Cyrillic a'],
    ['g\u03bfogle', 'Greek omicron'],
    ['\u0391pple', 'Greek capital alpha'],
    ['micro\u0455oft', 'Cyrillic dze'],
    ['g\u0585ogle', 'Armenian oh'],
    ['\u13aapple', 'Cherokee go'],
  ])('%s (%s)', (word) => {
    expect(lookAlikes(`pay at ${word}.example now`)).toEqual([word]);
  });

  test.each(['paypal', 'привет', 'καλημέρα', 'Grüße', 'Привет Anna, γεια', '東京tower', '10µm'])('not %s', (text) => {
    expect(lookAlikes(text)).toEqual([]);
  });
});

test('what could hide or reorder characters is written out; a line has no breaks left', () => {
  expect(visible('a\u202eb\u200bc\u3164\nd')).toBe('a<U+202E>b<U+200B>c<U+3164>\nd');
  expect(visibleLine('a\nb\tc\\n')).toBe('a\\nb\\tc\\\\n');
});

test('nothing on a line can be pushed out of sight or pile up', () => {
  expect(visibleLine(`a${' '.repeat(8)}b${' '.repeat(7)}c`)).toBe(`a <8 blanks> b${' '.repeat(7)}c`);
  expect(visibleLine('a\u00a0b')).toBe('a<U+00A0>b');
  expect(visibleLine(`a${'\u0301'.repeat(6)}`)).toBe(`a${'\u0301'.repeat(4)}<U+0301><U+0301>`);
  expect(visible('\u{e0041}\u0007\ud800\t')).toBe('<U+E0041><U+0007><U+D800>\t');
});

test('a word as the name servers know it', () => {
  expect([punycode('p\u0430ypal'), punycode('paypal')]).toEqual(['xn--pypal-4ve', 'paypal']);
  expect(lookAlikes('...')).toEqual([]);
});
