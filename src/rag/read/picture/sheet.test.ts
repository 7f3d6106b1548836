import { expect, test } from 'vitest';
import { flattened, projectionTo } from './flat.ts';
import type { Grey } from './image.ts';
import { type Point, type Quad, sheetIn } from './sheet.ts';

const [WIDTH, HEIGHT] = [800, 1000];
const [TABLE, PAPER, INK] = [100, 238, 20];

interface Shape {
  readonly points: readonly Point[];
  readonly light: number;
}

/** Shapes one above the other, half as large: finding what is in a shape takes its time. */
function pictureOf(shapes: readonly Shape[], background = TABLE): Grey {
  const [width, height] = [WIDTH / 2, HEIGHT / 2];
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    const place: Point = [2 * (at % width) + 1, 2 * Math.floor(at / width) + 1];
    return shapes.findLast(({ points }) => isIn(points, place))?.light ?? background;
  });
  return { width, height, data };
}

/** Whether a ray to the right leaves the shape more often than it enters. */
function isIn(points: readonly Point[], [x, y]: Point): boolean {
  const crossed = points.filter(([x1, y1], at) => {
    const [x2, y2] = points.at(at - 1) ?? [0, 0];
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1;
  });
  return crossed.length % 2 === 1;
}

const box = (x: number, y: number, width: number, height: number, light: number): Shape => ({
  points: [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
  light,
});
const linesAt = (x: number) => Array.from({ length: 12 }, (_, at) => box(x, 300 + 40 * at, 160, 12, INK));
const LINES = linesAt(320);
const sheet = (...points: Point[]): Shape => ({ points, light: PAPER });

async function cornersIn(picture: Grey): Promise<number[][]> {
  const found = await sheetIn(picture);
  if (!found || !('corners' in found)) throw new Error('no corners were found');
  return found.corners.map(([x, y]) => [x * WIDTH, y * HEIGHT]);
}

/** A square is a two-hundredth of the longer side, and one or two of them are left out at each edge. */
function about(...points: readonly Point[]) {
  return points.map((point) =>
    point.map((value) => expect.toSatisfy((found: number) => Math.abs(found - value) <= 14, `about ${value}`)),
  );
}

test('the corners of a sheet in perspective are found, whatever is written on it', async () => {
  const points: Point[] = [
    [150, 90],
    [690, 130],
    [740, 930],
    [60, 880],
  ];
  expect(await cornersIn(pictureOf([sheet(...points), ...LINES]))).toEqual(about(...points));
});

test('a sheet that the picture cuts off ends with the picture', async () => {
  const found = await cornersIn(pictureOf([sheet([100, -50], [900, -50], [900, 900], [60, 880]), ...LINES]));
  expect(found).toEqual(about([98, 0], [800, 0], [800, 898], [60, 880]));
});

test('a curled receipt has no corners, but is told from the table', async () => {
  const side = (x: number, by: number) =>
    Array.from({ length: 30 }, (_, at): Point => [x + by * Math.sin((at / 29) * Math.PI), 60 + 30 * at]);
  const found = await sheetIn(pictureOf([sheet(...side(560, 100), ...side(260, 90).reverse()), ...linesAt(420)]));
  expect(found).not.toHaveProperty('corners');
  const { covers } = found as { covers: (x: number, y: number) => boolean };
  const places: Point[] = [
    [0.6, 0.5],
    [0.05, 0.5],
    [0.95, 0.5],
    [0.5, 0.01],
  ];
  expect(places.map(([x, y]) => covers(x, y))).toEqual([true, false, false, false]);
});

test('paper beyond a dark stripe is of the same sheet, and a picture that is all paper has no other around it', async () => {
  expect(await sheetIn(pictureOf([box(0, 120, WIDTH, 60, INK), ...LINES], PAPER))).toBeUndefined();
  expect(await sheetIn(pictureOf(LINES, PAPER))).toBeUndefined();
});

test('what was a sheet in perspective is a rectangle again, and each of its corners is found in the picture', () => {
  const corners: Quad = [
    [0.2, 0.1],
    [0.8, 0.2],
    [0.9, 0.9],
    [0.1, 0.8],
  ];
  const at = projectionTo(corners);
  const found = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
  expect(found).toEqual(corners.map((corner) => corner.map((share) => expect.closeTo(share, 10))));
  const picture = pictureOf([sheet(...corners.map(([x, y]): Point => [x * WIDTH, y * HEIGHT]))]);
  const { width, height, data } = flattened(picture, corners, 100);
  const inner = data.filter((_, pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return Math.min(x, y, width - 1 - x, height - 1 - y) > 1;
  });
  expect([Math.min(width, height), Math.min(...inner)]).toEqual([100, PAPER]);
});
