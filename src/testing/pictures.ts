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
