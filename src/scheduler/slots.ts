/** Places for runs that several schedulers of one process share. */
export interface Slots {
  /** Take up to so many places; with fewer than that, this scheduler is in line for more. */
  take(most: number): number;
  /** Give places back. */
  give(places: number): void;
  /** There is no more to start: leave the line. */
  enough(): void;
  /** What to do when there is a place for this scheduler. */
  onFree(start: () => Promise<void>): void;
}

/** For a scheduler that has its process to itself: `concurrency` alone bounds it. */
export const ownSlots: Slots = { take: (most) => most, give() {}, enough() {}, onFree() {} };
