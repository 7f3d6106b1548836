/** Few sizes, so that there are few different statements: each is prepared once. */
const SIZES = [100, 10, 1];

/** Cut rows into batches for statements that insert several at once, in their order. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
  let at = 0;
  for (const size of SIZES) for (; at + size <= rows.length; at += size) yield rows.slice(at, at + size);
}
