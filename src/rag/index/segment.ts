import { contentTokens, gramsOf, stem } from '../analysis/words.ts';
import { type Postings, PostingsBuilder } from './postings.ts';

/** An immutable part of a project's index: words and n-grams of some chunks. A document id is a position in `ids`. */
export interface Segment {
  /** Chunk ids. */
  readonly ids: Uint32Array;
  readonly words: Postings;
  readonly grams: Postings;
}

/** The part of a segment that is needed to compute vectors. */
export type SegmentWords = Pick<Segment, 'ids' | 'words'>;

export class SegmentBuilder {
  readonly #ids: number[] = [];
  readonly #words = new PostingsBuilder();
  readonly #grams = new PostingsBuilder();

  /** @param text everything the chunk should be found by: title, headings and body. */
  add(id: number, text: string): void {
    const content = contentTokens(text);
    this.#ids.push(id);
    this.#words.add(content.map(stem));
    this.#grams.add(gramsOf(content));
  }

  get size(): number {
    return this.#ids.length;
  }

  /** The number of entries of its words and n-grams. */
  get postings(): number {
    return this.#words.size + this.#grams.size;
  }

  build(): Segment {
    return { ids: Uint32Array.from(this.#ids), words: this.#words.build(), grams: this.#grams.build() };
  }
}

/** Merge the live documents of several segments, in their order. No text is analysed again. */
export function mergeSegments(segments: readonly Segment[], isLive: (id: number) => boolean): Segment {
  const kept = segments.map((segment) => segment.ids.map((id) => (isLive(id) ? 1 : 0)));
  const ids = segments.flatMap((segment, part) => [...segment.ids].filter((_id, docId) => kept[part]?.[docId] === 1));
  const merge = (kind: 'words' | 'grams') =>
    mergePostings(
      segments.map((segment) => segment[kind]),
      kept,
    );
  return { ids: Uint32Array.from(ids), words: merge('words'), grams: merge('grams') };
}

function mergePostings(parts: readonly Postings[], kept: readonly Uint32Array[]): Postings {
  const builder = new PostingsBuilder();
  for (const [index, part] of parts.entries()) {
    const docIds = new Int32Array(part.docCount).fill(-1);
    for (let docId = 0; docId < part.docCount; docId++)
      if (kept[index]?.[docId] === 1) docIds[docId] = builder.addDocument(part.arrays.lengths[docId] ?? 0);
    copyEntries(part, docIds, builder);
  }
  return builder.build();
}

function copyEntries(part: Postings, docIds: Int32Array, builder: PostingsBuilder): void {
  const { starts, entries } = part.arrays;
  for (let number = 0; number < part.terms.size; number++) {
    let mapped = -1;
    for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at++) {
      const entry = entries[at] ?? 0;
      const docId = docIds[entry >>> 8] ?? -1;
      if (docId < 0) continue;
      if (mapped < 0) mapped = builder.termNumber(part.terms.term(number));
      builder.addEntry(mapped, docId, entry & 0xff);
    }
  }
}
