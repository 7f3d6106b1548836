interface Waiter {
  readonly network: boolean;
  start(): void;
}

/** Limits how many calls are in progress, and how many of them use the network. The others wait in order. */
export class CallLimiter {
  readonly #max: number;
  readonly #maxNetwork: number;
  readonly #waiting: Waiter[] = [];
  #running = 0;
  #runningNetwork = 0;

  constructor(max: number, maxNetwork: number) {
    this.#max = max;
    this.#maxNetwork = maxNetwork;
  }

  /** Do `work` as soon as there is a place. */
  async run<T>(network: boolean, work: () => Promise<T>): Promise<T> {
    if (!this.#fits(network)) await new Promise<void>((start) => this.#waiting.push({ network, start }));
    else this.#count(network, 1);
    try {
      return await work();
    } finally {
      this.#count(network, -1);
      this.#next();
    }
  }

  #fits(network: boolean): boolean {
    return this.#running < this.#max && (!network || this.#runningNetwork < this.#maxNetwork);
  }

  #count(network: boolean, by: 1 | -1): void {
    this.#running += by;
    if (network) this.#runningNetwork += by;
  }

  #next(): void {
    const index = this.#waiting.findIndex(({ network }) => this.#fits(network));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    this.#count(next.network, 1);
    next.start();
  }
}
