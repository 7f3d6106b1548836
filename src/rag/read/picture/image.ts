import type { Sharp } from 'sharp';
import { Unreadable } from '../parsed.ts';

/** A picture in shades of grey, a byte per pixel, row by row. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Larger pictures take more memory than there is beside the readers. Cameras make up to 50 million. */
const MOST_PIXELS = 64_000_000;
/** The same where all of a picture is in memory before its first line is known. */
const MOST_PROGRESSIVE = 25_000_000;
/** Text in larger pictures is no easier to read, and takes longer. */
const MOST_KEPT = 9_000_000;
/** Letters are read best when they are some 30 pixels tall: so wide is a page of print then. */
export const SHORT_SIDE = 1700;
/** A sheet may be a part of its picture, and is to have so many pixels itself. */
const SHORT_SIDE_AROUND = 2600;
const MOST_ENLARGED = 3;
/** Models that see make larger pictures smaller themselves, and charge by the pixel. */
const MOST_SHOWN = 1568;
/** Letters in pictures of fewer pixels cannot be told apart: those are icons. */
const LEAST_SIDE = 32;
const WHITE = 250;
/** The light of a picture is looked at in squares of so many pixels. */
const TILE = 32;
/** What is darker is no paper in the shade. */
const DARKEST_PAPER = 40;
/** What cameras, scanners and browsers write, by the names that the library has for what reads it. */
const FORMATS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'];

/** How often a camera's picture is turned right by 90 degrees, and whether it is mirrored first, by orientation. */
const TURNS: Readonly<Record<number, { readonly mirrored: boolean; readonly degrees: number }>> = {
  2: { mirrored: true, degrees: 0 },
  3: { mirrored: false, degrees: 180 },
  4: { mirrored: true, degrees: 180 },
  5: { mirrored: true, degrees: 270 },
  6: { mirrored: false, degrees: 90 },
  7: { mirrored: true, degrees: 90 },
  8: { mirrored: false, degrees: 270 },
};

/** How many pages a picture has: more than one only in TIFF. @throws Unreadable */
export async function pagesOfPicture(bytes: Uint8Array): Promise<number> {
  const sharp = await decoder();
  const {
    width,
    height,
    pages = 1,
    format,
    compression,
    isProgressive,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Unreadable('broken picture');
    });
  if (pages > 1 && format !== 'tiff') throw new Unreadable('an animation', 'unsupported');
  const most = isProgressive || compression === 'hevc' ? MOST_PROGRESSIVE : MOST_PIXELS;
  if (width * height > most) throw new Unreadable(`${width} x ${height} pixels, more than ${most / 1_000_000} million`);
  if (Math.min(width, height) < LEAST_SIDE) throw new Unreadable('too small for text', 'unsupported');
  return pages;
}

/** Steps that begin with one page of a file. */
async function opened(bytes: Uint8Array, page: number): Promise<Sharp> {
  const sharp = await decoder();
  const input = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true, page: page - 1 });
  if ((await input.metadata()).compression !== 'hevc') return input;
  const { decodeHeic } = await import('./heic.ts');
  const { data, width, height } = await decodeHeic(bytes);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** One page of a picture, from 1, as people see it: turned as its camera says, on white. @throws Unreadable */
export async function greyPicture(bytes: Uint8Array, page: number): Promise<Grey> {
  try {
    const input = await opened(bytes, page);
    const { width, height, orientation = 1 } = await input.metadata();
    const { mirrored, degrees } = TURNS[orientation] ?? { mirrored: false, degrees: 0 };
    // Made smaller first: turning takes all of a picture into memory.
    const small = await raw(fitted(input, { width, height }).flatten({ background: '#fff' }));
    return await turned(small, degrees, mirrored);
  } catch {
    throw new Unreadable('broken picture');
  }
}

/** One page of a picture, from 1, as a JPEG in its colours, upright. @throws Unreadable */
export async function shownPicture(bytes: Uint8Array, page: number): Promise<Uint8Array> {
  await pagesOfPicture(bytes);
  try {
    return await jpegOf((await opened(bytes, page)).autoOrient());
  } catch {
    throw new Unreadable('broken picture');
  }
}

