/** The time as the program sees it; tests supply their own. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds, for durations; the zero point is arbitrary. */
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
