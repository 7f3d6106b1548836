import { nextCron, readExpression } from '../when/cron.ts';
import { DAY_MS, zoneOf } from '../when/zone.ts';
import { PlainPattern, WallTable } from './cron-by-looking.ts';
import type { Span } from './wall.ts';

/** Instants are taken from the first two years; what they are followed by may come in the third to fifth. */
const ASKED: Span = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) };
const LOOKED_AT: Span = { from: Date.UTC(2025, 11, 30), to: Date.UTC(2031, 0, 1) };

export interface Compared {
  readonly triples: number;
  /** Triples whose instant lies within a day and a half of a clock change. */
  readonly nearChanges: number;
  readonly wrong: readonly string[];
}

/**
 * Compare our next run with that of an oracle for random patterns and instants in one zone. Where it has clock changes
 * half of the instants lie around one. A second, random instant before the next run has to give the same one.
 */
export function compareRandomTimes(timeZone: string, count: number, random: () => number): Compared {
  const table = new WallTable(timeZone, LOOKED_AT);
  const zone = zoneOf(timeZone);
  const changes = table.changes.filter((change) => change > ASKED.from && change < ASKED.to);
  const wrong: string[] = [];
  let nearChanges = 0;
  for (let n = 0; n < count; n++) {
    const near = changes.length > 0 && random() < 0.5 ? pick(changes, random) : undefined;
    const pattern = randomPattern(random, near === undefined ? undefined : hourOf(zone.wallAt(near)));
    const after = Math.floor(
      near === undefined ? ASKED.from + random() * (ASKED.to - ASKED.from) : near + (random() - 0.5) * 3 * DAY_MS,
    );
    if (near !== undefined) nearChanges++;
    const expected = table.next(new PlainPattern(pattern), after);
    const expression = readExpression(pattern);
    const next = (from: number) => nextCron(expression, zone, new Date(from))?.getTime();
    const found = next(after);
    const again = next(after + Math.floor(random() * ((found ?? after) - after)));
    if (found !== expected || again !== found)
      wrong.push(
        `${timeZone} ${pattern} after ${show(after)}: ${show(found)}, then ${show(again)}, instead of ${show(expected)}`,
      );
  }
  return { triples: count, nearChanges, wrong };
}

function show(instant: number | undefined): string {
  return instant === undefined ? 'never' : new Date(instant).toISOString();
}

function hourOf(wallMs: number): number {
  return new Date(wallMs).getUTCHours();
}

/** @param around an hour that the times of day are likely to be near. */
function randomPattern(random: () => number, around: number | undefined): string {
  const below = (end: number) => Math.floor(random() * end);
  const hour = () => (around !== undefined && random() < 0.7 ? (around + 23 + below(3)) % 24 : below(24));
  const minute = () => (random() < 0.5 ? below(4) * 15 : below(60));
  const list = (one: () => number) => [...new Set([one(), ...(random() < 0.3 ? [one()] : [])])].join(',');
  const range = (one: () => number, max: number) => {
    const first = one();
    return `${first}-${Math.min(max, first + below(5))}`;
  };
  const times = pick(
    [
      () => `${list(minute)} ${list(hour)}`,
      () => `${list(minute)} ${list(hour)}`,
      () => `*/${1 + below(30)} ${list(hour)}`,
      () => `${list(minute)} *`,
      () => `${list(minute)} */${1 + below(12)}`,
      () => `${list(minute)} ${range(hour, 23)}`,
      () => `${range(minute, 59)} ${pick(['*', String(hour())], random)}`,
      () => `*/${1 + below(30)} ${range(hour, 23)}`,
    ],
    random,
  )();
  const seconds = pick(['', '', '', '', '0 ', `${below(60)} `, `${below(30)},${30 + below(30)} `, '*/20 '], random);
  return `${seconds}${times} ${randomDays(random)}`;
}

function randomDays(random: () => number): string {
  const below = (end: number) => Math.floor(random() * end);
  const weekday = () => below(7);
  return pick(
    [
      () => '* * *',
      () => '* * *',
      () => '* * *',
      () => '* * 1-5',
      () => `* * ${weekday()},${weekday()}`,
      () => `* * ${below(8)}`,
      () => `${1 + below(28)} * *`,
      () => `${1 + below(31)},${1 + below(31)} * *`,
      () => 'L * *',
      () => `1-${2 + below(6)} */3 *`,
      () => `${1 + below(28)} ${1 + below(12)} *`,
      () => `* ${1 + below(6)}-${7 + below(6)} *`,
      () => `* * ${weekday()}#${1 + below(5)}`,
      () => `* * ${weekday()}#L`,
      () => `${1 + below(31)} * ${weekday()}`,
      () => (random() < 0.2 ? '29 2 *' : '31 */2 *'),
    ],
    random,
  )();
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}
