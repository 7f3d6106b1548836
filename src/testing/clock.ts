import type { Clock } from '../base/clock.ts';

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #ms: number;
  #monotonicMs = 0;

  constructor(start: string | Date) {
    this.#ms = new Date(start).getTime();
  }

  now = (): Date => new Date(this.#ms);

  monotonicMs = (): number => this.#monotonicMs;

  /** Time passes. */
  advance(ms: number): void {
    this.#ms += ms;
    this.#monotonicMs += ms;
  }

  /** The wall clock is set; no time passes. */
  set(to: string | Date): void {
    this.#ms = new Date(to).getTime();
  }
}
