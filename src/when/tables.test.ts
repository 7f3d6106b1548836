import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { understand } from './understand.ts';
import { zoneOf } from './zone.ts';

/** A row of a table: what is said, the local time at which it is said, and the expected instants in each zone. */
interface Row {
  readonly said: string;
  readonly now: string;
  readonly instants: ReadonlyMap<string, string>;
}

/**
 * The tables are made by `expected.py`, whose calendar and zones are independent of ours: Python's `datetime` and
 * `zoneinfo`.
 */
function tableOf(name: string): Row[] {
  const [head = '', ...lines] = readFileSync(join(import.meta.dirname, 'tables', name), 'utf8')
    .trim()
    .split('\n');
  const zones = head.split(';').slice(2);
  // The tables run again for each mutant: there one zone has to do, which can only miss mutants.
  const tried = zones.filter((zone) => process.env.MUTATE_PART === undefined || zone === 'America/New_York');
  return lines.map((line) => {
    const [said = '', now = '', ...instants] = line.split(';');
    return { said, now, instants: new Map(tried.map((zone) => [zone, instants[zones.indexOf(zone)] ?? ''])) };
  });
}

function nextOf({ said, now }: Row, timeZone: string, count: number): string {
  const from = new Date(zoneOf(timeZone).instantAt(Date.parse(`${now.replace(' ', 'T')}Z`)));
  try {
    const { next } = understand(said, { timeZone, from, count });
    return next.map((at) => at.toISOString().replace(':00.000Z', 'Z')).join(' ');
  } catch (error) {
    return `refused: ${String(error)}`;
  }
}

/** All differences, so that one run shows everything. */
function wrongIn(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    [...row.instants].flatMap(([zone, expected]) => {
      const found = nextOf(row, zone, expected.split(' ').length);
      return found === expected ? [] : [`${row.said} (${row.now} ${zone}): ${found}, not ${expected}`];
    }),
  );
}

/** One test per block, so that a mutant only runs the blocks that cover it. */
const BLOCK_ROWS = 50;

describe.each([
  ['en.csv', 600],
  ['de.csv', 250],
] as const)('%s: every phrase is right in all zones and over their clock changes', (name, atLeast) => {
  const rows = tableOf(name);
  const starts = rows.flatMap((row, index) => (index % BLOCK_ROWS === 0 ? [[row.said, index] as const] : []));
  test('of many phrases', () => expect(new Set(rows.map(({ said }) => said)).size).toBeGreaterThanOrEqual(atLeast));
  test.each(starts)('from "%s"', (_, start) => expect(wrongIn(rows.slice(start, start + BLOCK_ROWS))).toEqual([]));
});
