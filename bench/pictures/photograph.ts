/** Photographs sheets of paper: turned, in perspective, in the shade, blurred and noisy, by fixed degrees. */
import sharp from 'sharp';
import { mulberry32 } from '../../src/base/mulberry32.ts';

export interface Level {
  /** Turned by up to this many degrees, either way. */
  readonly degrees: number;
  /** Its far side is shorter by this share. */
  readonly perspective: number;
  /** Standard deviation of the blur, in pixels. */
  readonly blur: number;
  /** Standard deviation of the noise, of 255. */
  readonly noise: number;
  /** By how much the darkest corner is darker. */
  readonly shade: number;
  /** Of JPEG. */
  readonly quality: number;
}

/** A scanner that was fed by hand; a photo taken with care; a photo taken in passing. */
export const LEVELS: readonly Level[] = [
  { degrees: 1, perspective: 0, blur: 0.5, noise: 4, shade: 0.05, quality: 90 },
  { degrees: 3, perspective: 0.02, blur: 0.9, noise: 10, shade: 0.25, quality: 80 },
  { degrees: 6, perspective: 0.05, blur: 1.4, noise: 18, shade: 0.45, quality: 65 },
];

/** @param sheet  any picture of a sheet. @returns a JPEG of it. */
export async function photographed(sheet: Buffer, level: Level, seed: number): Promise<Buffer> {
  const random = mulberry32(seed);
  const turn = (random() * 2 - 1) * level.degrees;
  const turned = await sharp(sheet)
    .greyscale()
    .rotate(turn, { background: '#8a8a8a' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = turned.info;
  const data = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++) {
    // The top of the sheet is further away.
    const inset = (level.perspective * width * (1 - y / height)) / 2;
    const light = 1 - level.shade * (1 - y / height);
    for (let x = 0; x < width; x++) {
      const from = ((x - inset) * width) / (width - 2 * inset);
      const value = between(turned.data, { x: from, y, width, channels }) * (light + (level.shade * x) / width / 2);
      data[y * width + x] = Math.max(0, Math.min(255, value + noise(random) * level.noise));
    }
  }
  const photo = sharp(data, { raw: { width, height, channels: 1 } });
  return photo.blur(level.blur).jpeg({ quality: level.quality }).toBuffer();
}

interface At {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly channels: number;
}

/** A value between two pixels of a row; the table beyond the sheet. */
function between(pixels: Buffer, { x, y, width, channels }: At): number {
  if (x < 0 || x >= width - 1) return 138;
  const [left, share] = [Math.floor(x), x % 1];
  const at = (y * width + left) * channels;
  return (pixels[at] ?? 0) * (1 - share) + (pixels[at + channels] ?? 0) * share;
}

/** Nearly normal, by the sum of uniform numbers. */
function noise(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}
