/** Dense linear algebra for the LSA fit. Matrices are row-major with `width` columns. */

import { mulberry32 } from '../../base/mulberry32.ts';

const SWEEPS = 12;
const NEGLIGIBLE = 1e-12;

/** Normally distributed numbers, the same for the same seed. */
export function seededNormals(count: number, seed: number): Float32Array {
  const random = mulberry32(seed);
  const numbers = new Float32Array(count);
  for (let at = 0; at < count; at++)
    numbers[at] = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return numbers;
}

/**
 * Make the columns orthonormal in place by Gram-Schmidt. Columns that depend on earlier ones become zero.
 *
 * @param passes two remove all rounding errors; one is enough between iterations.
 */
export function orthonormalise(matrix: Float32Array, width: number, passes: 1 | 2): void {
  for (let column = 0; column < width; column++) {
    const before = columnLength(matrix, width, column);
    for (let pass = 0; pass < passes; pass++) removeEarlier(matrix, width, column);
    const length = columnLength(matrix, width, column);
    const scale = length > before * 1e-6 && length > 0 ? 1 / length : 0;
    for (let at = column; at < matrix.length; at += width) (matrix[at] as number) *= scale;
  }
}

function columnLength(matrix: Float32Array, width: number, column: number): number {
  let square = 0;
  for (let at = column; at < matrix.length; at += width) square += (matrix[at] as number) ** 2;
  return Math.sqrt(square);
}

function removeEarlier(matrix: Float32Array, width: number, column: number): void {
  const shares = new Float64Array(column);
  for (let row = 0; row < matrix.length; row += width) {
    const value = matrix[row + column] as number;
    for (let earlier = 0; earlier < column; earlier++)
      (shares[earlier] as number) += value * (matrix[row + earlier] as number);
  }
  for (let row = 0; row < matrix.length; row += width) {
    let sum = 0;
    for (let earlier = 0; earlier < column; earlier++)
      sum += (shares[earlier] as number) * (matrix[row + earlier] as number);
    (matrix[row + column] as number) -= sum;
  }
}

/**
 * Eigenvalues, largest first, and eigenvectors (columns, in the same order) by Jacobi rotations.
 *
 * @param matrix symmetric, `size` x `size`; it is overwritten.
 */
export function symmetricEigen(matrix: Float64Array, size: number): { values: number[]; vectors: Float64Array } {
  const vectors = new Float64Array(size * size);
  for (let axis = 0; axis < size; axis++) vectors[axis * size + axis] = 1;
  for (let sweep = 0; sweep < SWEEPS && !isDiagonal(matrix, size); sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotatePair({ matrix, vectors, size }, p, q);
  const order = Array.from({ length: size }, (_, axis) => axis);
  const value = (axis: number) => matrix[axis * size + axis] as number;
  order.sort((a, b) => value(b) - value(a));
  const sorted = new Float64Array(size * size);
  for (let row = 0; row < size; row++)
    for (const [to, from] of order.entries()) sorted[row * size + to] = vectors[row * size + from] as number;
  return { values: order.map(value), vectors: sorted };
}

function isDiagonal(matrix: Float64Array, size: number): boolean {
  let off = 0;
  let on = 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const square = (matrix[row * size + column] as number) ** 2;
      if (row === column) on += square;
      else off += square;
    }
  return off <= NEGLIGIBLE * on;
}

interface Rotation {
  readonly matrix: Float64Array;
  readonly vectors: Float64Array;
  readonly size: number;
}

function rotatePair({ matrix, vectors, size }: Rotation, p: number, q: number): void {
  const pq = matrix[p * size + q] as number;
  if (pq === 0) return;
  const theta = ((matrix[q * size + q] as number) - (matrix[p * size + p] as number)) / (2 * pq);
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (array: Float64Array, a: number, b: number) => {
    const x = array[a] as number;
    const y = array[b] as number;
    array[a] = cosine * x - sine * y;
    array[b] = sine * x + cosine * y;
  };
  for (let k = 0; k < size; k++) turn(matrix, k * size + p, k * size + q);
  for (let k = 0; k < size; k++) turn(matrix, p * size + k, q * size + k);
  for (let k = 0; k < size; k++) turn(vectors, k * size + p, k * size + q);
}
