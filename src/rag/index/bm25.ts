import { FREQUENCY_BITS, lengthNorms, MAX_FREQUENCY, type Postings } from './postings.ts';

/** After so many terms, candidates that can no longer reach the top are dropped. */
const TERMS_PER_PRUNING = 4;
/** Postings that can be scanned in the time of one galloping seek. */
const POSTINGS_PER_SEEK = 6;
/** Scores are sums of 32-bit floats; this leaves room for rounding errors. */
const ROUNDING = 0.999;

interface TermPart {
  readonly part: number;
  readonly entries: Uint32Array;
}

interface Term {
  readonly weight: number;
  readonly parts: readonly TermPart[];
  /** The term's document frequency. */
  readonly entries: number;
  /** Upper bound of what it can add to a score. */
  readonly ceiling: number;
}

/** Which documents can still make it into the top. */
interface Race {
  readonly depth: number;
  /** By document id: 1 for those that may be returned; all when left out. */
  readonly allowed?: Uint8Array | undefined;
  /** The remaining candidates' document ids, ascending; all when left out. */
  readonly among?: Uint32Array | undefined;
}

/** A document id, counted over all segments in order, and its score; higher is better. */
export interface Scored {
  readonly docId: number;
  readonly score: number;
}

/** BM25 over the postings of several segments as if they were one. */
export class Bm25 {
  readonly #parts: readonly Postings[];
  readonly #bases: readonly number[];
  readonly #norms: readonly Float32Array[];
  /**
   * By how much a segment's upper bounds may be too low because texts have become longer on average since it was built.
   */
  readonly #stretch: readonly number[];
  readonly #scores: Float32Array;
  /** Reused buffer for the document ids of the remaining candidates. */
  readonly #among: Uint32Array;
  readonly docCount: number;

  constructor(parts: readonly Postings[]) {
    this.#parts = parts;
    const bases: number[] = [];
    let docIds = 0;
    let length = 0;
    for (const part of parts) {
      bases.push(docIds);
      docIds += part.docCount;
      length += part.totalLength;
    }
    this.docCount = docIds;
    this.#bases = bases;
    const average = length / Math.max(docIds, 1);
    this.#norms = parts.map((part) => lengthNorms(part.arrays.lengths, average));
    this.#stretch = parts.map((part) => Math.max(1, (average * part.docCount) / Math.max(part.totalLength, 1)));
    this.#scores = new Float32Array(docIds);
    this.#among = new Uint32Array(docIds);
  }

  /** Document frequency: how many documents contain the term. */
  frequency(term: string): number {
    let sum = 0;
    for (const part of this.#parts) sum += part.frequency(term);
    return sum;
  }

  idf(term: string): number {
    return this.#idfOf(this.frequency(term));
  }

  #idfOf(frequency: number): number {
    return Math.log(1 + (this.docCount - frequency + 0.5) / (frequency + 0.5));
  }

  length(docId: number): number {
    const part = this.#partOf(docId);
    return this.#parts[part]?.arrays.lengths[docId - (this.#bases[part] ?? 0)] ?? 0;
  }

