/** A habit that is due every day, or a number of times a week. */
export interface Rhythm {
  readonly every: 'day' | 'week';
  /** Per week; ignored for a daily habit. */
  readonly times: number;
}

export interface Streak {
  /** Consecutive days or weeks up to now. The current one does not break the streak. */
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
