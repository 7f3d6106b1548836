const DAY_MS = 86_400_000;

/** For how long one backup per so many days is kept: every one of a day, then one a day, one a week, one a month. */
const STEPS = [
  { untilDays: 1, everyDays: 0 },
  { untilDays: 8, everyDays: 1 },
  { untilDays: 35, everyDays: 7 },
  { untilDays: 400, everyDays: 30 },
] as const;

/**
 * Which backups to delete, so that those that are left become rarer with their age. The newest one always stays, and so
 * does one that is newer than `now`.
 *
 * @param times when they were made.
 */
export function thinned(times: readonly Date[], now: Date): Date[] {
  const gone: Date[] = [];
  const seen = new Set<string>();
  for (const [index, time] of times.toSorted((a, b) => b.getTime() - a.getTime()).entries()) {
    const ageDays = (now.getTime() - time.getTime()) / DAY_MS;
    const step = STEPS.find(({ untilDays }) => ageDays < untilDays);
    if (step?.everyDays === 0) continue;
    // Counted from the epoch, so that the same backups are chosen at every thinning.
    const slot = step && `${step.everyDays} ${Math.floor(time.getTime() / (step.everyDays * DAY_MS))}`;
    if (index > 0 && (slot === undefined || seen.has(slot))) gone.push(time);
    else seen.add(slot ?? '');
  }
  return gone;
}
