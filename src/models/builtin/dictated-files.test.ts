import { expect, test } from 'vitest';
import { dictatedFiles } from './recognize.ts';

test.each([
  ['write milk to shop.txt', [{ path: 'shop.txt', content: 'milk' }]],
  [
    'write milk to shop.txt and write "call Ben" to calls.txt',
    [
      { path: 'shop.txt', content: 'milk' },
      { path: 'calls.txt', content: 'call Ben' },
    ],
  ],
  ['note that the tap drips, and write milk to shop.txt', [{ path: 'shop.txt', content: 'milk' }]],
  ['read shop.txt', []],
  ['hello', []],
])('%s', (text, inputs) => expect(dictatedFiles(text)).toEqual(inputs));
