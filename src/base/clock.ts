/** The time as the program sees it; tests hand in their own. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never go back, for durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
