import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { Chunker, chunk } from './chunk.ts';
import { read } from './read.ts';
import { textParts } from './text-parts.ts';

const SIZE = 600;

async function inParts(name: string, text: string) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  const chunker = new Chunker({ words: 20 });
  const chunks = [];
  let longest = 0;
  for await (const { bytes, from } of textParts(path, SIZE)) {
    longest = Math.max(longest, bytes.length);
    chunker.add((await read(bytes, name, from)).blocks);
    chunks.push(...chunker.take());
  }
  return { chunks: [...chunks, ...chunker.end()], longest };
}

const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `word${from + at}`);

const JOURNAL = [
  '# My notes\n',
  ...Array.from({ length: 90 }, (_, at) => {
    const body = at % 20 === 7 ? '```\nnever closed' : `${words(9, at).join(' ')}.\n\n- one\n- two`;
    return `## 2026-01-01 10:${String(at % 60).padStart(2, '0')}\n\n${body}\n`;
  }),
].join('\n');
const PARAGRAPHS = `A title\n\n${Array.from({ length: 60 }, (_, at) => words(12, at).join(' ')).join('\n\n')}\n`;

test.each([
  ['journal.md', JOURNAL],
  ['paragraphs.txt', PARAGRAPHS],
])('%s is read in parts as it is read whole', async (name, text) => {
  const whole = chunk(await read(Buffer.from(text), name), { words: 20 });
  const { chunks, longest } = await inParts(name, text);
  expect(chunks).toEqual(whole);
  expect(longest).toBeLessThanOrEqual(SIZE);
});

test.each([
  ['with spaces', words(3000).join(' '), ' '],
  ['without a space', 'é'.repeat(9000), ''],
])('one line %s is cut between words or characters, and nothing of it is lost', async (_, text, glue) => {
  const { chunks } = await inParts('line.txt', text);
  expect(chunks.length).toBeGreaterThan(10);
  const joined = chunks.map((each) => each.text).join(glue);
  expect(joined.replaceAll('\n', glue)).toBe(text);
  expect(chunks.every(({ lines }) => lines?.join() === '1,1')).toBe(true);
});

test('fenced code that a cut goes through stays code', async () => {
  const code = `intro\n\n\`\`\`sh\n${words(200).join('\n')}\n\`\`\`\n\nafter\n`;
  const { chunks } = await inParts('code.md', code);
  expect(chunks.at(-1)).toMatchObject({ text: expect.stringMatching(/after$/u), lines: [expect.any(Number), 206] });
});
