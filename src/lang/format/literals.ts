/** `value` as a string literal in double quotes. */
export function quoted(value: string): string {
  return `"${value.replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** A part of a template, without its quotes. */
export function templateText(text: string): string {
  return text.replace(/[\\`]/gu, '\\$&').replaceAll('${', '\\${').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** A number without an exponent, which the language does not have; infinity becomes digits that overflow again. */
export function numberText(value: number): string {
  const text = String(value);
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}${'9'.repeat(TOO_MANY_DIGITS)}`;
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(MOST_DECIMALS).replace(/\.?0+$/u, '');
}

const TOO_MANY_DIGITS = 310;
/** The most digits that `toFixed` gives. */
const MOST_DECIMALS = 100;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** The key of a record: quoted unless it is a name. */
export function keyText(name: string): string {
  return NAME.test(name) ? name : quoted(name);
}
