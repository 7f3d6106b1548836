import { citation } from '../citation.ts';
import type { HitContext, Locator } from '../types.ts';
import type { StoredChunk } from './corpus.ts';

/**
 * The neighbours of a hit in its file, with one citation that covers them and the hit.
 *
 * @param around the hit's chunk and its neighbours, in the order of the file.
 */
export function hitContext(chunkId: number, around: readonly StoredChunk[]): HitContext {
  const at = around.findIndex(({ id }) => id === chunkId);
  const where = spanOf(around);
  return {
    ...where,
    before: joined(around.slice(0, at)),
    after: joined(around.slice(at + 1)),
    citation: citation(where),
  };
}

function joined(chunks: readonly StoredChunk[]): string {
  return chunks.map(({ text }) => text).join('\n\n');
}

/** From the start of the first chunk to the end of the last; headings as far as they have them in common. */
function spanOf(chunks: readonly StoredChunk[]): Locator {
  return {
    file: chunks[0]?.file ?? '',
    heading: commonStart(chunks.map(({ heading }) => heading)),
    pages: rangeOver(chunks.map(({ pages }) => pages)),
    lines: rangeOver(chunks.map(({ lines }) => lines)),
    place: placeOver(chunks.map(({ place }) => place)),
    ...(chunks.some(({ uncertain }) => uncertain) && { uncertain: true }),
  };
}

function rangeOver(ranges: readonly (readonly [number, number] | undefined)[]): readonly [number, number] | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (known.length === 0) return undefined;
  return [Math.min(...known.map(([from]) => from)), Math.max(...known.map(([, to]) => to))];
}

function placeOver(places: readonly (string | undefined)[]): string | undefined {
  const known = [...new Set(places.filter((place) => place !== undefined))];
  const [first] = known;
  return known.length > 1 ? `${first} to ${known.at(-1)}` : first;
}

function commonStart(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = paths;
  const length = first.findIndex((heading, depth) => paths.some((path) => path[depth] !== heading));
  return length < 0 ? first : first.slice(0, length);
}
