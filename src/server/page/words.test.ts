import { expect, test } from 'vitest';
import { WORDS } from './words.data.ts';

const values = (text: string) => [...new Set(text.match(/\{\w+\}/gu))].sort();

test('both languages say the same things, with the same values', () => {
  expect(Object.keys(WORDS.de)).toEqual(Object.keys(WORDS.en));
  for (const [word, text] of Object.entries(WORDS.en)) {
    const other = WORDS.de[word as keyof typeof WORDS.de];
    expect([word, values(other)]).toEqual([word, values(text)]);
    expect([word, other.split('|').length]).toEqual([word, text.split('|').length]);
  }
});
