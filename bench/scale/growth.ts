import type { Figure } from '../harness/figure.ts';
import { median } from '../harness/statistics.ts';

/** One size and what was measured there. */
export interface Point {
  readonly size: number;
  readonly samples: readonly number[];
}

/**
 * The exponent of the curve: 0 when the cost does not depend on the size, 1 when it doubles with it. By least squares in
 * logarithms, as cost = a * size ** exponent.
 */
export function exponent(points: readonly Point[]): number {
  const at = points.map(({ size, samples }) => [Math.log(size), Math.log(Math.max(median(samples), 1e-6))] as const);
  const mean = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length;
  const [x, y] = [mean(at.map(([each]) => each)), mean(at.map(([, each]) => each))];
  const slope = at.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return slope / at.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** What the cost is at a size beyond the last one that was measured, if it goes on in a straight line from the last two. */
export function beyond(points: readonly Point[], size: number): number {
  const [before, last] = points.slice(-2);
  if (!before || !last) return Number.NaN;
  const [low, high] = [median(before.samples), median(last.samples)];
  return high + (size - last.size) * Math.max(0, (high - low) / (last.size - before.size));
}

/** A line for each size; the last says how the cost grows, and what that comes to at the largest size. */
export function curve(what: string, unit: string, points: readonly Point[], largest: number): Figure[] {
  return points.map(({ size, samples }, at) => {
    const line = { what: `${what}: ${size.toLocaleString('en')}`, unit, samples };
    if (at < points.length - 1) return line;
    const then = Number(beyond(points, largest).toPrecision(2)).toLocaleString('en');
    const power = exponent(points).toFixed(2);
    return {
      ...line,
      note: `grows with size^${power}; in a straight line ${then} ${unit} at ${largest.toLocaleString('en')}`,
    };
  });
}
