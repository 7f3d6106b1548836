/** Words and symbols that people and models use for operators of the grammar. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\s/gu, ''],
  [/%of/giu, '§'],
  [/[×·]|(?<=\d)x(?=\d)/giu, '*'],
  [/÷/gu, '/'],
  [/\*\*/gu, '^'],
  [/mod/giu, '#'],
  [/sqrt/giu, '√'],
  [/pi|π/giu, String(Math.PI)],
  [/(?<=\d),(?=\d{3}(?!\d))/gu, ''],
  [/[−–]/gu, '-'],
];

/**
 * The value of an expression, by the arithmetic of the built-in model: `+ - * / ^ mod sqrt()`, brackets, `15% of 80`.
 *
 * @throws Error for anything else, a division by zero included.
 */
export async function calculate(expression: string): Promise<number> {
  const { evaluate } = await import('../models/builtin/expression.ts');
  const value = evaluate(SIGNS.reduce((text, [sign, by]) => text.replace(sign, by), expression));
  if (value === undefined) throw new Error(`"${expression}" is no expression over + - * / ^ % mod sqrt and brackets.`);
  if (!Number.isFinite(value)) throw new Error(`"${expression}" has no finite value.`);
  return value;
}

/**
 * A number of one unit in another, by the table of the built-in model.
 *
 * @throws Error that names the unknown unit, or says that the two measure different things.
 */
export async function convertUnits(n: number, from: string, to: string): Promise<number> {
  const { convertMeasure, loadUnits, measureOf } = await import('../models/builtin/measure.ts');
  const library = await loadUnits();
  const [a, b] = [measureOf(from, 'en', library), measureOf(to, 'en', library)];
  if (!a || !b) throw new Error(`"${a ? to : from}" is no unit that is known.`);
  if (a.kind !== b.kind)
    throw new Error(`${from} measures ${a.kind}, ${to} measures ${b.kind}: there is no conversion.`);
  return convertMeasure(n, a, b, library);
}
