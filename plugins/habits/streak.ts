/** A habit that is kept every day, or so many times a week. */
export interface Rhythm {
  readonly every: 'day' | 'week';
  /** In a week; of no account for a daily one. */
  readonly times: number;
}

export interface Streak {
  /** Days, or weeks, in a row up to now. One that is not yet over does not break it. */
  readonly current: number;
  readonly longest: number;
}

const DAY_MS = 86_400_000;

/** @param done dates such as `2026-12-24`, in any order. @param today the owner's. */
export function streakOf(done: readonly string[], { every, times }: Rhythm, today: string): Streak {
  const days = new Set(done.map(dayNumber));
  const now = every === 'day' ? dayNumber(today) : weekNumber(dayNumber(today));
  const kept = every === 'day' ? days : fullWeeks(days, times);
  let longest = 0;
  let run = 0;
  for (const period of [...kept].sort((a, b) => a - b)) {
    run = kept.has(period - 1) ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  let current = 0;
  for (let period = kept.has(now) ? now : now - 1; kept.has(period); period--) current++;
  return { current, longest };
}

function fullWeeks(days: ReadonlySet<number>, times: number): Set<number> {
  const weeks = Map.groupBy(days, weekNumber);
  return new Set([...weeks].filter(([, each]) => each.length >= times).map(([week]) => week));
}

function dayNumber(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** Weeks begin on Monday; the first day that is counted was a Thursday. */
function weekNumber(day: number): number {
  return Math.floor((day + 3) / 7);
}
