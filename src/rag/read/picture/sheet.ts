import { fromRaw, type Grey, lightest, raw } from './image.ts';

export type Point = readonly [x: number, y: number];
/** Corners, clockwise from the upper left one, as shares of a picture's width and height. */
export type Quad = readonly [Point, Point, Point, Point];

/** What a picture shows of a sheet of paper that covers its middle. */
export type FoundSheet =
  | { readonly corners: Quad }
  /** A sheet without straight sides, such as a curled receipt: whether it is at a place, in shares too. */
  | { readonly covers: (x: number, y: number) => boolean };

/** A picture is looked at in so many squares along its longer side. */
const SQUARES = 200;
/** And each of these in so many places, along its sides. */
const PLACES = 4;
/** Light that differs more between neighbouring squares is not even. */
const EDGE = 0.8;
/** Of what is large enough, one of so many squares is a part, each way. */
const STARTS = 8;
/** What is smaller is a gap between letters. */
const LEAST_PLACE = 0.01;
/** A sheet that fills less of a picture is not what it shows. */
const LEAST_SHEET = 0.2;
/** What is around a sheet is darker than the sheet, by more. Else it may be a part of it, beyond a dark stripe. */
const AROUND = 0.88;
/** A side that slopes more than this, as a tangent, is not the one that was looked for. */
const STEEPEST = 0.3;
const SLOPE_STEP = 0.005;
/** So much of what bounds a sheet lies on a line, or its side is not straight. */
const LEAST_STRAIGHT = 0.55;

/** The sheet that covers the middle of a picture; undefined where it fills the picture, or there is none. */
export async function sheetIn(grey: Grey): Promise<FoundSheet | undefined> {
  const light = await lightIn(grey);
  const sheet = paperIn(light);
  if (sheet === undefined) return undefined;
  const { rows, columns } = sheet;
  const corners = cornersOf(rows, columns);
  if (corners) return { corners };
  return {
    covers: (x, y) => {
      const [first = 1, last = 0] = rows[Math.floor(y * light.height)] ?? [];
      return x * light.width >= first && x * light.width < last + 1;
    },
  };
}

/** The light of each square, without letters and noise: of places that are small, but not pixels, the lightest. */
async function lightIn(grey: Grey): Promise<Grey> {
  const scale = (SQUARES * PLACES) / Math.max(grey.width, grey.height);
  const [width, height] = [Math.ceil(grey.width * scale), Math.ceil(grey.height * scale)];
  return lightest(await raw((await fromRaw(grey)).resize({ width, height, fit: 'fill' })), PLACES);
}

/** A part of a picture that is evenly lit. */
interface Place {
  readonly squares: Uint8Array;
  /** Of each of its rows and columns of squares the first and the last that it reaches. */
  readonly rows: readonly Span[];
  readonly columns: readonly Span[];
  readonly light: number;
  /** Of the picture, with what it encloses to its left and right. */
  readonly share: number;
}

/** The largest of the lightest places around the middle, unless more paper lies beyond its edges. */
function paperIn(light: Grey): Place | undefined {
  const places = evenPlaces(light).map((squares) => placeOf(squares, light));
  const [x, y] = [light.width >> 1, light.height >> 1];
  const reaches = (span: Span, at: number) => span !== undefined && span[0] <= at && at <= span[1];
  const around = places.filter(
    ({ rows, columns, share }) => share >= LEAST_SHEET && (reaches(rows[y], x) || reaches(columns[x], y)),
  );
  const lightest = Math.max(...around.map((place) => place.light));
  const bright = around.filter((place) => place.light > AROUND * lightest).sort((a, b) => b.share - a.share);
  const [sheet] = bright;
  if (sheet === undefined || sheet.share === 1) return undefined;
  const isBeyond = ({ squares }: Place) =>
    squares.some((square, at) => square === 1 && !reaches(sheet.rows[Math.floor(at / light.width)], at % light.width));
  const isWhole = places.every((place) => place.light < AROUND * sheet.light || !isBeyond(place));
  return isWhole ? sheet : undefined;
}

function placeOf(squares: Uint8Array, { width, height, data }: Grey): Place {
  const rows = spans(squares, { across: width, along: height, stepAcross: 1, stepAlong: width });
  const columns = spans(squares, { across: height, along: width, stepAcross: width, stepAlong: 1 });
  const own = data.filter((_, at) => squares[at] === 1);
  const reached = rows.reduce((sum, span) => sum + (span ? span[1] - span[0] + 1 : 0), 0);
  const light = own.reduce((sum, value) => sum + value, 0) / own.length;
  return { squares, rows, columns, light, share: reached / data.length };
}

