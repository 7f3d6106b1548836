import { orthonormalise, seededNormals, symmetricEigen } from './linear.ts';
import { TermTable, type TermTableArrays } from './term-table.ts';

const DIMENSIONS = 128;
const EXTRA_COLUMNS = 10;
const ROUNDS = 3;
const SEED = 20240229;
/** Directions weaker than this share of the first are noise; dividing by them gives no numbers. */
const WEAKEST = 1e-3;

export interface LsaArrays {
  readonly terms: TermTableArrays;
  readonly weights: Float32Array;
  /** terms x dimensions, row by row. */
  readonly basis: Float32Array;
  readonly dimensions: number;
}

/** Sparse rows, one per document. */
interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/**
 * Latent semantic analysis: places texts by the company their words keep, fitted on the user's own chunks.
 *
 * @see Deerwester et al. 1990, "Indexing by latent semantic analysis"
 * @see Halko, Martinsson and Tropp 2011, "Finding structure with randomness", for the fit
 */
export class Lsa {
  readonly arrays: LsaArrays;
  readonly #terms: TermTable;

  constructor(arrays: LsaArrays) {
    this.arrays = arrays;
    this.#terms = new TermTable(arrays.terms);
  }

  get dimensions(): number {
    return this.arrays.dimensions;
  }

  /** @returns a model, or undefined when the texts do not carry one. */
  static fit(documents: readonly (readonly string[])[]): Lsa | undefined {
    const { terms, weights, rows } = weigh(documents);
    if (terms.length === 0) return undefined;
    const found = rightSingularVectors(rows, terms.length, documents.length);
    if (!found) return undefined;
    return new Lsa({ terms: TermTable.from(terms).arrays, weights, ...found });
  }

  /** The unit vector of a text's words, undefined when none of them is known. */
  embed(words: readonly string[]): Float32Array | undefined {
    const { basis, dimensions, weights } = this.arrays;
    const vector = new Float32Array(dimensions);
    for (const [term, count] of countOf(words)) {
      const number = this.#terms.find(term);
      if (number < 0) continue;
      const value = (1 + Math.log(count)) * (weights[number] ?? 0);
      for (let axis = 0; axis < dimensions; axis++)
        (vector[axis] as number) += value * (basis[number * dimensions + axis] as number);
    }
    return normalise(vector);
  }
}

/** Scale to length 1 in place; undefined for the zero vector and for anything that is not a number. */
export function normalise(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square) || square < 1e-20) return undefined;
  const scale = 1 / Math.sqrt(square);
  for (let axis = 0; axis < vector.length; axis++) (vector[axis] as number) *= scale;
  return vector;
}

function weigh(documents: readonly (readonly string[])[]) {
  const counted = documents.map(countOf);
  const frequencies = new Map<string, number>();
  for (const counts of counted)
    for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const terms = [...frequencies].filter(([, frequency]) => frequency >= 2).map(([term]) => term);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const weights = Float32Array.from(terms, (term) => Math.log(1 + documents.length / (frequencies.get(term) ?? 1)));
  return { terms, weights, rows: sparseRows(counted, numbers, weights) };
}

function sparseRows(
  counted: readonly Map<string, number>[],
  numbers: Map<string, number>,
  weights: Float32Array,
): Rows {
  const starts = new Uint32Array(counted.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (const [row, counts] of counted.entries()) {
    const from = values.length;
    let square = 0;
    for (const [term, count] of counts) {
      const number = numbers.get(term);
      if (number === undefined) continue;
      const value = (1 + Math.log(count)) * (weights[number] ?? 0);
      columns.push(number);
      values.push(value);
      square += value * value;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let at = from; at < values.length; at++) values[at] = (values[at] ?? 0) * scale;
    starts[row + 1] = values.length;
  }
  return { starts, columns: Uint32Array.from(columns), values: Float32Array.from(values) };
}

/** Subspace iteration on A'A from a seeded random start, then the eigenvectors inside the subspace. */
function rightSingularVectors(rows: Rows, terms: number, documents: number) {
  const width = Math.min(DIMENSIONS + EXTRA_COLUMNS, terms, documents);
  let subspace = seededNormals(terms * width, SEED);
  orthonormalise(subspace, width);
  for (let round = 0; round < ROUNDS; round++) {
    subspace = multiplyTransposed(rows, multiply(rows, subspace, width), { width, terms });
    orthonormalise(subspace, width);
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

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
