/** Slots for runs that several schedulers of one process share. */
export interface Slots {
  /** Take up to this many slots; a scheduler that gets fewer queues for more. */
  take(most: number): number;
  /** Give slots back. */
  give(places: number): void;
  /** There is no more to start: leave the queue. */
  enough(): void;
  /** Set what to do when there is a slot for this scheduler. */
  onFree(start: () => Promise<void>): void;
}

/** For a scheduler that has its process to itself: `concurrency` alone bounds it. */
export const ownSlots: Slots = { take: (most) => most, give() {}, enough() {}, onFree() {} };
