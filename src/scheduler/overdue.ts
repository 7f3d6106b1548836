/** A run begins within seconds of its time where anything serves; what has not begun by then, nobody runs. */
const LATE_MS = 5_000;

/** Jobs that were due before this time are overdue. */
export function overdueBefore(now: Date): Date {
  return new Date(now.getTime() - LATE_MS);
}

/** Whether a time has passed at which a job should have run. */
export function isOverdue(at: Date, now: Date): boolean {
  return at < overdueBefore(now);
}
