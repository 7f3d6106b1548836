import type { Slots } from '../../scheduler/slots.ts';

/** One home's share of the slots, until it leaves. */
export interface Seat extends Slots {
  leave(): void;
}

interface Holder {
  held: number;
  /** Slots reserved for it while it is being woken. */
  kept: number;
  start: () => Promise<void>;
}

/**
 * Slots for runs, shared by the homes of one process. A home holds at most `perHome` of them. When all are taken,
 * homes queue; each slot that becomes free goes to the head of the queue, which then moves to the tail. A home with a
 * thousand due runs and one with a single run therefore take turns.
 */
export class FairSlots {
  readonly #perHome: number;
  #free: number;
  readonly #line = new Set<Holder>();

  constructor(options: { readonly slots: number; readonly perHome: number }) {
    this.#free = options.slots;
    this.#perHome = Math.min(options.perHome, options.slots);
  }

  /** @param within  runs the work of a home in its own context, whichever home released the slot. */
  seat(within: (start: () => Promise<void>) => Promise<void> = (start) => start()): Seat {
    const holder: Holder = { held: 0, kept: 0, start: async () => {} };
    return {
      take: (most) => this.#take(holder, most),
      give: (places) => this.#give(holder, places),
      enough: () => void this.#line.delete(holder),
      onFree: (start) => {
        holder.start = () => within(start);
      },
      leave: () => {
        this.#line.delete(holder);
        this.#free += holder.kept;
        holder.kept = 0;
        this.#offer();
      },
    };
  }

  #take(holder: Holder, most: number): number {
    const wanted = Math.min(most, this.#perHome - holder.held);
    if (wanted <= 0) return 0;
    const kept = Math.min(wanted, holder.kept);
    const more = Math.min(wanted - kept, this.#free);
    holder.kept -= kept;
    this.#free -= more;
    holder.held += kept + more;
    // To the tail of the queue.
    this.#line.delete(holder);
    if (kept + more < wanted) this.#line.add(holder);
    return kept + more;
  }

  #give(holder: Holder, places: number): void {
    holder.held -= places;
    this.#free += places;
    this.#offer();
  }

  /** While any slot is free, the queue is empty. */
  #offer(): void {
    for (const holder of this.#line) {
      if (this.#free === 0) return;
      this.#line.delete(holder);
      this.#free--;
      holder.kept++;
      void this.#wake(holder);
    }
  }

  /** Slots that it does not take go to the next. A home that cannot start its runs finds out at its next poll. */
  async #wake(holder: Holder): Promise<void> {
    await holder.start().catch(() => {});
    this.#free += holder.kept;
    holder.kept = 0;
    this.#offer();
  }
}
