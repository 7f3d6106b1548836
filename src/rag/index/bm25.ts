import { FREQUENCY_BITS, lengthNorms, MAX_FREQUENCY, type Postings } from './postings.ts';

/** How often, in terms, it is asked which slots are still in the race. */
const TERMS_PER_LOOK = 4;
/** Entries that are read in the time of one look-up. */
const ENTRIES_PER_SEEK = 6;
const ROUNDING = 0.999;

interface TermPart {
  readonly part: number;
  readonly entries: Uint32Array;
}

interface Term {
  readonly weight: number;
  readonly parts: readonly TermPart[];
  /** In how many slots it occurs. */
  readonly entries: number;
  /** The most that it can add to a score. */
  readonly ceiling: number;
}

/** Which slots can still be among the best. */
interface Race {
  readonly depth: number;
  /** 1 for slots that may be returned; all when left out. */
  readonly allowed?: Uint8Array | undefined;
  /** Ascending; all when left out. */
  readonly among?: Uint32Array | undefined;
}

/** Slot (over all parts, in order) and score; higher is better. */
export interface Scored {
  readonly slot: number;
  readonly score: number;
}

/** BM25 over several postings as if they were one. */
export class Bm25 {
  readonly #parts: readonly Postings[];
  readonly #bases: readonly number[];
  readonly #norms: readonly Float32Array[];
  /** By how much a part's ceilings may be too low because texts got longer on average since its build. */
  readonly #stretch: readonly number[];
  readonly #scores: Float32Array;
  /** Room for the slots still in the race. */
  readonly #among: Uint32Array;
  readonly slots: number;

  constructor(parts: readonly Postings[]) {
    this.#parts = parts;
    const bases: number[] = [];
    let slots = 0;
    let length = 0;
    for (const part of parts) {
      bases.push(slots);
      slots += part.slots;
      length += part.totalLength;
    }
    this.slots = slots;
    this.#bases = bases;
    const average = length / Math.max(slots, 1);
    this.#norms = parts.map((part) => lengthNorms(part.arrays.lengths, average));
    this.#stretch = parts.map((part) => Math.max(1, (average * part.slots) / Math.max(part.totalLength, 1)));
    this.#scores = new Float32Array(slots);
    this.#among = new Uint32Array(slots);
  }

  /** In how many slots the term occurs. */
  frequency(term: string): number {
    let sum = 0;
    for (const part of this.#parts) sum += part.frequency(term);
    return sum;
  }

  idf(term: string): number {
    return this.#idfOf(this.frequency(term));
  }

  #idfOf(frequency: number): number {
    return Math.log(1 + (this.slots - frequency + 0.5) / (frequency + 0.5));
  }

  length(slot: number): number {
    const part = this.#partOf(slot);
    return this.#parts[part]?.arrays.lengths[slot - (this.#bases[part] ?? 0)] ?? 0;
  }

  /**
   * The `depth` best slots, best first, ties by slot. Terms are taken by what they can add at most; once the rest
   * cannot lift a new slot among the best, only those that still can be are looked at.
   *
   * @param query weight per term.
   * @param allowed 1 for slots that may be returned; all when left out.
   * @see Turtle and Flood 1995, "Query evaluation: strategies and optimizations" (max-score)
   */
  search(query: ReadonlyMap<string, number>, depth: number, allowed?: Uint8Array): Scored[] {
    this.#scores.fill(0);
    const terms = this.#plan(query);
    const rest = { ceiling: sum(terms, ({ ceiling }) => ceiling), entries: sum(terms, ({ entries }) => entries) };
    let race: Race = { depth, allowed, among: undefined };
    // The last one of the best cannot have more than this by now.
    let reach = 0;
    for (const [index, term] of terms.entries()) {
      for (const each of term.parts) this.#addTerm(each, term.weight, race.among);
      rest.ceiling -= term.ceiling;
      rest.entries -= term.entries;
      reach += term.ceiling;
      const dueForLook = index % TERMS_PER_LOOK === TERMS_PER_LOOK - 1 && reach > rest.ceiling;
      // A look costs a walk over the slots: only worth it when it can spare a longer one.
      if (dueForLook && rest.entries > (race.among?.length ?? this.slots)) {
        reach = best(this.#scores, race)[depth - 1]?.score ?? 0;
        // Scores are sums of 32-bit floats: leave room for their rounding.
        race = this.#narrow(race, reach * ROUNDING - rest.ceiling);
      }
    }
    return best(this.#scores, race);
  }

  #plan(query: ReadonlyMap<string, number>): Term[] {
    const terms = [...query].map(([term, asked]) => {
      const parts: TermPart[] = [];
      let highest = 0;
      let frequency = 0;
      for (const [part, postings] of this.#parts.entries()) {
        const found = postings.entries(term);
        if (!found) continue;
        parts.push({ part, entries: found.entries });
        highest = Math.max(highest, found.ceiling * (this.#stretch[part] ?? 1));
        frequency += found.entries.length;
      }
      const weight = asked * this.#idfOf(frequency);
      return { weight, parts, entries: frequency, ceiling: weight * Math.min(1, highest) };
    });
    return terms.sort((a, b) => b.ceiling - a.ceiling);
  }

  /** Leave out the slots that have no more than `least` and so cannot be among the best any more. */
  #narrow(race: Race, least: number): Race {
    if (least <= 0) return race;
    const scores = this.#scores;
    const from = race.among;
    const count = from?.length ?? this.slots;
    let kept = 0;
    // Kept slots move to the front of the list they may come from, never past what is yet to be read.
    for (let at = 0; at < count; at++) {
      const slot = from ? (from[at] as number) : at;
      if ((scores[slot] as number) > least) this.#among[kept++] = slot;
    }
    return { ...race, among: this.#among.subarray(0, kept) };
  }

  #addTerm({ part, entries }: TermPart, weight: number, candidates: Uint32Array | undefined): void {
    if (!candidates) this.#addAll(entries, part, weight);
    else if (candidates.length * ENTRIES_PER_SEEK < entries.length) this.#addTo(candidates, { part, entries }, weight);
    else this.#addAll(entries, part, weight);
  }

  #addAll(entries: Uint32Array, part: number, weight: number): void {
    const scores = this.#scores.subarray(this.#bases[part] ?? 0);
    const norms = this.#norms[part] as Float32Array;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number;
      const slot = entry >>> FREQUENCY_BITS;
      const frequency = entry & MAX_FREQUENCY;
      (scores[slot] as number) += (weight * frequency) / (frequency + (norms[slot] as number));
    }
  }

