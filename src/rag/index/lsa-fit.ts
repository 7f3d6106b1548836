import { orthonormalise, seededNormals, symmetricEigen } from './linear-algebra.ts';
import { Lsa } from './lsa.ts';
import { pause } from './pause.ts';
import { FREQUENCY_BITS, MAX_FREQUENCY, type Postings } from './postings.ts';
import type { SegmentWords } from './segment.ts';
import { TermDictionary } from './term-dictionary.ts';

const DIMENSIONS = 128;
const EXTRA_COLUMNS = 10;
const ROUNDS = 3;
const SEED = 20240229;
const MOST_ROWS = 20_000;
/** Only the most frequent terms are kept: rarer ones co-occur with little and take just as much time. */
const MOST_TERMS = 30_000;
/** Singular values below this share of the largest are noise, and dividing by them is unstable. */
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
 * @returns undefined if the texts have too few words in common.
 * @throws the signal's reason when it fires: it is checked after each pass over the texts, a second at most.
 * @see Halko, Martinsson and Tropp 2011, "Finding structure with randomness"
 */
export async function fitLsa(
  segments: readonly SegmentWords[],
  isLive: (id: number) => boolean,
  signal: AbortSignal,
): Promise<Lsa | undefined> {
  const { rowOf, count } = sample(segments, isLive);
  const { terms, frequencies, columnOf } = frequentTerms(segments, rowOf);
  await pause(signal);
  if (terms.length === 0) return undefined;
  const weights = Float32Array.from(frequencies, (frequency) => Math.log(1 + count / frequency));
  const rows = toRows(segments, { rowOf, columnOf, weights, count });
  await pause(signal);
  const found = await rightSingularVectors(rows, terms.length, signal);
  return found && new Lsa({ terms: TermDictionary.from(terms).arrays, weights, ...found });
}

/** Row number by document id of each segment, -1 for documents outside the sample. */
function sample(segments: readonly SegmentWords[], isLive: (id: number) => boolean) {
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

/** The terms that occur in at least two chunks of the sample; if there are too many, the most frequent of them. */
function frequentTerms(segments: readonly SegmentWords[], rowOf: readonly Int32Array[]) {
  const numbers = new Map<string, number>();
  const numberOf = segments.map(({ words }) => {
    const own = new Int32Array(words.terms.size);
    for (let local = 0; local < own.length; local++) own[local] = numbered(numbers, words.terms.term(local));
    return own;
  });
  const all = new Uint32Array(numbers.size);
  for (const [part, { words }] of segments.entries())
    eachCell(words, rowOf[part], (local) => {
      (all[numberOf[part]?.[local] ?? 0] as number) += 1;
    });
  const kept = mostFrequent(all);
  const columns = new Int32Array(numbers.size).fill(-1);
  for (const [column, number] of kept.entries()) columns[number] = column;
  const terms = new Array<string>(kept.length);
  for (const [term, number] of numbers) if ((columns[number] as number) >= 0) terms[columns[number] as number] = term;
  /** Column by term number of each segment, -1 for terms that are left out. */
  const columnOf = numberOf.map((own) => own.map((number) => columns[number] as number));
  return { terms, frequencies: kept.map((number) => all[number] as number), columnOf };
}

/** Numbers from 0, in order of first occurrence. */
function numbered(numbers: Map<string, number>, term: string): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** Their numbers, ascending. */
function mostFrequent(frequencies: Uint32Array): number[] {
  const common = [...frequencies.keys()].filter((number) => (frequencies[number] as number) >= 2);
  if (common.length <= MOST_TERMS) return common;
  const order = common.sort((a, b) => (frequencies[b] as number) - (frequencies[a] as number) || a - b);
  return order.slice(0, MOST_TERMS).sort((a, b) => a - b);
}

/** The cells of the sample's rows, in the order of `terms`, which default to all in numerical order. */
function eachCell(
  { terms, arrays: { starts, entries } }: Postings,
  rowOf: Int32Array | undefined,
  visit: (term: number, row: number, count: number) => void,
  order?: Uint32Array,
): void {
  for (let index = 0; index < (order?.length ?? terms.size); index++) {
    const term = order?.[index] ?? index;
    for (let at = starts[term] as number; at < (starts[term + 1] as number); at++) {
      const entry = entries[at] as number;
      const row = rowOf?.[entry >>> FREQUENCY_BITS] ?? -1;
      if (row >= 0) visit(term, row, entry & MAX_FREQUENCY);
    }
  }
}

interface Matrix {
  readonly rowOf: readonly Int32Array[];
  readonly columnOf: readonly Int32Array[];
  readonly weights: Float32Array;
  readonly count: number;
}

/** (1 + ln tf) times the term's weight, rows scaled to length 1. Counting first allocates the cells only once. */
function toRows(segments: readonly SegmentWords[], { rowOf, columnOf, weights, count }: Matrix): Rows {
  const orders = columnOf.map((own) =>
    Uint32Array.from([...own.keys()].filter((term) => (own[term] as number) >= 0)).sort(
      (a, b) => (own[a] as number) - (own[b] as number),
    ),
  );
  const starts = new Uint32Array(count + 1);
  const each = (visit: (part: number, term: number, row: number, count: number) => void) => {
    for (const [part, { words }] of segments.entries())
      eachCell(words, rowOf[part], (term, row, count) => visit(part, term, row, count), orders[part]);
  };
  each((_part, _term, row) => {
    (starts[row + 1] as number) += 1;
  });
  for (let row = 0; row < count; row++) (starts[row + 1] as number) += starts[row] as number;
  const next = starts.slice();
  const columns = new Uint32Array(starts[count] as number);
  const values = new Float32Array(columns.length);
  each((part, term, row, frequency) => {
    const at = (next[row] as number)++;
    const column = columnOf[part]?.[term] as number;
    columns[at] = column;
    values[at] = (1 + Math.log(frequency)) * (weights[column] as number);
  });
  for (let row = 0; row < count; row++) scaleToOne(values.subarray(starts[row], starts[row + 1]));
  return { starts, columns, values };
}

function scaleToOne(row: Float32Array): void {
  let square = 0;
  for (const value of row) square += value * value;
  if (square > 0) for (let at = 0; at < row.length; at++) (row[at] as number) /= Math.sqrt(square);
}

/** Subspace iteration on A'A from a seeded random start, then the eigenvectors within the subspace. */
async function rightSingularVectors(rows: Rows, terms: number, signal: AbortSignal) {
  const documents = rows.starts.length - 1;
  const width = Math.min(DIMENSIONS + EXTRA_COLUMNS, terms, documents);
  let subspace = seededNormals(terms * width, SEED);
  for (let round = 1; round <= ROUNDS; round++) {
    const product = multiply(rows, subspace, width);
    await pause(signal);
    subspace = multiplyTransposed(rows, product, { width, terms });
    await pause(signal);
    orthonormalise(subspace, width, round === ROUNDS ? 2 : 1);
    await pause(signal);
  }
  const projected = gram(multiply(rows, subspace, width), width);
  await pause(signal);
  const { values, vectors } = symmetricEigen(projected, width);
  await pause(signal);
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
