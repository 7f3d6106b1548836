/** The time as the program sees it; tests pass in their own. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never go back, for durations; their zero point means nothing. */
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
