import { type BatchOptions, batch } from './batch.ts';
import { chunkArray } from './chunks.ts';

type Step = (items: readonly unknown[]) => Promise<readonly unknown[]>;
export type VolumeOptions = Pick<
  BatchOptions<unknown, unknown>,
  'maxConcurrency' | 'costBudget' | 'rateLimit' | 'abortSignal' | 'onProgress'
>;

/** A lazy pipeline over a list, which runs when `execute` is called; each step returns a new dataset. */
export class Dataset<T> {
  readonly #source: readonly unknown[];
  readonly #steps: readonly Step[];

  private constructor(source: readonly unknown[], steps: readonly Step[]) {
    this.#source = source;
    this.#steps = steps;
  }

  static from<T>(items: Iterable<T>): Dataset<T> {
    return new Dataset<T>([...items], []);
  }

  /** From `start` up to but not including `end`. */
  static range(start: number, end: number, step = 1): Dataset<number> {
    return Dataset.from(
      Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, at) => start + at * step),
    );
  }

  /** A failed item fails the whole; use `batch` to continue. */
  map<U>(change: (item: T, index: number) => U | Promise<U>, options: VolumeOptions = {}): Dataset<U> {
    return this.#with<U>(async (items) => {
      const processor = async (item: unknown, index: number) => change(item as T, index);
      const { results, stopped } = await batch({ ...options, items, onError: 'fail_fast', processor });
      if (stopped) throw stopped;
      return results;
    });
  }

  filter(keep: (item: T, index: number) => boolean | Promise<boolean>): Dataset<T> {
    return this.#with<T>(async (items) => {
      const kept = await Promise.all(items.map(async (item, index) => keep(item as T, index)));
      return items.filter((_, index) => kept[index]);
    });
  }

  flatMap<U>(change: (item: T, index: number) => readonly U[] | Promise<readonly U[]>): Dataset<U> {
    return this.map(change).#with<U>(async (lists) => (lists as U[][]).flat());
  }

  batch(size: number): Dataset<T[]> {
    return this.#with<T[]>(async (items) => chunkArray(items as readonly T[], size));
  }

  async reduce<U>(join: (total: U, item: T, index: number) => U | Promise<U>, initial: U): Promise<U> {
    let total = initial;
    for (const [index, item] of (await this.execute()).toArray().entries()) total = await join(total, item, index);
    return total;
  }

  async execute(): Promise<DatasetResult<T>> {
    let items = this.#source;
    for (const step of this.#steps) items = await step(items);
    return new DatasetResult(items as readonly T[]);
  }

  #with<U>(step: Step): Dataset<U> {
    return new Dataset<U>(this.#source, [...this.#steps, step]);
  }
}

/** The result of a dataset. */
export class DatasetResult<T> {
  readonly #items: readonly T[];

  constructor(items: readonly T[]) {
    this.#items = items;
  }

  get length(): number {
    return this.#items.length;
  }

  toArray(): T[] {
    return [...this.#items];
  }

  first(): T | undefined {
    return this.#items[0];
  }

  last(): T | undefined {
    return this.#items.at(-1);
  }

  take(count: number): T[] {
    return this.#items.slice(0, count);
  }
}
