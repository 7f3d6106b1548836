import { describe, expect, test } from 'vitest';
import { lookAlikes, visible, visibleLine } from './visible-characters.ts';

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
