import { type Arrays, Damaged, readArrays, type Written, writeArrays } from './container.ts';
import { Lsa } from './lsa.ts';
import { Postings } from './postings.ts';
import type { Segment } from './segment.ts';

export function writeSegment(path: string, segment: Segment): Written {
  return writeArrays(path, {
    ids: segment.ids,
    ...postingsArrays('words', segment),
    ...postingsArrays('grams', segment),
  });
}

/** @throws Damaged */
export function readSegment(path: string, expected: Written): Segment {
  const arrays = readArrays(path, expected);
  return { ids: u32(arrays, 'ids'), words: toPostings(arrays, 'words'), grams: toPostings(arrays, 'grams') };
}

/** Unit vectors of chunks, row by row; zeros where a chunk has none. */
export interface VectorRows {
  readonly ids: Uint32Array;
  readonly vectors: Float32Array;
}

export function writeVectors(path: string, { ids, vectors }: VectorRows): Written {
  return writeArrays(path, { ids, vectors });
}

/** @throws Damaged */
export function readVectors(path: string, expected: Written): VectorRows {
  const arrays = readArrays(path, expected);
  return { ids: u32(arrays, 'ids'), vectors: f32(arrays, 'vectors') };
}

export function writeLsa(path: string, { arrays }: Lsa): Written {
  const { terms, weights, basis, dimensions } = arrays;
  const size = Uint32Array.of(dimensions);
  return writeArrays(path, { bytes: terms.bytes, offsets: terms.offsets, slots: terms.slots, weights, basis, size });
}

/** @throws Damaged */
export function readLsa(path: string, expected: Written): Lsa {
  const arrays = readArrays(path, expected);
  const terms = { bytes: u8(arrays, 'bytes'), offsets: u32(arrays, 'offsets'), slots: u32(arrays, 'slots') };
  const dimensions = u32(arrays, 'size')[0] ?? 0;
  return new Lsa({ terms, weights: f32(arrays, 'weights'), basis: f32(arrays, 'basis'), dimensions });
}

function postingsArrays(kind: 'words' | 'grams', segment: Segment): Arrays {
  const { terms, starts, entries, lengths, ceilings } = segment[kind].arrays;
  return {
    [`${kind}.bytes`]: terms.bytes,
    [`${kind}.offsets`]: terms.offsets,
    [`${kind}.slots`]: terms.slots,
    [`${kind}.starts`]: starts,
    [`${kind}.entries`]: entries,
    [`${kind}.lengths`]: lengths,
    [`${kind}.ceilings`]: ceilings,
  };
}

function toPostings(arrays: Arrays, kind: 'words' | 'grams'): Postings {
  return new Postings({
    terms: {
      bytes: u8(arrays, `${kind}.bytes`),
      offsets: u32(arrays, `${kind}.offsets`),
      slots: u32(arrays, `${kind}.slots`),
    },
    starts: u32(arrays, `${kind}.starts`),
    entries: u32(arrays, `${kind}.entries`),
    lengths: u32(arrays, `${kind}.lengths`),
    ceilings: f32(arrays, `${kind}.ceilings`),
  });
}

function u8(arrays: Arrays, name: string): Uint8Array {
  const array = arrays[name];
  if (array instanceof Uint8Array) return array;
  throw new Damaged(`array ${name} is not there`);
}

function u32(arrays: Arrays, name: string): Uint32Array {
  const array = arrays[name];
  if (array instanceof Uint32Array) return array;
  throw new Damaged(`array ${name} is not there`);
}

function f32(arrays: Arrays, name: string): Float32Array {
  const array = arrays[name];
  if (array instanceof Float32Array) return array;
  throw new Damaged(`array ${name} is not there`);
}
