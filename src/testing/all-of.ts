/** Everything that comes until the end. */
export async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}
