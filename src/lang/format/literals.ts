/** A text in double quotes, which reads as `value`. */
export function quoted(value: string): string {
  return `"${value.replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** A part of a template, without its quotes. */
export function templateText(text: string): string {
  return text.replace(/[\\`]/gu, '\\$&').replaceAll('${', '\\${').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** A number without an exponent, which the language does not have. */
export function numberText(value: number): string {
  const text = String(value);
  return /e/u.test(text) ? value.toFixed(20).replace(/\.?0+$/u, '') : text;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** The key of a record: quoted unless it is a name. */
export function keyText(name: string): string {
  return NAME.test(name) ? name : quoted(name);
}
