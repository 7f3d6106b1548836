import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const FONTS = join(import.meta.dirname, '../../node_modules/dejavu-fonts-ttf/ttf');
/** Dots an inch, as most scanners work. */
const DPI = 200;

export interface Typeset {
  /** Of the paper, in pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly font?: 'DejaVuSans' | 'DejaVuSansMono' | 'DejaVuSerif';
  readonly points?: number;
}

/** A sheet of white paper with lines of text on it, black, from its upper left corner on. */
export async function sheet(
  text: string,
  { width = 1240, height = 1754, font = 'DejaVuSans', points = 11 }: Typeset = {},
): Promise<Sharp> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const name = font.replace('DejaVu', 'DejaVu ').replace('SansMono', 'Sans Mono');
  const fontfile = join(FONTS, `${font}.ttf`);
  const ink = { text: { text: escaped, font: `${name} ${points}`, fontfile, dpi: DPI, rgba: true } } as const;
  const layer = await sharp(ink).png().toBuffer();
  const paper = sharp({ create: { width, height, channels: 3, background: '#fff' } });
  const placed = await paper
    .composite([{ input: layer, left: 90, top: 110 }])
    .png()
    .toBuffer();
  return sharp(placed);
}

/** A PDF of text, one page each. Every line of it is a line, in Latin letters. @param title  of the file. */
export function printed(pages: readonly string[], title = ''): Buffer {
  const kids = pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${title}) >>`,
    ...pages.flatMap((page, at) => {
      const lines = page.split('\n').map((line, row) => `BT /F1 12 Tf 20 ${760 - 20 * row} Td (${line}) Tj ET`);
      const content = lines.join('\n');
      const font = '/Resources << /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${font} /Contents ${6 + 2 * at} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return pdfOf(
    objects.map((each) => Buffer.from(each, 'latin1')),
    '/Info 4 0 R',
  );
}

/** A scan: a PDF whose pages are JPEG pictures and nothing else. @param width  of the pictures, in pixels. */
export function scanOf(
  pages: readonly Buffer[],
  { width, height }: { readonly width: number; readonly height: number },
) {
  const kids = pages.map((_, at) => `${3 + 3 * at} 0 R`).join(' ');
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    ...pages.flatMap((jpeg, at) => {
      const [content, picture] = [4 + 3 * at, 5 + 3 * at];
      const draw = `q 595 0 0 842 0 0 cm /P Do Q`;
      const size = `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
      return [
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /XObject << /P ${picture} 0 R >> >> >>`,
        ),
        Buffer.from(`<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`),
        Buffer.concat([
          Buffer.from(
            `<< /Type /XObject /Subtype /Image ${size} /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
          ),
          ...[jpeg, Buffer.from('\nendstream')],
        ]),
      ];
    }),
  ];
  return pdfOf(objects);
}

/** A PDF file of these objects, the first of them the catalogue. @param trailer  more entries of the trailer. */
export function pdfOf(objects: readonly Buffer[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    length += whole.length;
    parts.push(whole);
  }
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer << /Root 1 0 R /Size ${size} ${trailer} >>\n`;
  return Buffer.concat([...parts, Buffer.from(`${end}startxref\n${length}\n%%EOF\n`)]);
}
