import type { Grey } from './image.ts';
import type { Point, Quad } from './sheet.ts';

/** Where a point of the unit square is in a picture, as shares of its width and height. */
export type Projection = (u: number, v: number) => Point;

/**
 * The projection of the unit square to a quadrangle.
 *
 * @see Heckbert 1989, "Fundamentals of texture mapping and image warping", section 2.2.3
 */
export function projectionTo([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Quad): Projection {
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const scale = g * u + h * v + 1;
    return [(a * u + b * v + x0) / scale, (d * u + e * v + y0) / scale];
  };
}

/** What a quadrangle of a picture looks like from straight above, its shorter side so many pixels long. */
export function flattened(grey: Grey, corners: Quad, shortSide: number): Grey {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = corners;
  const length = ([x0, y0]: Point, [x1, y1]: Point) => Math.hypot((x1 - x0) * grey.width, (y1 - y0) * grey.height);
  const across = (length(upperLeft, upperRight) + length(lowerLeft, lowerRight)) / 2;
  const down = (length(upperLeft, lowerLeft) + length(upperRight, lowerRight)) / 2;
  const scale = shortSide / Math.min(across, down);
  const [width, height] = [Math.max(1, Math.round(across * scale)), Math.max(1, Math.round(down * scale))];
  const at = projectionTo(corners);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = between(grey, at((x + 0.5) / width, (y + 0.5) / height));
  return { width, height, data };
}

/** The light at a place between the middles of four pixels. */
function between({ width, height, data }: Grey, [u, v]: Point): number {
  const x = Math.min(width - 1.001, Math.max(0, u * width - 0.5));
  const y = Math.min(height - 1.001, Math.max(0, v * height - 0.5));
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, below] = [x - left, y - top];
  const at = top * width + left;
  const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right;
  const lower = (data[at + width] ?? 0) * (1 - right) + (data[at + width + 1] ?? 0) * right;
  return upper * (1 - below) + lower * below;
}
