import { orthonormalise, seededNormals, symmetricEigen } from './linear-algebra.ts';
import { Lsa } from './lsa.ts';
import { FREQUENCY_BITS, MAX_FREQUENCY } from './postings.ts';
import type { Segment } from './segment.ts';
import { TermDictionary } from './term-dictionary.ts';

const DIMENSIONS = 128;
const EXTRA_COLUMNS = 10;
const ROUNDS = 3;
const SEED = 20240229;
const MOST_ROWS = 20_000;
/** The most frequent terms are kept: rarer ones co-occur with little and take as much time. */
const MOST_TERMS = 30_000;
/** Singular directions weaker than this share of the first are noise, and dividing by them is unstable. */
const WEAKEST = 1e-3;

/** Sparse rows, one per chunk. */
interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/**
 * Fit LSA on the live chunks of some segments, on every n-th of them when there are many.
 *
 * @returns undefined when the texts have too few words in common.
 * @see Halko, Martinsson and Tropp 2011, "Finding structure with randomness"
 */
export function fitLsa(segments: readonly Segment[], isLive: (id: number) => boolean): Lsa | undefined {
  const { rowOf, count } = sample(segments, isLive);
  const { terms, frequencies, cells } = keepFrequent(collect(segments, rowOf));
  if (terms.length === 0) return undefined;
  const weights = Float32Array.from(frequencies, (frequency) => Math.log(1 + count / frequency));
  const found = rightSingularVectors(toRows(cells, weights, count), terms.length, count);
  return found && new Lsa({ terms: TermDictionary.from(terms).arrays, weights, ...found });
}

/** Row number by document id of each segment, -1 for documents outside the sample. */
function sample(segments: readonly Segment[], isLive: (id: number) => boolean) {
  const live = segments.map(({ ids }) => ids.map((id) => (isLive(id) ? 1 : 0)));
  const total = live.reduce((sum, flags) => sum + flags.reduce((inner, flag) => inner + flag, 0), 0);
  const stride = Math.max(1, Math.ceil(total / MOST_ROWS));
  let seen = 0;
  let count = 0;
  const rowOf = live.map((flags) =>
    Int32Array.from(flags, (flag) => (flag === 1 && seen++ % stride === 0 ? count++ : -1)),
  );
  return { rowOf, count };
}

interface Cells {
  readonly rows: number[];
  readonly columns: number[];
  readonly counts: number[];
}

/** The non-zero cells of the sample, for terms that occur in at least two of its chunks. */
function collect(segments: readonly Segment[], rowOf: readonly Int32Array[]): Collected {
  const terms: string[] = [];
  const frequencies: number[] = [];
  const cells: Cells = { rows: [], columns: [], counts: [] };
  for (const [term, places] of termPlaces(segments)) {
    const from = cells.rows.length;
    for (const { part, number } of places)
      addCells(segments[part], rowOf[part], { number, column: terms.length, cells });
    const frequency = cells.rows.length - from;
    if (frequency >= 2) {
      terms.push(term);
      frequencies.push(frequency);
    } else for (const list of [cells.rows, cells.columns, cells.counts]) list.length = from;
  }
  return { terms, frequencies, cells };
}

interface Collected {
  readonly terms: readonly string[];
  readonly frequencies: readonly number[];
  readonly cells: Cells;
}

function keepFrequent(all: Collected): Collected {
  if (all.terms.length <= MOST_TERMS) return all;
  const order = [...all.terms.keys()].sort((a, b) => (all.frequencies[b] ?? 0) - (all.frequencies[a] ?? 0) || a - b);
  const kept = order.slice(0, MOST_TERMS).sort((a, b) => a - b);
  const columns = new Int32Array(all.terms.length).fill(-1);
  for (const [column, old] of kept.entries()) columns[old] = column;
  const at = [...all.cells.columns.keys()].filter((cell) => (columns[all.cells.columns[cell] ?? 0] ?? -1) >= 0);
  const pick = (values: readonly number[]) => at.map((cell) => values[cell] ?? 0);
  return {
    terms: kept.map((term) => all.terms[term] ?? ''),
    frequencies: kept.map((term) => all.frequencies[term] ?? 0),
    cells: {
      rows: pick(all.cells.rows),
      columns: pick(all.cells.columns).map((column) => columns[column] ?? 0),
      counts: pick(all.cells.counts),
    },
  };
}

function termPlaces(segments: readonly Segment[]): Map<string, { part: number; number: number }[]> {
  const places = new Map<string, { part: number; number: number }[]>();
  for (const [part, { words }] of segments.entries())
    for (let number = 0; number < words.terms.size; number++) {
      const term = words.terms.term(number);
      const known = places.get(term);
      if (known) known.push({ part, number });
      else places.set(term, [{ part, number }]);
    }
  return places;
}

