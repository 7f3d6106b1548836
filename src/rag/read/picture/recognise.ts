import type { Block, Box } from '../parsed.ts';
import { flattened, projectionTo } from './flat.ts';
import { evenlyLit, fromRaw, type Grey, raw, SHORT_SIDE, shrunk, turned } from './image.ts';
import { blocksOf, type ReadPicture } from './layout.ts';
import { lookedAtAgain } from './second-look.ts';
import { type Point, type Quad, sheetIn } from './sheet.ts';
import { skewOf } from './skew.ts';
import type { FoundLine, Recognise, Rect } from './tesseract-lines.ts';

/** A page that is read worse than this may lie on its side or stand on its head. */
const UPRIGHT = 65;
/** Below this slope, in degrees, turning a picture blurs it more than it helps. */
const LEAST_SKEW = 0.3;
/** Which way is up shows in a smaller picture as well. */
const TRIED_SIDE = 900;

interface ReadLevel extends ReadPicture {
  /** What the lines were found in. */
  readonly level: Grey;
}

/** Read a page: turned upright, its lines level, under even light. */
export async function blocksIn(grey: Grey, recognise: Recognise, page?: number): Promise<Block[]> {
  const sheet = await sheetIn(grey);
  const corners = sheet && 'corners' in sheet ? sheet.corners : undefined;
  const flat = corners ? flattened(grey, corners, SHORT_SIDE) : await shrunk(grey, SHORT_SIDE);
  const lit = await evenlyLit(flat, sheet && 'covers' in sheet ? sheet.covers : undefined);
  const first = await readLevel(lit, 0, recognise);
  const upright = confidenceOf(first.lines) >= UPRIGHT ? first : await readUpright(lit, first, recognise);
  const read = { ...upright, lines: await lookedAtAgain(upright.lines, upright.level, recognise) };
  return blocksOf(corners ? { ...read, boxOf: (rect) => onPicture(read.boxOf(rect), corners) } : read, page);
}

/** Where a part of a flattened sheet is in the picture of it. */
function onPicture([left, top, right, bottom]: Box, corners: Quad): Box {
  const at = projectionTo(corners);
  return boxAround([left, right].flatMap((u) => [top, bottom].map((v) => at(u, v))));
}

/** Read it the way up that is read best. */
async function readUpright(grey: Grey, first: ReadLevel, recognise: Recognise): Promise<ReadLevel> {
  const small = await shrunk(grey, TRIED_SIDE);
  const best = { degrees: 0, letters: 0 };
  for (const degrees of [0, 180, 90, 270]) {
    const letters = sureLetters((await readLevel(small, degrees, recognise)).lines);
    if (letters > best.letters) Object.assign(best, { degrees, letters });
  }
  return best.degrees === 0 ? first : readLevel(grey, best.degrees, recognise);
}

async function readLevel(grey: Grey, degrees: number, recognise: Recognise): Promise<ReadLevel> {
  const upright = await turned(grey, degrees);
  const skew = skewOf(upright);
  const isLevel = Math.abs(skew) < LEAST_SKEW;
  const level = isLevel ? upright : await raw((await fromRaw(upright)).rotate(-skew, { background: '#fff' }));
  const lines = await recognise(level);
  return {
    ...{ lines, level },
    height: level.height,
    boxOf: (rect) => turnedBack(levelBack(rect, { from: level, to: upright, skew: isLevel ? 0 : skew }), degrees),
  };
}

/** What a part of a levelled picture was a part of: the rectangle around its corners. */
function levelBack(
  { x0, y0, x1, y1 }: Rect,
  { from, to, skew }: { readonly from: Grey; readonly to: Grey; readonly skew: number },
): Box {
  const [sin, cos] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)];
  const corners = [x0, x1].flatMap((x) =>
    [y0, y1].map((y) => {
      const [dx, dy] = [x - from.width / 2, y - from.height / 2];
      return [(dx * cos - dy * sin) / to.width + 0.5, (dx * sin + dy * cos) / to.height + 0.5] as const;
    }),
  );
  return boxAround(corners);
}

function boxAround(points: readonly Point[]): Box {
  const xs = points.map(([x]) => share(x));
  const ys = points.map(([, y]) => share(y));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The same part before the picture was turned right. */
function turnedBack([left, top, right, bottom]: Box, degrees: number): Box {
  if (degrees === 90) return [top, share(1 - right), bottom, share(1 - left)];
  if (degrees === 180) return [share(1 - right), share(1 - bottom), share(1 - left), share(1 - top)];
  return degrees === 270 ? [share(1 - bottom), left, share(1 - top), right] : [left, top, right, bottom];
}

/** Three digits place a box to a few pixels. */
function share(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
}

function confidenceOf(lines: readonly FoundLine[]): number {
  const words = lines.flatMap((line) => line.words);
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
}

/** How many letters were recognised, each counted by how sure it is. */
function sureLetters(lines: readonly FoundLine[]): number {
  const words = lines.flatMap((line) => line.words);
  return words.reduce((sum, { text, confidence }) => sum + (text.length * Math.max(0, confidence - 50)) / 50, 0);
}
