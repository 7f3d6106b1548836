import { contentTokens, gramsOf, stem } from '../analysis/words.ts';
import { type Postings, PostingsBuilder } from './postings.ts';

/** A part of a store's index: both word forms of some chunks. Slots are positions in `ids`. */
export interface Segment {
  readonly ids: Uint32Array;
  readonly words: Postings;
  readonly grams: Postings;
}

export class SegmentBuilder {
  readonly #ids: number[] = [];
  readonly #words = new PostingsBuilder();
  readonly #grams = new PostingsBuilder();

  /** @param text everything a search should find the chunk by: headings and body. */
  add(id: number, text: string): void {
    const content = contentTokens(text);
    this.#ids.push(id);
    this.#words.add(content.map(stem));
    this.#grams.add(gramsOf(content));
  }

  get size(): number {
    return this.#ids.length;
  }

  build(): Segment {
    return { ids: Uint32Array.from(this.#ids), words: this.#words.build(), grams: this.#grams.build() };
  }
}

/** One segment with the live slots of several, in their order. Nothing is analysed again. */
export function mergeSegments(segments: readonly Segment[], isLive: (id: number) => boolean): Segment {
  const kept = segments.map((segment) => segment.ids.map((id) => (isLive(id) ? 1 : 0)));
  const ids = segments.flatMap((segment, part) => [...segment.ids].filter((_id, slot) => kept[part]?.[slot] === 1));
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
    const slots = new Int32Array(part.slots).fill(-1);
    for (let slot = 0; slot < part.slots; slot++)
      if (kept[index]?.[slot] === 1) slots[slot] = builder.addSlot(part.arrays.lengths[slot] ?? 0);
    copyEntries(part, slots, builder);
  }
  return builder.build();
}

function copyEntries(part: Postings, slots: Int32Array, builder: PostingsBuilder): void {
  const { starts, entries } = part.arrays;
  for (let number = 0; number < part.terms.size; number++) {
    let mapped = -1;
    for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at++) {
      const entry = entries[at] ?? 0;
      const slot = slots[entry >>> 8] ?? -1;
      if (slot < 0) continue;
      if (mapped < 0) mapped = builder.termNumber(part.terms.term(number));
      builder.addEntry(mapped, slot, entry & 0xff);
    }
  }
}
