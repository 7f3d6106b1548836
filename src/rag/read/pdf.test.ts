import { expect, test } from 'vitest';
import { Unreadable } from './parsed.ts';
import { readPdf } from './pdf.ts';

/** A file of one page per text, each line of it a line. */
function pdf(pages: readonly string[], title = ''): Uint8Array {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, at) => {
      const lines = page.split('\n').map((line, row) => `BT /F1 12 Tf 20 ${700 - 20 * row} Td (${line}) Tj ET`);
      const content = lines.join('\n');
      const font = '/Resources << /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${font} /Contents ${5 + 2 * at} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    `<< /Title (${title}) >>`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${offset} 00000 n `)].join('\n');
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n${table}\ntrailer\n${trailer}\nstartxref\n${text.length}\n%%EOF`,
  );
}

const LONG = 'Twenty characters it';

test('each page is read with its number, below the title of the file', async () => {
  expect(await readPdf(pdf([`${LONG} or more`, LONG], ' Warranty '))).toEqual({
    title: 'Warranty',
    blocks: [
      { kind: 'text', text: `${LONG} or more`, page: 1 },
      { kind: 'text', text: LONG, page: 2 },
    ],
  });
});

test('pages that have next to no text are named: they are read by their looks', async () => {
  expect(await readPdf(pdf([LONG.slice(1), LONG, ''], ' '))).toEqual({
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
