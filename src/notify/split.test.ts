import { describe, expect, test } from 'vitest';
import { characters, cleanText, splitText, utf8Bytes } from './split.ts';

const limit = { max: 120, measure: characters };

describe('a long text', () => {
  test('with a code block is cut so that every part shows its code as code', () => {
    const code = Array.from({ length: 12 }, (_, n) => `const line${n} = ${n};`).join('\n');
    const parts = splitText(`Here it is:\n\`\`\`js\n${code}\n\`\`\`\nThat was it.`, limit);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(characters(part)).toBeLessThanOrEqual(limit.max);
      expect([...part.matchAll(/^```/gmu)].length % 2).toBe(0);
    }
    expect(parts[1]).toMatch(/^\(2\/\d+\)\n```js\nconst line/u);
    const lines = parts.flatMap((part) => part.split('\n')).filter((line) => line.startsWith('const'));
    expect(lines.join('\n')).toBe(code);
  });

  test('is cut between paragraphs before lines, lines before words, words before characters', () => {
    const paragraph = 'word '.repeat(10).trim();
    const parts = splitText(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, limit);
    expect(parts.map((part) => part.replace(/^\(.*?\) /u, ''))).toEqual([paragraph, paragraph, paragraph]);
  });

  test('without spaces is cut between what a reader sees as characters', () => {
    const parts = splitText('👩‍🚀'.repeat(60), { max: 200, measure: utf8Bytes });
    expect(parts.map((part) => part.replace(/^\(.*?\) /u, '')).join('')).toBe('👩‍🚀'.repeat(60));
    for (const part of parts) expect(part.replace(/^\(.*?\) /u, '')).toMatch(/^(?:👩‍🚀)+$/u);
  });

  test('is cut as late as possible, and blank lines around a cut or in its place are left out', () => {
    const [line, full] = ['x'.repeat(35), 'y'.repeat(70)];
    expect(splitText(`${line}\n`.repeat(4), limit)).toEqual(['1', '2'].map((n) => `(${n}/2) ${line}\n${line}`));
    const parts = [`(1/2) ${full}`, `(2/2) ${full}`];
    for (const blank of ['\n\n', '\n\n\n\n', '\n'.repeat(200)])
      expect(splitText(`${full}${blank}${full}`, limit)).toEqual(parts);
  });

  test('with a long word behind a fence repeats the start of it only', () => {
    const parts = splitText(`\`\`\`${'a'.repeat(40)}\n${'code '.repeat(20)}`, limit);
    expect(parts[1]).toMatch(/^\(2\/3\)\n```a{17}\ncode/u);
  });

  test('that fits stays whole, as any text does where there is no limit', () => {
    expect(splitText('x'.repeat(120), limit)).toEqual(['x'.repeat(120)]);
    expect(splitText('x'.repeat(9000), undefined)).toEqual(['x'.repeat(9000)]);
  });
});

describe('whoever wrote a text', () => {
  test.each(['@everyone', '@here', '<@1234>', '<@!1234>', '<@&99>'])('cannot ring people with %s', (mention) => {
    const text = cleanText(`hello ${mention}!`);
    expect(text).not.toContain(mention);
    expect(text.replaceAll('\u200b', '')).toBe(`hello ${mention}!`);
  });

  test('cannot reorder it or drive a terminal', () => {
    expect(cleanText('a\u202eb\u2066c\u001b[31md\u0007')).toBe('abc[31md');
    expect(cleanText('one\r\ntwo\rthree\tfour')).toBe('one\ntwo\nthree\tfour');
  });

  test('leaves no blanks around it', () => {
    expect(cleanText(' \u0007\n low tide \n')).toBe('low tide');
  });

  test('can write an address with an at sign', () => {
    expect(cleanText('mail ann@example.org, @ann')).toBe('mail ann@example.org, @ann');
  });
});