  /** Look the candidates up in the entries, both in order, by doubling steps. */
  #addTo(candidates: Uint32Array, { part, entries }: TermPart, weight: number): void {
    const base = this.#bases[part] ?? 0;
    const slots = this.#parts[part]?.slots ?? 0;
    const norms = this.#norms[part] as Float32Array;
    let at = 0;
    for (const candidate of candidates) {
      const slot = candidate - base;
      if (slot < 0) continue;
      if (slot >= slots) return;
      at = seek(entries, at, slot);
      const entry = entries[at];
      if (entry === undefined) return;
      if (entry >>> FREQUENCY_BITS !== slot) continue;
      const frequency = entry & MAX_FREQUENCY;
      (this.#scores[candidate] as number) += (weight * frequency) / (frequency + (norms[slot] as number));
    }
  }

  #partOf(slot: number): number {
    let part = this.#bases.length - 1;
    while (part > 0 && (this.#bases[part] ?? 0) > slot) part--;
    return part;
  }
}

/** The first position from `from` on whose slot is not below `slot`. */
function seek(entries: Uint32Array, from: number, slot: number): number {
  let step = 1;
  let low = from;
  while (low + step < entries.length && (entries[low + step] as number) >>> FREQUENCY_BITS < slot) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, entries.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as number) >>> FREQUENCY_BITS < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The `depth` highest positive scores, best first, ties by slot. */
export function best(scores: Float32Array, { depth, allowed, among }: Race): Scored[] {
  const heap = new Heap(depth);
  const count = among?.length ?? scores.length;
  for (let at = 0; at < count; at++) {
    const slot = among ? (among[at] as number) : at;
    const score = scores[slot] as number;
    if (score > heap.floor && (allowed === undefined || allowed[slot] === 1)) heap.push(slot, score);
  }
  return heap.sorted();
}

function sum(terms: readonly Term[], of: (term: Term) => number): number {
  return terms.reduce((total, term) => total + of(term), 0);
}

/** Keeps the best few of many: a binary heap with the worst on top. */
class Heap {
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];
  readonly #depth: number;
  /** A score must be above this to get in. */
  floor = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  push(slot: number, score: number): void {
    if (this.#slots.length < this.#depth) this.#rise(this.#slots.push(slot) - 1, slot, score);
    else this.#sink(slot, score);
    if (this.#slots.length === this.#depth) this.floor = this.#scores[0] ?? 0;
  }

  sorted(): Scored[] {
    const found = this.#slots.map((slot, index) => ({ slot, score: this.#scores[index] ?? 0 }));
    return found.sort((a, b) => b.score - a.score || a.slot - b.slot);
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if ((this.#scores[up] as number) <= score) break;
      this.#put(at, this.#slots[up] as number, this.#scores[up] as number);
      at = up;
    }
    this.#put(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    const size = this.#slots.length;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && (this.#scores[down + 1] as number) < (this.#scores[down] as number)) down++;
      if ((this.#scores[down] as number) >= score) break;
      this.#put(at, this.#slots[down] as number, this.#scores[down] as number);
      at = down;
    }
    this.#put(at, slot, score);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }
}