/** Squares between which light is even everywhere: it is not at the edge of a sheet, nor at its letters. */
function evenPlaces({ width, height, data }: Grey): Uint8Array[] {
  const seen = new Uint8Array(data.length);
  const isEven = (x: number, y: number): boolean => {
    let [least, most] = [255, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const light = data[row * width + column] ?? 0;
        [least, most] = [Math.min(least, light), Math.max(most, light)];
      }
    return least > EDGE * most;
  };
  const placeFrom = (x: number, y: number): Uint8Array[] => {
    if (seen[y * width + x] === 1) return [];
    const place = new Uint8Array(data.length);
    const next: Point[] = [[x, y]];
    let count = 0;
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      const [column, row] = at;
      const isInside = column >= 0 && row >= 0 && column < width && row < height;
      if (!isInside || seen[row * width + column] === 1) continue;
      seen[row * width + column] = 1;
      if (!isEven(column, row)) continue;
      place[row * width + column] = 1;
      count++;
      next.push([column + 1, row], [column - 1, row], [column, row + 1], [column, row - 1]);
    }
    return count < LEAST_PLACE * data.length ? [] : [place];
  };
  const starts = Array.from(data.keys()).filter((at) => at % STARTS === 0 && Math.floor(at / width) % STARTS === 0);
  return starts.flatMap((at) => placeFrom(at % width, Math.floor(at / width)));
}

/** From the first to the last square of the sheet; undefined where a row or a column has none. */
type Span = readonly [first: number, last: number] | undefined;

interface Walk {
  readonly across: number;
  readonly along: number;
  readonly stepAcross: number;
  readonly stepAlong: number;
}

function spans(isPaper: Uint8Array, { across, along, stepAcross, stepAlong }: Walk): Span[] {
  return Array.from({ length: along }, (_, line) => {
    const own = Array.from({ length: across }, (__, at) => isPaper[line * stepAlong + at * stepAcross]);
    const first = own.indexOf(1);
    return first < 0 ? undefined : [first, own.lastIndexOf(1)];
  });
}

/** @returns undefined where one of the sides is not straight. */
function cornersOf(rows: readonly Span[], columns: readonly Span[]): Quad | undefined {
  const side = (lines: readonly Span[], end: 0 | 1) =>
    lineThrough(lines.flatMap((span, at): Point[] => (span ? [[at, span[end]]] : [])));
  const [left, right] = [side(rows, 0), side(rows, 1)];
  const [top, bottom] = [side(columns, 0), side(columns, 1)];
  if (!left || !right || !top || !bottom) return undefined;
  const corner = (upright: Line, level: Line, [dx, dy]: Point): Point => {
    const y = (level.at + level.slope * upright.at) / (1 - level.slope * upright.slope);
    return [(upright.at + upright.slope * y + dx) / columns.length, (y + dy) / rows.length];
  };
  return [
    corner(left, top, [0, 0]),
    corner(right, top, [1, 0]),
    corner(right, bottom, [1, 1]),
    corner(left, bottom, [0, 1]),
  ];
}

/** y = at + slope x. */
interface Line {
  readonly at: number;
  readonly slope: number;
}

/** The line that most points lie on. @see Duda and Hart 1972, "Use of the Hough transformation" */
function lineThrough(points: readonly Point[]): Line | undefined {
  const most = { slope: 0, at: 0, count: 0 };
  for (let slope = -STEEPEST; slope <= STEEPEST; slope += SLOPE_STEP) {
    const counts = new Map<number, number>();
    for (const [x, y] of points) {
      const at = Math.round(y - slope * x);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    for (const [at, own] of counts) {
      const count = own + Math.max(counts.get(at - 1) ?? 0, counts.get(at + 1) ?? 0);
      if (count > most.count) Object.assign(most, { slope, at, count });
    }
  }
  if (most.count < LEAST_STRAIGHT * points.length) return undefined;
  return leastSquares(points.filter(([x, y]) => Math.abs(y - most.slope * x - most.at) <= 1.5));
}

function leastSquares(points: readonly Point[]): Line {
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const spread = mean((point) => (point[0] - x) ** 2);
  const slope = spread === 0 ? 0 : mean((point) => (point[0] - x) * (point[1] - y)) / spread;
  return { slope, at: y - slope * x };
}
