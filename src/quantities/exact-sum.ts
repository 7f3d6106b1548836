/** More digits than amounts have. */
const MOST_DECIMALS = 12;

/**
 * A sum without the rounding of binary fractions: 0.1 and 0.2 are 0.3.
 *
 * @param values numbers, or their digits: `"12.50"`.
 * @throws TypeError that names what is no number.
 */
export function exactSum(values: readonly unknown[]): number {
  const numbers = values.map(numberIn);
  const decimals = Math.min(MOST_DECIMALS, Math.max(0, ...numbers.map(decimalsOf)));
  const scale = 10 ** decimals;
  return numbers.reduce((sum, each) => sum + Math.round(each * scale), 0) / scale;
}

function numberIn(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new TypeError(`${JSON.stringify(value) ?? 'undefined'} is no number: give 12.5 or "12.50"`);
}

function decimalsOf(number: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/u.exec(String(number)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