function addCells(
  segment: Segment | undefined,
  rowOf: Int32Array | undefined,
  { number, column, cells }: { number: number; column: number; cells: Cells },
): void {
  if (!segment || !rowOf) return;
  const { starts, entries } = segment.words.arrays;
  for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at++) {
    const entry = entries[at] ?? 0;
    const row = rowOf[entry >>> FREQUENCY_BITS] ?? -1;
    if (row < 0) continue;
    cells.rows.push(row);
    cells.columns.push(column);
    cells.counts.push(entry & MAX_FREQUENCY);
  }
}

/** (1 + ln tf) times the term's weight, by row, each row of length 1. */
function toRows(cells: Cells, weights: Float32Array, count: number): Rows {
  const starts = new Uint32Array(count + 1);
  for (const row of cells.rows) (starts[row + 1] as number) += 1;
  for (let row = 0; row < count; row++) (starts[row + 1] as number) += starts[row] as number;
  const next = starts.slice();
  const columns = new Uint32Array(cells.rows.length);
  const values = new Float32Array(cells.rows.length);
  for (const [index, row] of cells.rows.entries()) {
    const column = cells.columns[index] ?? 0;
    const at = (next[row] as number)++;
    columns[at] = column;
    values[at] = (1 + Math.log(cells.counts[index] ?? 1)) * (weights[column] ?? 0);
  }
  for (let row = 0; row < count; row++) scaleToOne(values.subarray(starts[row], starts[row + 1]));
  return { starts, columns, values };
}

function scaleToOne(row: Float32Array): void {
  let square = 0;
  for (const value of row) square += value * value;
  if (square > 0) for (let at = 0; at < row.length; at++) (row[at] as number) /= Math.sqrt(square);
}

/** Subspace iteration on A'A from a seeded random start, then the eigenvectors inside the subspace. */
function rightSingularVectors(rows: Rows, terms: number, documents: number) {
  const width = Math.min(DIMENSIONS + EXTRA_COLUMNS, terms, documents);
  let subspace = seededNormals(terms * width, SEED);
  for (let round = 1; round <= ROUNDS; round++) {
    subspace = multiplyTransposed(rows, multiply(rows, subspace, width), { width, terms });
    orthonormalise(subspace, width, round === ROUNDS ? 2 : 1);
  }
  const { values, vectors } = symmetricEigen(gram(multiply(rows, subspace, width), width), width);
  const strongest = values[0] ?? 0;
  const strong = values.filter((value) => value > 0 && Math.sqrt(value / strongest) >= WEAKEST).length;
  const dimensions = Math.min(DIMENSIONS, strong);
  if (dimensions === 0 || !Number.isFinite(strongest)) return undefined;
  return { basis: rotate(subspace, vectors, { width, dimensions }), dimensions };
}

function multiply(rows: Rows, right: Float32Array, width: number): Float32Array {
  const count = rows.starts.length - 1;
  const product = new Float32Array(count * width);
  for (let row = 0; row < count; row++) {
    const to = row * width;
    for (let at = rows.starts[row] as number; at < (rows.starts[row + 1] as number); at++) {
      const from = (rows.columns[at] as number) * width;
      const value = rows.values[at] as number;
      for (let axis = 0; axis < width; axis++) (product[to + axis] as number) += value * (right[from + axis] as number);
    }
  }
  return product;
}

function multiplyTransposed(rows: Rows, right: Float32Array, size: { width: number; terms: number }): Float32Array {
  const { width, terms } = size;
  const product = new Float32Array(terms * width);
  for (let row = 0; row < rows.starts.length - 1; row++) {
    const from = row * width;
    for (let at = rows.starts[row] as number; at < (rows.starts[row + 1] as number); at++) {
      const to = (rows.columns[at] as number) * width;
      const value = rows.values[at] as number;
      for (let axis = 0; axis < width; axis++) (product[to + axis] as number) += value * (right[from + axis] as number);
    }
  }
  return product;
}

function gram(matrix: Float32Array, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let row = 0; row < matrix.length; row += width)
    for (let a = 0; a < width; a++) {
      const value = matrix[row + a] as number;
      for (let b = a; b < width; b++) (product[a * width + b] as number) += value * (matrix[row + b] as number);
    }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) product[a * width + b] = product[b * width + a] as number;
  return product;
}

function rotate(
  subspace: Float32Array,
  vectors: Float64Array,
  size: { width: number; dimensions: number },
): Float32Array {
  const { width, dimensions } = size;
  const count = subspace.length / width;
  const basis = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++)
    for (let axis = 0; axis < dimensions; axis++) {
      let sum = 0;
      for (let inner = 0; inner < width; inner++)
        sum += (subspace[row * width + inner] as number) * (vectors[inner * width + axis] as number);
      basis[row * dimensions + axis] = sum;
    }
  return basis;
}