/** Smaller, on white, and without what a camera notes. */
export async function jpegOf(picture: Sharp): Promise<Uint8Array> {
  const size = { width: MOST_SHOWN, height: MOST_SHOWN, fit: 'inside', withoutEnlargement: true } as const;
  return picture.resize(size).flatten({ background: '#fff' }).toColourspace('srgb').jpeg({ quality: 80 }).toBuffer();
}

/** A picture turned right by a multiple of 90 degrees. */
export async function turned(grey: Grey, degrees: number, mirrored = false): Promise<Grey> {
  if (degrees === 0 && !mirrored) return grey;
  return raw((await fromRaw(grey)).flop(mirrored).rotate(degrees));
}

/**
 * The same text under even light: what is around each place is taken for white.
 *
 * @param covers  whether a place, in shares of the picture, is on the sheet; all that is not is white.
 */
export async function evenlyLit(grey: Grey, covers?: (x: number, y: number) => boolean): Promise<Grey> {
  const { width, height } = grey;
  const paper = await raw((await fromRaw(lightest(grey, TILE))).blur(2).resize({ width, height, fit: 'fill' }));
  const data = new Uint8Array(grey.data.length).fill(WHITE);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (covers?.(x / width, y / height) === false) continue;
      const at = y * width + x;
      data[at] = Math.min(WHITE, ((grey.data[at] ?? 0) * WHITE) / Math.max(DARKEST_PAPER, paper.data[at] ?? 0));
    }
  return { width, height, data };
}

/** A smaller picture, of the lightest pixel in each square: letters are not in it. */
export function lightest({ width, height, data }: Grey, square: number): Grey {
  const size = { width: Math.ceil(width / square), height: Math.ceil(height / square) };
  const light = new Uint8Array(size.width * size.height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / square) * size.width;
    for (let x = 0; x < width; x++) {
      const at = row + Math.floor(x / square);
      const own = data[y * width + x] ?? 0;
      if (own > (light[at] ?? 0)) light[at] = own;
    }
  }
  return { ...size, data: light };
}

/** Scaled so that its letters have the size that is read best. */
function fitted(picture: Sharp, { width, height }: Pick<Grey, 'width' | 'height'>): Sharp {
  const side = Math.min(width, height);
  const wanted = side < SHORT_SIDE ? Math.min(MOST_ENLARGED, SHORT_SIDE / side) : Math.min(1, SHORT_SIDE_AROUND / side);
  const scale = Math.min(wanted, Math.sqrt(MOST_KEPT / (width * height)));
  return picture.resize({
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    fit: 'fill',
  });
}

/** The same picture with a shorter side of at most so many pixels. */
export async function shrunk(grey: Grey, shortSide: number): Promise<Grey> {
  const scale = shortSide / Math.min(grey.width, grey.height);
  if (scale >= 1) return grey;
  const size = { width: Math.round(grey.width * scale), height: Math.round(grey.height * scale) };
  return raw((await fromRaw(grey)).resize({ ...size, fit: 'fill' }));
}

/** The pixels that a chain of steps leads to. */
export async function raw(picture: Sharp): Promise<Grey> {
  const { data, info } = await picture
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels === 1) return { width, height, data };
  return { width, height, data: data.filter((_, at) => at % channels === 0) };
}

/** Steps that begin with these pixels. */
export async function fromRaw({ width, height, data }: Grey, channels: 1 | 3 | 4 = 1): Promise<Sharp> {
  const sharp = await decoder();
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: MOST_PIXELS });
}

/** Loaded with the first picture. @throws Unreadable where the library has no build for this machine. */
export async function decoder() {
  const { default: sharp } = await import('sharp').catch((error: unknown) => {
    throw new Unreadable(
      'pictures cannot be decoded on this machine (the package sharp does not load)',
      'unsupported',
      {
        cause: error,
      },
    );
  });
  // One at a time, without a cache: memory is bound, and the readers use the other cores.
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: FORMATS.map((name) => `VipsForeignLoad${name}`) });
  return sharp;
}
