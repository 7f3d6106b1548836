import { writeFileSync } from 'node:fs';
import { type Figure, linesOf } from './figure.ts';
import { table } from './page.ts';

/** Where the harness that runs a suite wants its figures. */
export const REPORT_VARIABLE = 'BENCH_REPORT';

/**
 * The last thing that a suite does: hand its figures to the harness, or, run alone, print them and end with 1 when a
 * target is missed.
 */
export function report(figures: readonly Figure[]): void {
  const path = process.env[REPORT_VARIABLE];
  if (path !== undefined) {
    writeFileSync(path, JSON.stringify(figures));
    return;
  }
  const lines = linesOf(figures);
  console.log(table(lines));
  if (lines.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
