import { expect, test } from 'vitest';
import { printed } from '../../testing/pictures.ts';
import { Unreadable } from './parsed.ts';
import { readPdf } from './pdf.ts';

const LONG = 'Twenty characters it';

test('each page is read with its number, below the title of the file', async () => {
  expect(await readPdf(printed([`${LONG} or more`, LONG], ' Warranty '))).toEqual({
    title: 'Warranty',
    blocks: [
      { kind: 'text', text: `${LONG} or more`, page: 1 },
      { kind: 'text', text: LONG, page: 2 },
    ],
  });
});

test('pages that have next to no text are named: they are read by their looks', async () => {
  expect(await readPdf(printed([LONG.slice(1), LONG, ''], ' '))).toEqual({
    title: undefined,
    blocks: [
      { kind: 'text', text: LONG.slice(1), page: 1 },
      { kind: 'text', text: LONG, page: 2 },
    ],
    pictures: [1, 3],
  });
});

test('what is no such file is broken', async () => {
  await expect(readPdf(Buffer.from('%PDF-1.4\n'))).rejects.toThrow(new Unreadable('broken PDF'));
});
