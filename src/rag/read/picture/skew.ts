import type { Grey } from './image.ts';

/** Lines of text steeper than this are seen in pictures of something else. */
const STEEPEST = 12;
const COARSE = 0.5;
const FINE = 0.1;
/** The slope is as clear in a smaller picture. */
const WIDTH = 600;
const DARK = 140;

/**
 * How much the lines of a text slope, in degrees, downwards to the right: the angle at which rows of ink and rows of
 * paper are told apart best.
 *
 * @param grey  evenly lit.
 * @see Postl 1986, "Detection of linear oblique structures and skew scan in digitized documents"
 */
export function skewOf(grey: Grey): number {
  const ink = inkOf(grey);
  const sharpness = (degrees: number) => contrast(ink, Math.tan((degrees * Math.PI) / 180));
  const coarse = best(0, STEEPEST, COARSE, sharpness);
  return best(coarse, COARSE, FINE, sharpness);
}

/** Of angles around a middle one the one of the highest worth; the middle one on a tie. */
function best(middle: number, reach: number, step: number, worth: (degrees: number) => number): number {
  const steps = Math.round(reach / step);
  const angles = Array.from({ length: 2 * steps + 1 }, (_, at) => middle + (at - steps) * step);
  const most = { degrees: middle, worth: worth(middle) * 1.001 };
  for (const degrees of angles) {
    const own = worth(degrees);
    if (own > most.worth) Object.assign(most, { degrees, worth: own });
  }
  return most.degrees;
}

interface Ink {
  readonly height: number;
  readonly xs: Int32Array;
  readonly ys: Int32Array;
}

/** Where the picture is dark, in a grid of at most `WIDTH` columns. */
function inkOf({ width, height, data }: Grey): Ink {
  const step = Math.max(1, Math.floor(width / WIDTH));
  const points: number[] = [];
  for (let y = 0; y < height; y += step)
    for (let x = 0; x < width; x += step) if ((data[y * width + x] ?? 255) < DARK) points.push(x / step, y / step);
  return {
    height: Math.ceil(height / step),
    xs: Int32Array.from({ length: points.length / 2 }, (_, at) => points[2 * at] ?? 0),
    ys: Int32Array.from({ length: points.length / 2 }, (_, at) => points[2 * at + 1] ?? 0),
  };
}

/** How much neighbouring rows differ when they are taken along a slope. */
function contrast({ height, xs, ys }: Ink, slope: number): number {
  const margin = Math.ceil(WIDTH * 2 * Math.abs(slope));
  const rows = new Float64Array(height + 2 * margin + 2);
  for (let at = 0; at < xs.length; at++) {
    const row = Math.round((ys[at] ?? 0) - (xs[at] ?? 0) * slope) + margin;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row++) sum += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2;
  return sum;
}
