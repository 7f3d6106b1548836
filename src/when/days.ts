const DAY_MS = 86_400_000;

/**
 * The number of days from one date to another, both as `2026-11-01`; negative where the second is earlier.
 *
 * @throws RangeError for what is no date.
 */
export function daysApart(from: string, to: string): number {
  return Math.round((startOf(to) - startOf(from)) / DAY_MS);
}

/** The date so many days after another, as `2026-11-10`. @throws RangeError for what is no date, or too far away. */
export function dateAfter(date: string, days: number): string {
  const after = new Date(startOf(date) + Math.trunc(days) * DAY_MS);
  if (Number.isNaN(after.getTime())) throw new RangeError(`${days} days after ${date} is no date`);
  return after.toISOString().slice(0, 10);
}

/** A time of day behind it does not count. */
function startOf(date: string): number {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/u.exec(date)?.[0];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  // "2026-02-30" is taken for the second of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
    throw new RangeError(`"${date}" is no date like 2026-11-01`);
  return at;
}
