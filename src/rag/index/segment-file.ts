import { ArrayFile, type Arrays, Damaged, type Written } from './array-file.ts';
import { writeArrays } from './array-file-writer.ts';
import { Lsa } from './lsa.ts';
import { Postings } from './postings.ts';
import type { Segment, SegmentWords } from './segment.ts';

/** Reads parts of its large arrays from a file on demand, until it is closed. */
export interface Lazy {
  close(): void;
}

export function writeSegment(path: string, segment: Segment): Written {
  return writeArrays(path, {
    ids: segment.ids,
    ...postingsArrays('words', segment),
    ...postingsArrays('grams', segment),
  });
}

/** Open a file for reading on demand. @throws Damaged, also later, when a part turns out to be damaged. */
export function openSegment(path: string, expected: Written): Segment & Lazy {
  return openLazily(path, expected, toSegment);
}

/** @throws Damaged */
export function readSegment(path: string, expected: Written): Segment {
  return readWhole(path, expected, toSegment);
}

/**
 * A segment without its n-grams. Its words are read again each time they are asked for, because those of all segments
 * of a large index do not fit in memory together.
 *
 * @throws Damaged, also later.
 */
export function readSegmentWords(path: string, expected: Written): SegmentWords & { readonly postings: number } {
  const { ids, postings } = readWords(path, expected);
  return {
    ids,
    postings,
    get words() {
      return readWords(path, expected).words;
    },
  };
}

/** Copied out, because a view would keep the whole buffer alive, and reused memory is not free even if unwritten. */
function readWords(path: string, expected: Written) {
  const file = new ArrayFile(path, expected);
  try {
    const { arrays } = toPostings(file, 'words');
    file.bring('words.entries');
    const { starts, entries, lengths, ceilings, terms } = arrays;
    const [bytes, offsets, slots] = [terms.bytes.slice(), terms.offsets.slice(), terms.slots.slice()];
    const words = new Postings({
      ...{ terms: { bytes, offsets, slots }, starts: starts.slice(), entries: entries.slice() },
      ...{ lengths: lengths.slice(), ceilings: ceilings.slice() },
    });
    const grams = file.arrays['grams.entries']?.length ?? 0;
    return { ids: u32(file, 'ids').slice(), words, postings: entries.length + grams };
  } finally {
    file.close();
  }
}

/** Unit vectors by chunk id, row by row; zeros for a chunk without one. */
export interface VectorRows {
  readonly ids: Uint32Array;
  readonly vectors: Float32Array;
}

export const NO_VECTORS: VectorRows = { ids: new Uint32Array(0), vectors: new Float32Array(0) };

export function writeVectors(path: string, { ids, vectors }: VectorRows): Written {
  return writeArrays(path, { ids, vectors });
}

/** @throws Damaged */
export function readVectors(path: string, expected: Written): VectorRows {
  return readWhole(path, expected, (file) => ({ ids: u32(file, 'ids'), vectors: f32(file, 'vectors') }));
}

export function writeLsa(path: string, { arrays }: Lsa): Written {
  const { terms, weights, basis, dimensions } = arrays;
  const size = Uint32Array.of(dimensions);
  return writeArrays(path, { bytes: terms.bytes, offsets: terms.offsets, slots: terms.slots, weights, size, basis });
}

/** Open a file for reading on demand. @throws Damaged, also later, when a part turns out to be damaged. */
export function openLsa(path: string, expected: Written): { readonly lsa: Lsa } & Lazy {
  return openLazily(path, expected, (file) => ({ lsa: toLsa(file) }));
}

/** @throws Damaged */
export function readLsa(path: string, expected: Written): Lsa {
  return readWhole(path, expected, toLsa);
}

function openLazily<T>(path: string, expected: Written, take: (file: ArrayFile) => T): T & Lazy {
  const file = new ArrayFile(path, expected);
  try {
    return { ...take(file), close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

function readWhole<T>(path: string, expected: Written, take: (file: ArrayFile) => T): T {
  const file = new ArrayFile(path, expected);
  try {
    file.bringAll();
    return take(file);
  } finally {
    file.close();
  }
}

function postingsArrays(kind: 'words' | 'grams', segment: Segment): Arrays {
  const { terms, starts, entries, lengths, ceilings } = segment[kind].arrays;
  return {
    [`${kind}.bytes`]: terms.bytes,
    [`${kind}.offsets`]: terms.offsets,
    [`${kind}.slots`]: terms.slots,
    [`${kind}.starts`]: starts,
    [`${kind}.lengths`]: lengths,
    [`${kind}.ceilings`]: ceilings,
    [`${kind}.entries`]: entries,
  };
}

function toSegment(file: ArrayFile): Segment {
  return { ids: u32(file, 'ids'), words: toPostings(file, 'words'), grams: toPostings(file, 'grams') };
}

function toPostings(file: ArrayFile, kind: 'words' | 'grams'): Postings {
  const arrays = {
    terms: {
      bytes: u8(file, `${kind}.bytes`),
      offsets: u32(file, `${kind}.offsets`),
      slots: u32(file, `${kind}.slots`),
    },
    starts: u32(file, `${kind}.starts`),
    lengths: u32(file, `${kind}.lengths`),
    ceilings: f32(file, `${kind}.ceilings`),
    entries: u32(file, `${kind}.entries`, 'later'),
  };
  return new Postings(arrays, (from, to) => file.bring(`${kind}.entries`, from, to));
}

function toLsa(file: ArrayFile): Lsa {
  const terms = { bytes: u8(file, 'bytes'), offsets: u32(file, 'offsets'), slots: u32(file, 'slots') };
  const dimensions = u32(file, 'size')[0] ?? 0;
  const arrays = { terms, weights: f32(file, 'weights'), basis: f32(file, 'basis', 'later'), dimensions };
  return new Lsa(arrays, (from, to) => file.bring('basis', from, to));
}

/** Whether an array is read at once, or later in parts. */
type When = 'now' | 'later';

function u8(file: ArrayFile, name: string, when?: When): Uint8Array {
  const array = arrayOf(file, name, when);
  if (array instanceof Uint8Array) return array;
  throw new Damaged(file.path, `array ${name} is of another type`);
}

function u32(file: ArrayFile, name: string, when?: When): Uint32Array {
  const array = arrayOf(file, name, when);
  if (array instanceof Uint32Array) return array;
  throw new Damaged(file.path, `array ${name} is of another type`);
}

function f32(file: ArrayFile, name: string, when?: When): Float32Array {
  const array = arrayOf(file, name, when);
  if (array instanceof Float32Array) return array;
  throw new Damaged(file.path, `array ${name} is of another type`);
}

function arrayOf(file: ArrayFile, name: string, when: When = 'now'): Arrays[string] | undefined {
  if (when === 'now') file.bring(name);
  return file.arrays[name];
}