  /**
   * The `depth` best documents, best first, ties by document id. Terms are processed by their upper bounds; once the
   * remaining terms cannot lift a new document into the top, only the remaining candidates are scored.
   *
   * @param query weight per term.
   * @param allowed by document id: 1 for those that may be returned; all when left out.
   * @see Turtle and Flood 1995, "Query evaluation: strategies and optimizations" (max-score)
   */
  search(query: ReadonlyMap<string, number>, depth: number, allowed?: Uint8Array): Scored[] {
    this.#scores.fill(0);
    const terms = this.#plan(query);
    const rest = { ceiling: sum(terms, ({ ceiling }) => ceiling), entries: sum(terms, ({ entries }) => entries) };
    let race: Race = { depth, allowed, among: undefined };
    // Upper bound of the lowest score in the top so far.
    let reach = 0;
    for (const [index, term] of terms.entries()) {
      for (const each of term.parts) this.#addTerm(each, term.weight, race.among);
      rest.ceiling -= term.ceiling;
      rest.entries -= term.entries;
      reach += term.ceiling;
      const dueForPruning = index % TERMS_PER_PRUNING === TERMS_PER_PRUNING - 1 && reach > rest.ceiling;
      // Pruning costs a pass over all candidates, so it is only worth it if it can save a longer one.
      if (dueForPruning && rest.entries > (race.among?.length ?? this.docCount)) {
        reach = best(this.#scores, race)[depth - 1]?.score ?? 0;
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

  /** Drop the candidates that score no more than `least` and so can no longer reach the top. */
  #narrow(race: Race, least: number): Race {
    if (least <= 0) return race;
    const scores = this.#scores;
    const from = race.among;
    const count = from?.length ?? this.docCount;
    let kept = 0;
    // Compacts in place where the list is its own source: writing never overtakes reading.
    for (let at = 0; at < count; at++) {
      const docId = from ? (from[at] as number) : at;
      if ((scores[docId] as number) > least) this.#among[kept++] = docId;
    }
    return { ...race, among: this.#among.subarray(0, kept) };
  }

  #addTerm({ part, entries }: TermPart, weight: number, candidates: Uint32Array | undefined): void {
    if (!candidates) this.#addAll(entries, part, weight);
    else if (candidates.length * POSTINGS_PER_SEEK < entries.length) this.#addTo(candidates, { part, entries }, weight);
    else this.#addAll(entries, part, weight);
  }

  #addAll(entries: Uint32Array, part: number, weight: number): void {
    const scores = this.#scores.subarray(this.#bases[part] ?? 0);
    const norms = this.#norms[part] as Float32Array;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number;
      const docId = entry >>> FREQUENCY_BITS;
      const frequency = entry & MAX_FREQUENCY;
      (scores[docId] as number) += (weight * frequency) / (frequency + (norms[docId] as number));
    }
  }

  /** Merge candidates and postings, both ascending, by galloping search. */
  #addTo(candidates: Uint32Array, { part, entries }: TermPart, weight: number): void {
    const base = this.#bases[part] ?? 0;
    const docIds = this.#parts[part]?.docCount ?? 0;
    const norms = this.#norms[part] as Float32Array;
    let at = 0;
    for (const candidate of candidates) {
      const docId = candidate - base;
      if (docId < 0) continue;
      if (docId >= docIds) return;
      at = seek(entries, at, docId);
      const entry = entries[at];
      if (entry === undefined) return;
      if (entry >>> FREQUENCY_BITS !== docId) continue;
      const frequency = entry & MAX_FREQUENCY;
      (this.#scores[candidate] as number) += (weight * frequency) / (frequency + (norms[docId] as number));
    }
  }

  #partOf(docId: number): number {
    let part = this.#bases.length - 1;
    while (part > 0 && (this.#bases[part] ?? 0) > docId) part--;
    return part;
  }
}

/** The first position from `from` on whose document id is not below `docId`, by galloping search. */
function seek(entries: Uint32Array, from: number, docId: number): number {
  let step = 1;
  let low = from;
  while (low + step < entries.length && (entries[low + step] as number) >>> FREQUENCY_BITS < docId) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, entries.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as number) >>> FREQUENCY_BITS < docId) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The `depth` highest positive scores, best first, ties by document id. */
export function best(scores: Float32Array, { depth, allowed, among }: Race): Scored[] {
  const heap = new Heap(depth);
  const count = among?.length ?? scores.length;
  for (let at = 0; at < count; at++) {
    const docId = among ? (among[at] as number) : at;
    const score = scores[docId] as number;
    if (score > heap.floor && (allowed === undefined || allowed[docId] === 1)) heap.push(docId, score);
  }
  return heap.sorted();
}

function sum(terms: readonly Term[], of: (term: Term) => number): number {
  return terms.reduce((total, term) => total + of(term), 0);
}

/** Keeps the top k of many scores: a binary min-heap, so that the worst one kept is on top. */
class Heap {
  readonly #docIds: number[] = [];
  readonly #scores: number[] = [];
  readonly #depth: number;
  /** A score must be above this to get in. */
  floor = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  push(docId: number, score: number): void {
    if (this.#docIds.length < this.#depth) this.#rise(this.#docIds.push(docId) - 1, docId, score);
    else this.#sink(docId, score);
    if (this.#docIds.length === this.#depth) this.floor = this.#scores[0] ?? 0;
  }

  sorted(): Scored[] {
    const found = this.#docIds.map((docId, index) => ({ docId, score: this.#scores[index] ?? 0 }));
    return found.sort((a, b) => b.score - a.score || a.docId - b.docId);
  }

  #rise(from: number, docId: number, score: number): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if ((this.#scores[up] as number) <= score) break;
      this.#put(at, this.#docIds[up] as number, this.#scores[up] as number);
      at = up;
    }
    this.#put(at, docId, score);
  }

  #sink(docId: number, score: number): void {
    const size = this.#docIds.length;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && (this.#scores[down + 1] as number) < (this.#scores[down] as number)) down++;
      if ((this.#scores[down] as number) >= score) break;
      this.#put(at, this.#docIds[down] as number, this.#scores[down] as number);
      at = down;
    }
    this.#put(at, docId, score);
  }

  #put(at: number, docId: number, score: number): void {
    this.#docIds[at] = docId;
    this.#scores[at] = score;
  }
}
