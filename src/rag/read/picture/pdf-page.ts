import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { Unreadable } from '../parsed.ts';
import { decoder, fromRaw, type Grey, raw } from './image.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document['getPage']>>;
/** Of PDF: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A picture as PDF.js hands it over. */
interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

interface Placed {
  readonly image: Image;
  /** From the unit square to the page. */
  readonly at: Matrix;
}

/** Pixels of the page's shorter side. */
const SHORT_SIDE = 1700;
/** A4 in points, several times over: nobody scans larger sheets. */
const LONGEST_SIDE = 4000;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/**
 * What the pictures of a page look like together; nothing else of it is drawn.
 *
 * @returns undefined when it has none. @throws Unreadable when one of them cannot be decoded.
 */
export async function greyPdfPage(document: Document, number: number): Promise<Grey | undefined> {
  const page = await document.getPage(number);
  try {
    const size = page.getViewport({ scale: 1 });
    const scale = Math.min(
      SHORT_SIDE / Math.min(size.width, size.height),
      LONGEST_SIDE / Math.max(size.width, size.height),
    );
    const { width, height, transform } = page.getViewport({ scale });
    const placed = await picturesOn(page, transform as unknown as Matrix);
    if (placed.length === 0) return undefined;
    return await drawn(placed, { width: Math.round(width), height: Math.round(height) });
  } finally {
    page.cleanup();
  }
}

/** The pictures in the order in which they are painted. */
async function picturesOn(page: Page, viewport: Matrix): Promise<Placed[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const stack: Matrix[] = [];
  const placed: Placed[] = [];
  let at = viewport;
  for (const [index, operation] of fnArray.entries()) {
    const args: readonly unknown[] = argsArray[index] ?? [];
    if (operation === OPS.save) stack.push(at);
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) at = stack.pop() ?? viewport;
    else if (operation === OPS.transform) at = product(at, args as unknown as Matrix);
    else if (operation === OPS.paintFormXObjectBegin) {
      stack.push(at);
      at = product(at, (args[0] as Matrix | null) ?? IDENTITY);
    } else if (operation === OPS.paintImageXObject) placed.push({ image: await imageNamed(page, String(args[0])), at });
    else if (operation === OPS.paintInlineImageXObject) placed.push({ image: args[0] as Image, at });
  }
  return placed;
}

async function imageNamed(page: Page, name: string): Promise<Image> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  const image = await new Promise<Partial<Image> | null>((resolve) => void objects.get(name, resolve));
  if (!image?.data || !image.width || !image.height)
    throw new Unreadable('its picture is broken, too large or of a format that is not read');
  return { width: image.width, height: image.height, data: image.data };
}

/** What follows `first` in the order of PDF, which applies the newest matrix first. */
function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

async function drawn(placed: readonly Placed[], size: Pick<Grey, 'width' | 'height'>): Promise<Grey> {
  const sharp = await decoder();
  const layers = [];
  for (const each of placed) {
    const layer = await layerOf(each, size);
    if (layer) layers.push(layer);
  }
  return raw(sharp({ create: { ...size, channels: 3, background: '#fff' } }).composite(layers));
}

/** Upright pictures only, in quarter turns: a scanner makes no others. */
async function layerOf({ image, at }: Placed, page: Pick<Grey, 'width' | 'height'>) {
  const [a, b, c, d, e, f] = at;
  const isTurned = Math.abs(a) < Math.abs(b);
  const [across, down] = isTurned ? [c, b] : [a, d];
  const left = Math.round(e + Math.min(0, across));
  const top = Math.round(f + Math.min(0, down));
  const [width, height] = [Math.abs(across), Math.abs(down)].map((side) => Math.max(1, Math.round(side))) as [
    number,
    number,
  ];
  if (width > 2 * page.width || height > 2 * page.height || left >= page.width || top >= page.height) return undefined;
  const upright = await sharpOf(image);
  // The unit square of PDF has its origin below: pictures that are not turned have a negative height.
  const turned = isTurned
    ? upright
        .rotate(90)
        .flop(across > 0)
        .flip(down < 0)
    : upright.flop(across < 0).flip(down > 0);
  const grey = await raw((await fromRaw(await raw(turned))).resize({ width, height, fit: 'fill' }));
  const cut = { left: Math.max(0, -left), top: Math.max(0, -top) };
  const seen = {
    width: Math.min(width - cut.left, page.width - Math.max(0, left)),
    height: Math.min(height - cut.top, page.height - Math.max(0, top)),
  };
  if (seen.width < 1 || seen.height < 1) return undefined;
  const input = await (await fromRaw(grey))
    .extract({ ...cut, ...seen })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input, left: Math.max(0, left), top: Math.max(0, top) };
}

async function sharpOf({ width, height, data }: Image) {
  const channels = data.length / (width * height);
  if (channels === 1 || channels === 3 || channels === 4)
    return (await fromRaw({ width, height, data }, channels)).flatten({ background: '#fff' });
  return fromRaw({ width, height, data: unpacked({ width, height, data }) });
}

/** One bit per pixel, rows from whole bytes. */
function unpacked({ width, height, data }: Image): Uint8Array {
  const bytesPerRow = Math.ceil(width / 8);
  if (data.length < bytesPerRow * height) throw new Unreadable('its picture is broken');
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return ((data[y * bytesPerRow + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  });
}
