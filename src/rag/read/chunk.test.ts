import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunk, searchableText } from './chunk.ts';
import { readMarkdown } from './markdown.ts';

const words = (count: number, name = 'w') => Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

test('chunks end at headings and hold whole paragraphs up to the limit', () => {
  const source = `# A\n\n${words(30)}\n\n${words(30)}\n\n${words(30)}\n\n## B\n\nshort\n`;
  const chunks = chunk(readMarkdown(source), { words: 70 });
  expect(chunks.map(({ heading, lines }) => [heading.join('/'), ...(lines ?? [])])).toEqual([
    ['A', 3, 5],
    ['A', 7, 7],
    ['A/B', 11, 11],
  ]);
});

test('a paragraph that is too long is cut between sentences', () => {
  const source = `${words(8, 'a')}. ${words(8, 'b')}. ${words(8, 'c')}.`;
  const texts = chunk(readMarkdown(source), { words: 17 }).map(({ text }) => text);
  expect(texts).toEqual([`${words(8, 'a')}. ${words(8, 'b')}.`, `${words(8, 'c')}.`]);
});

test('each passage of a long table has the header', () => {
  const rows = Array.from({ length: 10 }, (_, index) => `| k${index} | v${index} |`).join('\n');
  const chunks = chunk(readMarkdown(`| key | value |\n|---|---|\n${rows}\n`), { words: 25 });
  expect(chunks.length).toBeGreaterThan(1);
  for (const { text } of chunks) expect(text.startsWith('| key | value |\n')).toBe(true);
});

test('a document of a heading only can be found, and its words count once', () => {
  const [only] = chunk(readMarkdown('# Only a title\n'), { words: 200 });
  expect(only?.text).toBe('Only a title');
  expect(only && searchableText(only, 'Only a title')).toBe('Only a title');
});

test('title and headings stand before the text in what is searched, each once', () => {
  const parsed = readMarkdown('# Garden\n\n## Compost\n\nTurn it.\n');
  const [only] = chunk(parsed, { words: 200 });
  expect(only && searchableText(only, parsed.title)).toBe('Garden\nCompost\nTurn it.');
});

test('no word is lost or doubled, and lines lead to the words, whatever the text', () => {
  const line = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,12}[.]?$/u);
  const document = fc.array(
    fc.oneof(
      line,
      fc.constant(''),
      line.map((text) => `## ${text}`),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 30 }), (lines, limit) => {
      const source = lines.join('\n');
      const chunks = chunk(readMarkdown(source), { words: limit });
      const body = lines.filter((each) => each !== '' && !each.startsWith('## '));
      const texts = chunks.filter(
        ({ text, heading }) => text !== heading.at(-1) || body.some((each) => text.includes(each)),
      );
      const found = texts.flatMap(({ text }) => text.split(/\s+/u)).filter((word) => word !== '');
      expect(found.length).toBeGreaterThanOrEqual(
        body
          .join(' ')
          .split(/\s+/u)
          .filter((word) => word !== '').length,
      );
      for (const { text, lines: [from, to] = [1, 1] } of chunks) {
        const place = lines
          .slice(from - 1, to)
          .join(' ')
          .replace(/^## /u, '');
        for (const word of text.split(/\s+/u)) expect(place).toContain(word);
      }
    }),
    { numRuns: 200 },
  );
});

test('a line of a million characters without a space is cut up, and nothing of it is lost', () => {
  const line = Array.from({ length: 100_000 }, (_, index) => String(index % 10_000).padStart(10, 'x')).join('');
  const chunks = chunk(readMarkdown(`before ${line} after\n`), { words: 200 });
  expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(200 * 40 * 1.25 + 100);
  expect(chunks.map(({ text }) => text).join('')).toBe(`before ${line} after`);
});

test('text of a script without spaces is cut between sentences, and none are put in', () => {
  const sentence = (number: number) => `第${number}章では、船は毎時間ネソッデンへ出発します。`;
  const text = Array.from({ length: 60 }, (_, number) => sentence(number)).join('');
  const chunks = chunk(readMarkdown(`${text}\n`), { words: 100 });
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks.every((each) => each.text.endsWith('。') && each.text.length <= 250)).toBe(true);
  expect(chunks.map((each) => each.text).join('')).toBe(text);
});
