/** The middle of the sorted values; of an even number, the mean of the two in the middle. NaN without any. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which `share` of the sorted ones lie, between two of them by proportion. NaN without any. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * How far the middle half of the values is apart, as a share of the median: one run that was disturbed does not change
 * it. `undefined` for fewer than three values, which say nothing about it.
 */
export function spread(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined;
  const width = quantile(values, 0.75) - quantile(values, 0.25);
  return width === 0 ? 0 : width / Math.abs(median(values));
}

/**
 * Run each way once, then each once more, and so on, so that whatever else the machine does meets all of them alike.
 *
 * @param options.warm rounds that are not counted.
 */
export async function interleave<Way extends string, Sample>(
  ways: Readonly<Record<Way, () => Sample | Promise<Sample>>>,
  { rounds, warm = 1 }: { readonly rounds: number; readonly warm?: number },
): Promise<Record<Way, Sample[]>> {
  const names = Object.keys(ways) as Way[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<Way, Sample[]>;
  for (let round = 0; round < warm + rounds; round++)
    for (const name of names) {
      const sample = await ways[name]();
      if (round >= warm) samples[name].push(sample);
    }
  return samples;
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
