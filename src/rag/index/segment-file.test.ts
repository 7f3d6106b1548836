import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { ArrayFile, Damaged } from './array-file.ts';
import { writeArrays } from './array-file-writer.ts';
import { Bm25 } from './bm25.ts';
import { Lsa } from './lsa.ts';
import { fitLsa } from './lsa-fit.ts';
import { mergeSegments, type Segment, SegmentBuilder } from './segment.ts';
import {
  NO_VECTORS,
  openLsa,
  openSegment,
  readLsa,
  readSegment,
  readSegmentWords,
  readVectors,
  writeLsa,
  writeSegment,
  writeVectors,
} from './segment-file.ts';

const TEXTS = ['harbour boat sail', 'boat boat mast', 'bread flour oven', 'oven bread'];

function segmentOf(texts: readonly string[], from = 10): Segment {
  const builder = new SegmentBuilder();
  for (const [index, text] of texts.entries()) builder.add(from + index, text);
  return builder.build();
}

/** The scores of each word and of its n-grams. */
function found(segment: Segment) {
  const terms = ['harbour', 'boat', 'mast', 'oven', 'bread', 'nothing'];
  const of = (kind: 'words' | 'grams', term: string) => new Bm25([segment[kind]]).search(new Map([[term, 1]]), 9);
  return {
    ids: [...segment.ids],
    words: terms.map((term) => [term, segment.words.frequency(term), of('words', term)]),
    grams: [segment.grams.totalLength, segment.grams.docCount, segment.grams.terms.size],
  };
}

test('a segment is read as it was written, at once or in parts, and its words by themselves', () => {
  const segment = segmentOf(TEXTS);
  expect(found(segment).words.map(([term, frequency]) => [term, frequency])).toEqual([
    ...[
      ['harbour', 1],
      ['boat', 2],
      ['mast', 1],
      ['oven', 2],
      ['bread', 2],
      ['nothing', 0],
    ],
  ]);
  const path = join(temporaryFolder(), 'segment.bin');
  const file = writeSegment(path, segment);
  expect(found(readSegment(path, file))).toEqual(found(segment));
  const opened = openSegment(path, file);
  onTestFinished(() => opened.close());
  expect(found(opened)).toEqual(found(segment));
  const words = readSegmentWords(path, file);
  expect([...words.ids]).toEqual([10, 11, 12, 13]);
  expect(words.words.arrays).toEqual(segment.words.arrays);
  expect(words.postings).toBe(segment.words.arrays.entries.length + segment.grams.arrays.entries.length);
});

test('vectors are read as they were written, also none', () => {
  const path = join(temporaryFolder(), 'vectors.bin');
  const rows = { ids: Uint32Array.of(3, 9), vectors: Float32Array.of(0.6, 0.8, 1, 0) };
  expect(readVectors(path, writeVectors(path, rows))).toEqual(rows);
  expect(readVectors(path, writeVectors(path, NO_VECTORS))).toEqual(NO_VECTORS);
});

test('a model of meanings is read as it was written, at once or in parts', async () => {
  const lsa = await fitLsa([segmentOf(TEXTS)], () => true, new AbortController().signal);
  if (!lsa) throw new Error('there is one');
  const path = join(temporaryFolder(), 'lsa.bin');
  const file = writeLsa(path, lsa);
  const opened = openLsa(path, file);
  onTestFinished(() => opened.close());
  for (const again of [readLsa(path, file), opened.lsa]) {
    expect(again).toBeInstanceOf(Lsa);
    expect(again.dimensions).toBe(lsa.dimensions);
    for (const words of [['boat'], ['oven', 'bread', 'oven'], ['nothing']])
      expect(again.embed(words)).toEqual(lsa.embed(words));
  }
});

test('a file of other arrays is damaged, and says which', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'odd.bin');
  const odd = writeArrays(path, { ids: Float32Array.of(1), vectors: Float32Array.of(1) });
  expect(() => readVectors(path, odd)).toThrow(new Damaged(path, 'array ids is of another type').message);
  const bare = writeArrays(path, { ids: Uint32Array.of(1), vectors: Uint32Array.of(1) });
  expect(() => readVectors(path, bare)).toThrow(new Damaged(path, 'array vectors is of another type').message);
  const words = writeArrays(path, { ids: Uint32Array.of(1), 'words.bytes': Uint32Array.of(1) });
  expect(() => openSegment(path, words)).toThrow(new Damaged(path, 'array words.bytes is of another type').message);
  expect(new ArrayFile(path, words).close()).toBeUndefined();
});

test('segments are merged without what is gone, and find what they found', () => {
  const merged = mergeSegments(
    [segmentOf(TEXTS), segmentOf(['boat lamp', 'oven'], 20)],
    (id) => id !== 11 && id !== 21,
  );
  const fresh = new SegmentBuilder();
  for (const [id, text] of [
    [10, TEXTS[0]],
    [12, TEXTS[2]],
    [13, TEXTS[3]],
    [20, 'boat lamp'],
  ] as const)
    fresh.add(id, text ?? '');
  expect(fresh.size).toBe(4);
  expect(found(merged)).toEqual(found(fresh.build()));
  expect(merged.words.frequency('mast')).toBe(0);
  expect(mergeSegments([], () => true).ids).toHaveLength(0);
});

test('a word that stands 300 times counts as one that stands 255 times', () => {
  const times = (count: number) => segmentOf([Array.from({ length: count }, () => 'boat').join(' ')]).words;
  const [postings] = [times(300).entries('boat')?.entries];
  expect(postings && [...postings]).toEqual([255]);
  expect([...(times(254).entries('boat')?.entries ?? [])]).toEqual([254]);
  expect(times(300).totalLength).toBe(300);
});

test('thousands of words and documents are indexed as few are', () => {
  const texts = Array.from({ length: 1500 }, (_, at) => `word${at} word${at % 7} common`);
  const { words } = segmentOf(texts);
  expect(words.frequency('common')).toBe(1500);
  expect(words.frequency('word3')).toBe(Math.ceil((1500 - 3) / 7));
  const last = new Bm25([words]).search(new Map([['word1499', 1]]), 5);
  expect(last.map(({ docId }) => docId)).toEqual([1499]);
});

test('lengths of documents are told over several segments', () => {
  const bm25 = new Bm25([segmentOf(TEXTS).words, segmentOf(['one two three four']).words, segmentOf(['five']).words]);
  expect([0, 1, 2, 3, 4, 5].map((docId) => bm25.length(docId))).toEqual([3, 3, 3, 2, 4, 1]);
  expect(bm25.length(6)).toBe(0);
  expect(bm25.docCount).toBe(6);
  expect(bm25.idf('boat')).toBeCloseTo(Math.log(1 + 4.5 / 2.5));
});
